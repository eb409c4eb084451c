import { createSignal, For, type JSX, onCleanup, Show } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import { Modal } from "../ui/Modal.tsx";
import { type ThemeChoice, themes } from "../ui/theme.ts";
import type { ProviderName } from "../providers/names.ts";
import { BridgeSettings } from "./BridgeSettings.tsx";
import { LimitSettings } from "./LimitSettings.tsx";
import { PriceSettings } from "./PriceSettings.tsx";
import { SandboxSettings } from "./SandboxSettings.tsx";
import { NameSettings } from "./NameSettings.tsx";
import { NotifySettings } from "./NotifySettings.tsx";
import { forgetTypedKeys } from "./provider-draft.ts";
import { ProviderSettings } from "./ProviderSettings.tsx";
import { createCurrentSection, type SectionId } from "./sections.ts";
import { title as agents } from "../texts/agent-keys.ts";
import { AgentKeys } from "./AgentKeys.tsx";
import { StorageSettings } from "../storage/StorageSettings.tsx";
import * as t from "../texts/settings.ts";
import { bridge } from "../texts/bridge.ts";
import * as words from "../texts/settings-provider.ts";
import { title as storage } from "../texts/storage.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./settings.css";

const themeNames = { system: t.asTheSystem, light: t.light, dark: t.dark } as const;

const sections: readonly { readonly id: SectionId; readonly title: string }[] = [
  { id: "provider", title: words.provider },
  { id: "limits", title: t.limits },
  { id: "cost", title: t.cost },
  { id: "sandbox", title: t.sandboxShort },
  { id: "bridge", title: bridge },
  { id: "user", title: t.yourName },
  { id: "appearance", title: t.appearance },
  { id: "notifications", title: t.notifications },
  { id: "agents", title: agents },
  { id: "storage", title: storage },
];

/** The providers that need a key. */
const keyed = [
  { name: "claude", title: words.claude, keyLooksLike: "sk-ant-…", manyServers: false },
  { name: "openai", title: words.openai, keyLooksLike: "sk-…", manyServers: true },
] as const;

export default function SettingsDialog(props: {
  theme: ThemeChoice;
  provider: ProviderName;
  /** Increases with every change of the settings. */
  changes: number;
  events: EngineEvents;
  close: () => void;
  saved: () => void;
}) {
  const [box, setBox] = createSignal<HTMLElement>();
  const current = createCurrentSection(box);
  return (
    <Modal title={t.title} close={props.close}>
      <div ref={setBox} class="settings">
        <nav aria-label={t.sections}>
          <For each={sections}>
            {(section) => (
              <button
                type="button"
                class="quiet"
                aria-current={current.id() === section.id ? "true" : undefined}
                onClick={() => current.go(section.id)}
              >
                {section.title}
              </button>
            )}
          </For>
        </nav>
        <div class="settings-sections">
          <Section id="provider">
            <Providers first={props.provider} changes={props.changes} saved={props.saved} />
          </Section>
          <Section id="limits">
            <LimitSettings leave={() => props.close()} />
          </Section>
          <Section id="cost">
            <PriceSettings leave={() => props.close()} />
          </Section>
          <Section id="sandbox">
            <SandboxSettings events={props.events} />
          </Section>
          <Section id="bridge">
            <BridgeSettings events={props.events} />
          </Section>
          <Section id="user">
            <NameSettings />
          </Section>
          <Section id="appearance">
            <fieldset class="themes">
              <legend>{t.appearance}</legend>
              <For each={themes}>
                {(theme) => (
                  <label>
                    <input type="radio" name="theme" checked={props.theme.theme() === theme} onChange={() => props.theme.choose(theme)} />
                    {themeNames[theme]}
                  </label>
                )}
              </For>
            </fieldset>
          </Section>
          <Section id="notifications">
            <NotifySettings />
          </Section>
          <Section id="agents">
            <AgentKeys />
          </Section>
          <Section id="storage">
            <StorageSettings />
          </Section>
          <p class="licences">
            <a href="licences.txt" target="_blank" rel="noopener">
              {t.licences}
            </a>
          </p>
        </div>
      </div>
    </Modal>
  );
}

function Section(props: { id: SectionId; children: JSX.Element }) {
  const title = () => sections.find(({ id }) => id === props.id)?.title;
  return (
    <section class="settings-section" aria-label={title()} data-section={props.id} tabindex={-1}>
      {props.children}
    </section>
  );
}

function Providers(props: { first: ProviderName; changes: number; saved: () => void }) {
  // Only the initial choice; afterwards the user decides.
  // oxlint-disable-next-line solid/reactivity
  const [name, setName] = createSignal<ProviderName>(props.first);
  const shown = () => keyed.find((provider) => provider.name === name()) ?? keyed[0];
  onCleanup(forgetTypedKeys);
  return (
    <section class="providers">
      <fieldset class="segments">
        <legend>{words.provider}</legend>
        <For each={keyed}>
          {(provider) => (
            <label>
              <input type="radio" name="provider" checked={shown() === provider} onChange={() => setName(provider.name)} />
              <span>{provider.title}</span>
            </label>
          )}
        </For>
      </fieldset>
      <Show when={shown()} keyed>
        {(provider) => <ProviderSettings {...provider} changes={props.changes} saved={props.saved} />}
      </Show>
    </section>
  );
}
