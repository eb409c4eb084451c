import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { listModels } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { decisionBody } from "../calls/decisions.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { onMac, shownKeys } from "../shell/commands.ts";
import type { Notices } from "../shell/notices.ts";
import { formatRoute } from "../shell/route.ts";
import { draftKey } from "./drafts.ts";
import type { Head, OpenDialog } from "./open-dialog.ts";

/** The providers a person can pick. */
export const providers = [
  { name: "claude", label: "Claude" },
  { name: "demo", label: "Demo (scripted)" },
] as const;

export interface ComposerProps {
  readonly dialog: OpenDialog;
  readonly head: Head;
  /** Why one can't write now. */
  readonly reason: string | null;
  /** Calls that a done dialog left open: whoever writes on denies them. */
  readonly left: readonly CallView[];
  readonly drafts: Drafts;
  readonly notices: Notices;
  /** Whether the person came here to write. */
  readonly takesFocus: () => boolean;
}

/** Where one writes to the agent. What is typed is kept per dialog until it is sent. */
export function Composer(props: ComposerProps) {
  const key = () => draftKey(props.head.dialogId);
  let alive = true;
  onCleanup(() => {
    alive = false;
  });
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
  // A text that could not be sent comes back, also to somebody who has left the dialog and returned meanwhile.
  createEffect(
    on(
      () => props.drafts.keys().has(key()),
      (kept) => {
        if (!kept || text() !== "") return;
        setText(props.drafts.get(key())?.text ?? "");
        queueMicrotask(fit);
      },
      { defer: true },
    ),
  );
  onMount(() => {
    if (props.takesFocus()) area()?.focus();
  });
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
    // The dialog may be left before the answer comes, and what belongs to it can't be read any more then.
    const [drafts, notices, dialogId] = [props.drafts, props.notices, props.head.dialogId];
    const [said, draft] = [text(), key()];
    setSending(true);
    setProblem(null);
    type("");
    const chosen = model().trim();
    const denials = props.left.map((call) => ({ call, choice: "deny" as const }));
    const refused = await props.dialog.say({
      ...(denials.length === 0 ? {} : decisionBody(dialogId, denials)),
      dialogId,
      prompt: said,
      provider: provider(),
      ...(chosen === "" ? {} : { model: chosen }),
    });
    if (refused !== null) {
      const newer = drafts.get(draft)?.text;
      drafts.keep(draft, { text: newer === undefined ? said : `${said}\n\n${newer}`, etag: null });
    }
    if (alive) {
      setSending(false);
      if (refused !== null) setProblem(`Not sent: ${refused}`);
    } else if (refused !== null) {
      const message = `Your message in ${visible(slugOf(dialogId))} was not sent: ${refused} Its text is kept there.`;
      notices.add({ message, href: formatRoute({ tab: "dialogs", dialogId }) });
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
