import { createSignal, For, Show } from "solid-js";
import { Modal } from "../shell/Modal.tsx";
import { type ThemeChoice, themes } from "../shell/theme.ts";
import type { ProviderName } from "../providers/names.ts";
import { AboutSandbox } from "./AboutSandbox.tsx";
import { LimitSettings } from "./LimitSettings.tsx";
import { PriceSettings } from "./PriceSettings.tsx";
import { NotifySettings } from "./NotifySettings.tsx";
import { ProviderSettings } from "./ProviderSettings.tsx";
import { StorageSettings } from "../storage/StorageSettings.tsx";

const themeNames = { system: "As the system", light: "Light", dark: "Dark" } as const;

/** The providers that want a key. */
const keyed = [
  { name: "claude", title: "Claude", keyLooksLike: "sk-ant-…", manyServers: false },
  { name: "openai", title: "OpenAI and compatible", keyLooksLike: "sk-…", manyServers: true },
] as const;

export default function SettingsDialog(props: {
  theme: ThemeChoice;
  provider: ProviderName;
  /** Grows with every change of the settings. */
  changes: number;
  close: () => void;
  saved: () => void;
}) {
  return (
    <Modal title="Settings" close={props.close}>
      <Providers first={props.provider} changes={props.changes} saved={props.saved} />
      <LimitSettings leave={() => props.close()} />
      <PriceSettings leave={() => props.close()} />
      <AboutSandbox />
      <fieldset class="themes">
        <legend>Appearance</legend>
        <For each={themes}>
          {(theme) => (
            <label>
              <input type="radio" name="theme" checked={props.theme.theme() === theme} onChange={() => props.theme.choose(theme)} />
              {themeNames[theme]}
            </label>
          )}
        </For>
      </fieldset>
      <NotifySettings />
      <StorageSettings />
    </Modal>
  );
}

function Providers(props: { first: ProviderName; changes: number; saved: () => void }) {
  // Where a person begins; afterwards the choice is theirs.
  // oxlint-disable-next-line solid/reactivity
  const [name, setName] = createSignal<ProviderName>(props.first);
  const shown = () => keyed.find((provider) => provider.name === name()) ?? keyed[0];
  return (
    <section class="providers">
      <fieldset class="segments">
        <legend>Provider</legend>
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
