import { createEffect, createSignal, For, on, Show } from "solid-js";
import { listModels } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import type { Drafts } from "../docs/drafts.ts";
import { onMac, shownKeys } from "../shell/commands.ts";
import type { Head, OpenDialog } from "./open-dialog.ts";

/** The providers a person can pick. */
export const providers = [
  { name: "claude", label: "Claude" },
  { name: "demo", label: "Demo (scripted)" },
] as const;

/** Where one writes to the agent. What is typed is kept per dialog until it is sent. `reason`: why one can't write now. */
export function Composer(props: { dialog: OpenDialog; head: Head; reason: string | null; drafts: Drafts }) {
  const key = () => `dialog:${props.head.dialogId}`;
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [sending, setSending] = createSignal(false);
  const [provider, setProvider] = createSignal("");
  const [model, setModel] = createSignal("");
  /** Asked again at a later visit of the field when there was no list, as before a key is entered. */
  const [visits, setVisits] = createSignal(0);
  const models = createLatest(
    () => ({ name: provider(), visit: visits() }),
    async ({ name }) => {
      const answer = name === "" ? null : await listModels(name);
      return answer?.ok ? answer.value.models : [];
    },
  );
  const [area, setArea] = createSignal<HTMLTextAreaElement>();

  createEffect(
    on(key, (now) => {
      setText(props.drafts.get(now)?.text ?? "");
      setProblem(null);
      queueMicrotask(fit);
    }),
  );
  createEffect(
    on([() => props.head.dialogId, () => props.head.provider, () => props.head.model], () => {
      setProvider(props.head.provider);
      setModel(props.head.model);
    }),
  );

  const blocked = () => props.reason !== null || sending();
  const sendable = () => !blocked() && text().trim() !== "";

  function fit() {
    const box = area();
    if (box === undefined) return;
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${box.scrollHeight + 2}px`);
  }
  function type(next: string) {
    setText(next);
    if (next === "") props.drafts.drop(key());
    else props.drafts.keep(key(), { text: next, etag: null });
    fit();
  }
  async function send() {
    if (!sendable()) return;
    const [said, draft] = [text(), key()];
    setSending(true);
    setProblem(null);
    type("");
    const chosen = model().trim();
    const refused = await props.dialog.say({
      dialogId: props.head.dialogId,
      prompt: said,
      provider: provider(),
      ...(chosen === "" ? {} : { model: chosen }),
    });
    setSending(false);
    if (refused === null) return;
    // Another dialog may be open by now: the text goes back to where it was written.
    if (draft !== key()) props.drafts.keep(draft, { text: said, etag: null });
    else {
      setProblem(`Not sent: ${refused}`);
      type(said);
    }
  }
  function onKey(event: KeyboardEvent) {
    // Enter that ends the composition of a character is not meant for us.
    if (event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      class="composer"
      classList={{ blocked: props.reason !== null }}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="column">
        <Show when={problem()}>
          {(message) => (
            <p class="problem" role="alert">
              {message()}
            </p>
          )}
        </Show>
        <textarea
          ref={setArea}
          rows={1}
          aria-label="Message"
          aria-describedby="composer-reason"
          placeholder={props.reason === null ? "Write to the agent…" : ""}
          value={text()}
          disabled={blocked()}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        <p id="composer-reason" class="reason-why">
          {props.reason}
        </p>
        <div class="composer-line">
          <label class="pick">
            <span class="unseen">Provider</span>
            <select
              value={provider()}
              onChange={(event) => {
                setProvider(event.currentTarget.value);
                setModel(event.currentTarget.value === props.head.provider ? props.head.model : "");
              }}
            >
              <For each={providers}>{(one) => <option value={one.name}>{one.label}</option>}</For>
              <Show when={!providers.some((one) => one.name === props.head.provider)}>
                <option value={props.head.provider}>{props.head.provider}</option>
              </Show>
            </select>
          </label>
          <label class="pick model-pick">
            <span class="unseen">Model</span>
            <input
              list="models"
              placeholder="the usual model"
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={model()}
              onFocus={() => models()?.length === 0 && setVisits(visits() + 1)}
              onInput={(event) => setModel(event.currentTarget.value)}
            />
          </label>
          <datalist id="models">
            <For each={models() ?? []}>{(name) => <option value={name}>{name}</option>}</For>
          </datalist>
          <button type="submit" class="primary" disabled={!sendable()}>
            Send <kbd>{shownKeys("Mod+Enter", onMac())}</kbd>
          </button>
        </div>
      </div>
    </form>
  );
}
