import { batch, createMemo, createSignal, For, Show } from "solid-js";
import { listModels, readProvider, writeProvider } from "../model/api/calls.ts";
import { createLatest } from "../model/api/latest.ts";
import type { ProviderAnswer } from "../../protocol/index.ts";
import type { ProviderName } from "../providers/names.ts";
import { wantServiceWorker } from "../pwa/wanted.ts";
import { rememberProvider } from "../providers/default-provider.ts";
import { createField } from "./field.ts";
import { KeyKeeping } from "./KeyKeeping.tsx";
import { providerDraft } from "./provider-draft.ts";
import { ModelBox } from "../providers/ModelBox.tsx";
import { addressHint, serverAt, servers, wantsNoKey } from "../providers/servers.ts";
import * as t from "../texts/settings-provider.ts";

export interface ProviderSettingsProps {
  readonly name: ProviderName;
  readonly title: string;
  readonly keyLooksLike: string;
  /** Whether other servers use this protocol too, so that there is a list of known ones. */
  readonly manyServers: boolean;
  /** Increases with every change of the settings, including those in other tabs. */
  readonly changes: number;
  readonly saved: () => void;
}

/**
 * One provider's key, address and model. The key goes to the engine and never comes back: the field is cleared as soon as it is saved. Unsaved input
 * is still there when the form is opened again.
 */
export function ProviderSettings(props: ProviderSettingsProps) {
  const [saves, setSaves] = createSignal(0);
  const current = createLatest(
    () => ({ name: props.name, saves: saves(), changes: props.changes }),
    ({ name }) => readProvider(name),
  );
  // Each provider has a form of its own.
  // oxlint-disable-next-line solid/reactivity
  const draft = providerDraft(props.name);
  const key = () => draft.key.text() ?? "";
  const [message, setMessage] = createSignal("");
  const [failed, setFailed] = createSignal(false);
  const [busy, setBusy] = createSignal(false);

  /** A failed reading doesn't remove a form that the user is typing in. */
  const settings = createMemo((last: ProviderAnswer | null) => {
    const answer = current();
    return answer?.ok ? answer.value : last;
  }, null);
  const unread = () => {
    const answer = current();
    return answer?.ok === false ? answer.message : null;
  };
  const address = createField(() => settings()?.baseURL, draft.address);
  const modelName = createField(() => settings()?.model, draft.model);
  const url = address.value;
  const model = modelName.value;
  const isUnsaved = () => settings() !== null && (key() !== "" || url() !== settings()?.baseURL || model() !== settings()?.model);

  /** Whether the address in the field is the engine's. Only then may the server at that address receive requests. */
  const addressIsSaved = () => settings() !== null && url().trim() === settings()?.baseURL;
  const keyPlaceholder = () => {
    if (props.manyServers && wantsNoKey(url())) return t.keyNotNeeded;
    if (settings()?.key === "locked" && addressIsSaved()) return t.keyLocked;
    return settings()?.configured === true && addressIsSaved() ? t.keySet : props.keyLooksLike;
  };
  const [visited, setVisited] = createSignal(false);
  const [saving, setSaving] = createSignal(false);
  /** Zero while no list is wanted; another number after each save. */
  const asking = createMemo(() => {
    const wanted = visited() && !saving() && addressIsSaved() && (settings()?.configured === true || serverAt(url()) === null);
    return wanted ? saves() + 1 : 0;
  });
  const models = createLatest(
    () => ({ name: props.name, ask: asking() }),
    async ({ name, ask }) => {
      if (ask === 0) return null;
      const answer = await listModels(name);
      return answer.ok ? answer.value.models : [];
    },
  );

  function goTo(text: string) {
    address.type(text);
    setMessage("");
  }
  function typeKey(text: string) {
    draft.key.set(text);
    setMessage("");
  }
  function typeModel(text: string) {
    modelName.type(text);
    setMessage("");
  }
  function say(text: string, wrong: boolean) {
    setMessage(text);
    setFailed(wrong);
  }
  async function save(): Promise<boolean> {
    setBusy(true);
    setSaving(true);
    const sent = { url: url(), model: model(), key: key() };
    const answer = await writeProvider(props.name, {
      ...(sent.key === "" ? {} : { apiKey: sent.key }),
      ...(url().trim() === "" ? {} : { baseURL: url().trim() }),
      ...(model().trim() === "" ? {} : { model: model().trim() }),
    });
    setBusy(false);
    // The news of a save often arrives before its answer.
    batch(() => {
      setSaving(false);
      if (!answer.ok) return;
      address.saved(sent.url, answer.value.baseURL);
      modelName.saved(sent.model, answer.value.model);
      setSaves(saves() + 1);
    });
    if (!answer.ok) {
      say(t.notSaved(answer.message), true);
      return false;
    }
    // The service worker carries the key over a reload.
    if (sent.key !== "") wantServiceWorker();
    if (key() === sent.key) draft.key.set(null);
    if (answer.value.configured) rememberProvider(props.name);
    props.saved();
    say(savedWords(answer.value), false);
    return true;
  }
  async function test() {
    if (!(await save())) return;
    setBusy(true);
    say(t.asking, false);
    const answer = await listModels(props.name);
    setBusy(false);
    if (answer.ok) say(works(answer.value.models, model().trim()), false);
    else say(t.worksNot(answer.message), true);
  }

  return (
    <>
      <form
        class="provider"
        aria-label={props.title}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Show when={unread()}>{(why) => <p class="problem">{t.notRead(why())}</p>}</Show>
        <Show when={props.manyServers}>
          <label>
            <span>{t.server}</span>
            <select
              value={serverAt(url())?.address ?? ""}
              onChange={(event) => event.currentTarget.value !== "" && goTo(event.currentTarget.value)}
            >
              <For each={servers}>{(server) => <option value={server.address}>{server.name}</option>}</For>
              <option value="">{t.otherAddress}</option>
            </select>
          </label>
        </Show>
        <label>
          <span>{t.address}</span>
          <input
            type="url"
            aria-label={t.address}
            autocomplete="off"
            aria-describedby={props.manyServers ? "address-help" : undefined}
            value={url()}
            onInput={(event) => goTo(event.currentTarget.value)}
          />
          <Show when={props.manyServers}>
            <small id="address-help">{addressHint(url(), location.origin)}</small>
          </Show>
        </label>
        <label>
          <span>{t.key}</span>
          <input
            type="password"
            aria-label={t.key}
            aria-describedby="key-help"
            autocomplete="off"
            placeholder={keyPlaceholder()}
            value={key()}
            onInput={(event) => typeKey(event.currentTarget.value)}
          />
          <small id="key-help">{t.keyStays}</small>
        </label>
        <div class="model-field">
          <label for="settings-model">
            <span>{t.modelField}</span>
          </label>
          <ModelBox
            id="settings-model"
            value={model()}
            models={asking() === 0 ? [] : models()}
            visit={() => setVisited(true)}
            change={typeModel}
          />
        </div>
        <div class="buttons">
          <button type="submit" class="primary" disabled={busy()}>
            {t.save}
          </button>
          <button type="button" class="quiet" disabled={busy()} onClick={() => void test()}>
            {t.test}
          </button>
          <output classList={{ problem: failed() && message() !== "" }}>{message() || (isUnsaved() ? t.unsaved : "")}</output>
        </div>
      </form>
      <Show when={settings()}>
        {(now) => <KeyKeeping name={props.name} settings={now()} changes={props.changes + saves()} changed={() => setSaves(saves() + 1)} />}
      </Show>
    </>
  );
}

function savedWords({ configured, key }: ProviderAnswer): string {
  if (configured) return t.saved;
  return key === "locked" ? t.savedLocked : t.savedWithoutKey;
}

/** A server that lists no models may still answer. Then there is nothing to say about the model. */
function works(models: readonly string[], model: string): string {
  return models.length === 0 || models.includes(model) ? t.works(models.length) : t.worksWithout(models.length, model);
}
