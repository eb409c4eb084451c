import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from "solid-js";
import type { CallView, MessageView } from "../../engine/api.ts";
import { listModels, readProvider } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { decisionBody } from "../calls/decisions.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { type ProviderName, providers } from "../providers/names.ts";
import { serverName } from "../providers/servers.ts";
import { rememberProvider } from "../providers/usual.ts";
import { onMac, shownKeys } from "../shell/commands.ts";
import type { Notices } from "../shell/notices.ts";
import { formatRoute } from "../shell/route.ts";
import { draftKey, joined, type Outbox } from "./drafts.ts";
import { createFileDrop } from "./file-drop.ts";
import { Keyless } from "./Keyless.tsx";
import type { Head, OpenDialog } from "./open-dialog.ts";
import { saidText } from "./frames.ts";

export interface ComposerProps {
  readonly dialog: OpenDialog;
  readonly head: Head;
  /** Why one can't write now. */
  readonly reason: string | null;
  /** Calls that a done dialog left open: whoever writes on denies them. */
  readonly left: readonly CallView[];
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly notices: Notices;
  readonly providers: ProviderDesk;
  /** Whether the person came here to write. */
  readonly takesFocus: () => boolean;
  /** Says the last message anew; false: there is none. */
  readonly editLast: () => boolean;
}

/** What the page knows of the providers' settings, and the way to change them. */
export interface ProviderDesk {
  /** Grows with every change of the settings. */
  readonly changes: () => number;
  readonly settings: (name: ProviderName) => void;
  /** Asks the person to unlock the key where it is locked; of any provider, when none is named. False: they did not. */
  readonly ready: (...names: readonly string[]) => Promise<boolean>;
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
  const states = createLatest(
    () => ({ changes: props.providers.changes() }),
    async () => new Map(await Promise.all(providers.map(async ({ name }) => [name, await readProvider(name)] as const))),
  );
  const stateOf = (name: string) => {
    const known = providers.find((one) => one.name === name);
    const answer = known === undefined ? undefined : states()?.get(known.name);
    return answer?.ok ? answer.value : null;
  };
  const label = (name: ProviderName, usual: string) => {
    const state = stateOf(name);
    return name === "openai" && state !== null ? serverName(state.baseURL) : usual;
  };
  /** A provider that a person has not set up is not asked for anything. The list is asked for again at each visit of the field while there is none. */
  const [visits, setVisits] = createSignal(0);
  const models = createLatest(
    () => ({ name: provider(), ask: visits() > 0 && stateOf(provider())?.configured === true, visit: visits() }),
    async ({ name, ask }) => {
      const answer = ask ? await listModels(name) : null;
      return answer?.ok ? answer.value.models : [];
    },
  );
  const [area, setArea] = createSignal<HTMLTextAreaElement>();

  function show(next: string) {
    setText(next);
    queueMicrotask(fit);
  }
  /** What was on its way when a page went away is looked for in the dialog, now and as it grows. */
  createEffect(
    on([key, () => props.dialog.slots()], ([, slots]) => {
      const said = (after: number) => slots.slice(after).map(({ message }) => message());
      props.outbox.settle(props.head.dialogId, (after) => said(after).filter(isUser).map(saidText));
    }),
  );
  createEffect(
    on(key, (now) => {
      show(props.drafts.get(now)?.text ?? "");
      setProblem(null);
    }),
  );
  // A text that could not be sent comes back, also to somebody who has left the dialog and returned meanwhile; one that was sent after all goes.
  createEffect(
    on(
      () => props.drafts.keys().has(key()),
      (kept) => {
        if (!kept) show("");
        else if (text() === "") show(props.drafts.get(key())?.text ?? "");
      },
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => props.drafts.elsewhere(),
      (change) => change?.key === key() && show(props.drafts.get(key())?.text ?? ""),
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
  const denies = () =>
    props.reason !== null || props.left.length === 0
      ? null
      : props.left.length === 1
        ? "One thing that the agent asked for is not decided. Writing on denies it."
        : `${props.left.length} things that the agent asked for are not decided. Writing on denies them.`;
  const keyless = () =>
    props.reason === null && stateOf(provider())?.configured === false ? providers.find(({ name }) => name === provider()) : undefined;

  // The drafts live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const keep = props.drafts;
  const drop = createFileDrop({
    blocked: () => blocked(),
    failed: setProblem,
    dialogId: () => props.head.dialogId,
    insert(dialogId, words) {
      if (alive && props.head.dialogId === dialogId) return insert(words);
      const kept = keep.get(draftKey(dialogId))?.text ?? "";
      return keep.keep(draftKey(dialogId), { text: kept === "" ? words : joined(kept, words), etag: null });
    },
  });

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
    if (stateOf(provider())?.key === "locked" && !(await props.providers.ready(provider()))) return;
    if (!alive || !sendable()) return;
    // The dialog may be left before the answer comes, and what belongs to it can't be read any more then.
    const [outbox, notices, dialogId, words] = [props.outbox, props.notices, props.head.dialogId, text()];
    const chosen = model().trim();
    const denials = props.left.map((call) => ({ call, choice: "deny" as const }));
    setSending(true);
    setProblem(null);
    outbox.begin(dialogId, words, props.dialog.slots().length);
    show("");
    rememberProvider(provider());
    const refused = await props.dialog.say({
      ...(denials.length === 0 ? {} : decisionBody(dialogId, denials)),
      dialogId,
      prompt: words,
      provider: provider(),
      ...(chosen === "" ? {} : { model: chosen }),
    });
    outbox.end(dialogId, refused === null);
    if (alive) {
      setSending(false);
      if (refused !== null) setProblem(`Not sent: ${refused}`);
    } else if (refused !== null) {
      const message = `Your message in ${visible(slugOf(dialogId))} was not sent: ${refused} Its text is kept there.`;
      notices.add({ message, href: formatRoute({ tab: "dialogs", dialogId }) });
    }
  }
  function insert(words: string) {
    const box = area();
    const before = text()
      .slice(0, box?.selectionStart ?? text().length)
      .trimEnd();
    const after = text()
      .slice(box?.selectionEnd ?? text().length)
      .trimStart();
    const start = before === "" ? words : `${before}\n\n${words}`;
    type(after === "" ? `${start}\n\n` : `${start}\n\n${after}`);
    if (box === undefined) return;
    box.value = text();
    box.focus();
    box.setSelectionRange(start.length + 2, start.length + 2);
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === "ArrowUp" && text() === "" && !event.isComposing && !event.shiftKey && props.editLast()) event.preventDefault();
    // Enter that ends the composition of a character is not meant for us.
    if (event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      ref={(form) => drop.listen(form)}
      class="composer"
      classList={{ blocked: props.reason !== null, over: drop.over() }}
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
        <p id="composer-reason" class="reason-why" classList={{ warns: denies() !== null }}>
          {props.reason ?? denies() ?? drop.words()}
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
              <For each={providers}>{(one) => <option value={one.name}>{label(one.name, one.label)}</option>}</For>
              <Show when={!providers.some((one) => one.name === props.head.provider)}>
                <option value={props.head.provider}>{props.head.provider}</option>
              </Show>
            </select>
          </label>
          <label class="pick model-pick">
            <span class="unseen">Model</span>
            <input
              list="models"
              placeholder={stateOf(provider())?.model || "the usual model"}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              value={model()}
              onFocus={() => (models() ?? []).length === 0 && setVisits(visits() + 1)}
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
        <Show when={keyless()}>
          {(one) => (
            <Keyless
              label={label(one().name, one().label)}
              locked={stateOf(one().name)?.key === "locked"}
              unlock={() => void props.providers.ready(one().name)}
              settings={() => props.providers.settings(one().name)}
            />
          )}
        </Show>
      </div>
    </form>
  );
}

const isUser = (message: MessageView) => message.role === "user";
