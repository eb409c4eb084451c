import { createEffect, createSignal, For, Show } from "solid-js";
import { listModels, readProvider, writeProvider } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { Modal } from "../shell/Modal.tsx";
import { type ThemeChoice, themes } from "../shell/theme.ts";
import { counted } from "../shell/words.ts";
import { createStorageState } from "./storage.ts";

const themeNames = { system: "As the system", light: "Light", dark: "Dark" } as const;

export default function SettingsDialog(props: { theme: ThemeChoice; close: () => void; saved: () => void }) {
  return (
    <Modal title="Settings" close={props.close}>
      <ClaudeSettings saved={props.saved} />
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
      <StorageSettings />
    </Modal>
  );
}

/** The key goes to the engine and never comes back: the field is empty again as soon as it is sent. */
function ClaudeSettings(props: { saved: () => void }) {
  const [saves, setSaves] = createSignal(0);
  const current = createLatest(saves, () => readProvider("claude"));
  const [key, setKey] = createSignal("");
  const [url, setUrl] = createSignal("");
  const [model, setModel] = createSignal("");
  const [message, setMessage] = createSignal("");
  const [failed, setFailed] = createSignal(false);
  const [busy, setBusy] = createSignal(false);

  const settings = () => {
    const answer = current();
    return answer?.ok ? answer.value : null;
  };
  createEffect(() => {
    const now = settings();
    if (now === null) return;
    setUrl(now.baseURL);
    setModel(now.model);
  });

  function say(text: string, wrong: boolean) {
    setMessage(text);
    setFailed(wrong);
  }
  async function save(): Promise<boolean> {
    setBusy(true);
    const answer = await writeProvider("claude", {
      ...(key() === "" ? {} : { apiKey: key() }),
      ...(url().trim() === "" ? {} : { baseURL: url().trim() }),
      ...(model().trim() === "" ? {} : { model: model().trim() }),
    });
    setBusy(false);
    if (!answer.ok) {
      say(`Not saved: ${answer.message}`, true);
      return false;
    }
    setKey("");
    setSaves(saves() + 1);
    props.saved();
    say("Saved.", false);
    return true;
  }
  async function test() {
    if (!(await save())) return;
    setBusy(true);
    say("Asking…", false);
    const answer = await listModels("claude");
    setBusy(false);
    if (answer.ok) say(`It works: ${counted(answer.value.models.length, "model")} can be used.`, false);
    else say(`It does not work: ${answer.message}`, true);
  }

  return (
    <form
      class="provider"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>Claude</h3>
      <label>
        <span>API key</span>
        <input
          type="password"
          aria-label="API key"
          aria-describedby="key-help"
          autocomplete="off"
          placeholder={settings()?.configured === true ? "A key is set. Type another to replace it." : "sk-ant-…"}
          value={key()}
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        <small id="key-help">It stays in this browser's memory until the page is closed, and goes only to the address below.</small>
      </label>
      <label>
        <span>Address</span>
        <input type="url" autocomplete="off" value={url()} onInput={(event) => setUrl(event.currentTarget.value)} />
      </label>
      <label>
        <span>Model</span>
        <input
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          value={model()}
          onInput={(event) => setModel(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary" disabled={busy()}>
          Save
        </button>
        <button type="button" class="quiet" disabled={busy()} onClick={() => void test()}>
          Test
        </button>
        <output classList={{ problem: failed() }}>{message()}</output>
      </div>
    </form>
  );
}

function StorageSettings() {
  const storage = createStorageState();
  const [refused, setRefused] = createSignal(false);
  return (
    <section class="storage">
      <h3>Storage</h3>
      <Show when={storage.state()}>
        {(state) => (
          <>
            <p>
              {state().persisted
                ? "The browser keeps this project until you delete it."
                : "The browser may clear this project when the disk gets full. Export it now and then."}
              <Show when={state().used}>{(used) => <> It takes {used()}.</>}</Show>
            </p>
            <Show when={!state().persisted}>
              <button type="button" class="quiet" onClick={() => void storage.ask().then((granted) => setRefused(!granted))}>
                Ask the browser to keep it
              </button>
              <Show when={refused()}>
                <p>The browser did not agree. Some do once the page is bookmarked or installed.</p>
              </Show>
            </Show>
          </>
        )}
      </Show>
    </section>
  );
}
