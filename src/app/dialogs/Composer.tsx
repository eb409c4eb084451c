import { createSignal, onCleanup, onMount, Show, Suspense } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { decisionBody } from "../calls/decisions.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { providers } from "../providers/names.ts";
import { rememberProvider } from "../providers/default-provider.ts";
import { onMac, shownKeys } from "../ui/commands.ts";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/composer.ts";
import { addBelow, draftKey, gather, type Outbox } from "./drafts.ts";
import { createFileDrop } from "./file-drop.ts";
import { saidText } from "./frames.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Keyless } from "./Keyless.tsx";
import { MessageText } from "./MessageText.tsx";
import type { OpenDialog } from "./open-dialog.ts";
import type { Head } from "./running.ts";
import { createProviderChoice, type ProviderRegistry } from "./provider-choice.ts";
import { ProviderPick } from "./ProviderPick.tsx";
import { isYours } from "./speaker.ts";
import { whileShown } from "./while-shown.ts";
import { onChange } from "../ui/on-change.ts";

const Mentions = lazyPart(() => import("./Mentions.tsx"));

export interface ComposerProps {
  readonly dialog: OpenDialog;
  readonly head: Head;
  /** Why nothing can be written now; null if writing is possible. */
  readonly reason: string | null;
  /** Calls that a done dialog left undecided. Sending a message denies them. */
  readonly left: readonly CallView[];
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly notices: Notices;
  readonly providers: ProviderRegistry;
  /** Whether the user opened the dialog in order to write. */
  readonly takesFocus: () => boolean;
  /** Opens the last message for editing and resending. False if there is none. */
  readonly editLast: () => boolean;
}

/** The box for writing to the agent. Each dialog keeps what is typed until it is sent. */
export function Composer(props: ComposerProps) {
  const key = () => draftKey(props.head.dialogId);
  let alive = true;
  onCleanup(() => {
    alive = false;
  });
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [sending, setSending] = createSignal(false);
  const choice = createProviderChoice(
    () => props.head,
    () => props.providers.changes(),
  );
  const [area, setArea] = createSignal<HTMLTextAreaElement>();
  /** The agents that will answer, as the user sees it. Null: the engine looks for them in the text. */
  const [mentioned, setMentioned] = createSignal<{ readonly slugs: readonly string[]; readonly order: "sequence" | "turns" | null } | null>(
    null,
  );
  let hearMention: ((event: KeyboardEvent) => boolean) | null = null;

  /** Looks for messages on their way in the dialog, now and as it grows. A message found there was sent, whatever the answer was. */
  function settle() {
    if (props.outbox.settle(props.head.dialogId, said)) setProblem(null);
  }
  function said(after: number): string[] {
    const messages = props.dialog.slots().slice(after);
    return messages
      .map(({ message }) => message())
      .filter(isYours)
      .map(saidText);
  }
  onChange([key, () => props.dialog.slots()], settle);
  onChange(key, (now) => {
    setText(props.drafts.get(now)?.text ?? "");
    setProblem(null);
  });
  // Clears the box if its text was sent after all.
  onChange(
    () => props.drafts.keys().has(key()),
    (kept) => !kept && setText(""),
    { defer: true },
  );
  // A message that could not be sent comes back, and text typed in another tab shows here.
  onChange(
    () => props.drafts.elsewhere(),
    (change) => {
      if (change?.key.split("\n")[0] !== key()) return;
      gather(props.drafts, key());
      setText(props.drafts.get(key())?.text ?? "");
    },
    { defer: true },
  );
  onMount(() => {
    if (props.takesFocus()) area()?.focus();
  });
  const blocked = () => props.reason !== null || sending();
  const sendable = () => !blocked() && text().trim() !== "";
  const denies = () => (props.reason !== null || props.left.length === 0 ? null : t.writingDenies(props.left.length));
  const keyless = () =>
    props.reason === null && choice.state()?.configured === false ? providers.find(({ name }) => name === choice.provider()) : undefined;

  // The drafts live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const keep = props.drafts;
  const drop = createFileDrop({
    blocked: () => blocked(),
    // Each dialog has a pane of its own.
    // oxlint-disable-next-line solid/reactivity
    failed: whileShown({ dialogId: props.head.dialogId, notices: props.notices, failed: setProblem }).failed,
    dialogId: () => props.head.dialogId,
    insert(dialogId, words) {
      if (alive && props.head.dialogId === dialogId) insert(words);
      else addBelow(keep, dialogId, words);
    },
  });

  function type(next: string) {
    setText(next);
    if (next === "") props.drafts.drop(key());
    else props.drafts.keep(key(), { text: next, etag: null });
  }
  async function send() {
    if (!sendable()) return;
    if (choice.state()?.key === "locked" && !(await props.providers.ready(choice.provider()))) return;
    if (!alive || !sendable()) return;
    // Read now: the user may leave the dialog before the answer comes, and then the props can't be read.
    const [outbox, notices, dialogId, words] = [props.outbox, props.notices, props.head.dialogId, text()];
    const chosen = choice.model().trim();
    const named = mentioned();
    const denials = props.left.map((call) => ({ call, choice: "deny" as const }));
    setSending(true);
    setProblem(null);
    const end = outbox.begin(dialogId, words, props.dialog.slots().length);
    setText("");
    rememberProvider(choice.provider());
    const refused = await props.dialog.say({
      ...(denials.length === 0 ? {} : decisionBody(dialogId, denials)),
      dialogId,
      prompt: words,
      provider: choice.provider(),
      ...(chosen === "" ? {} : { model: chosen }),
      ...(named === null ? {} : { mentions: named.slugs }),
      ...(named?.order == null ? {} : { order: named.order }),
    });
    end(refused === null);
    if (alive) {
      setSending(false);
      if (refused !== null) setProblem(t.notSent(refused));
      settle();
    } else if (refused !== null) {
      const message = t.notSentIn(visible(slugOf(dialogId)), refused);
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
    // While a request waits for approval, its panel has the focus.
    if (box === undefined || blocked()) return;
    box.focus();
    box.setSelectionRange(start.length + 2, start.length + 2);
  }
  function write(words: string, caret: number) {
    const box = area();
    type(words);
    queueMicrotask(() => box?.setSelectionRange(caret, caret));
  }
  function onKey(event: KeyboardEvent) {
    if (blocked()) return;
    if (hearMention?.(event) === true) return;
    if (event.key === "ArrowUp" && text() === "" && !event.shiftKey && props.editLast()) event.preventDefault();
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
        <Problem text={problem()} />
        <MessageText
          text={text()}
          label={t.message}
          describedBy="composer-reason"
          placeholder={props.reason !== null ? "" : props.head.room === null ? t.writeHere : t.writeInRoom}
          readOnly={blocked()}
          box={setArea}
          type={type}
          send={() => void send()}
          onKey={onKey}
        />
        <Suspense>
          <Show when={text().includes("@")}>
            <Mentions
              text={text()}
              area={area()}
              isRoom={props.head.room !== null}
              write={write}
              mentioned={(slugs, order) => setMentioned({ slugs, order })}
              bindKeys={(hear) => {
                hearMention = hear;
                if (hear === null) setMentioned(null);
              }}
            />
          </Show>
        </Suspense>
        <p id="composer-reason" class="reason-why" classList={{ warns: denies() !== null }}>
          {props.reason ?? denies() ?? drop.words()}
        </p>
        <div class="composer-line">
          <ProviderPick choice={choice} own={props.head.provider} />
          <button type="submit" class="primary" disabled={!sendable()}>
            {t.send} <kbd>{shownKeys("Mod+Enter", onMac())}</kbd>
          </button>
        </div>
        <Show when={keyless()}>
          {(one) => (
            <Keyless
              label={choice.label(one().name, one().label)}
              locked={choice.state()?.key === "locked"}
              unlock={() => void props.providers.ready(one().name)}
              settings={() => props.providers.settings(one().name)}
            />
          )}
        </Show>
      </div>
    </form>
  );
}
