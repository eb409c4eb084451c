import { createSignal, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { putDialog, setStatus } from "../model/api/calls.ts";
import * as t from "../texts/outside.ts";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import { draftKey, gather } from "./drafts.ts";
import { MessageText } from "./MessageText.tsx";
import type { Head } from "./running.ts";
import { whileShown } from "./while-shown.ts";
import { onChange } from "../ui/on-change.ts";

/** The dialogs to which a message is being sent, including those that the user has left. */
const [sending, setSending] = createSignal<ReadonlySet<string>>(new Set());

/** The box for writing to an agent outside Vibey, which reads it at its next step. It also has a button to stop that agent. */
export function RecordMessage(props: { head: Head; drafts: Drafts; notices: Notices; asked: boolean }) {
  // Each dialog has a pane of its own. The drafts and the notices live as long as the page.
  /* oxlint-disable solid/reactivity */
  const { drafts, notices } = props;
  const { dialogId } = props.head;
  /* oxlint-enable solid/reactivity */
  const key = draftKey(dialogId);
  gather(drafts, key);
  const [text, setText] = createSignal(drafts.get(key)?.text ?? "");
  const [problem, setProblem] = createSignal<string | null>(null);
  const { failed } = whileShown({ dialogId, notices, failed: setProblem });
  const [stops, setStops] = createSignal(false);
  const busy = () => stops() || sending().has(dialogId);
  const outside = () => props.head.outside;
  const name = () => visible(outside()?.name ?? outside()?.framework ?? "");

  // Text typed in another tab shows here.
  onChange(
    () => drafts.elsewhere(),
    (change) => {
      if (change?.key.split("\n")[0] !== key) return;
      gather(drafts, key);
      setText(drafts.get(key)?.text ?? "");
    },
    { defer: true },
  );
  // Clears the box if its text was sent in the meantime.
  onChange(
    () => drafts.keys().has(key),
    (kept) => !kept && setText(""),
    { defer: true },
  );
  function type(next: string) {
    setText(next);
    if (next === "") drafts.drop(key);
    else drafts.keep(key, { text: next, etag: null });
  }
  async function send() {
    const typed = text();
    const prompt = typed.trim();
    if (prompt === "" || busy() || props.asked) return;
    setSending(new Set([...sending(), dialogId]));
    const answer = await putDialog({ dialogId, prompt });
    setSending(new Set(Array.from(sending()).filter((other) => other !== dialogId)));
    failed(answer.ok ? null : t.notSent(answer.message));
    if (!answer.ok) return;
    // Another tab, or this one after returning, may have typed more by now.
    if (drafts.get(key)?.text === typed) drafts.drop(key);
    if (text() === typed) setText("");
  }
  async function stop() {
    setStops(true);
    const answer = await setStatus(dialogId, "waiting");
    setStops(false);
    failed(answer.ok ? null : t.notStopped(answer.message));
  }
  const state = () => {
    const now = outside();
    if (now === null) return "";
    if (now.stopping) return t.stopping;
    if (props.asked) return t.answerFirst;
    return now.pending === 0 ? "" : t.pending(now.pending);
  };

  return (
    <form
      class="record-message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Problem text={problem()} />
      <MessageText
        text={text()}
        label={t.messageTo(name())}
        describedBy="record-mail"
        placeholder={t.writeTo(name())}
        readOnly={busy() || props.asked}
        box={() => undefined}
        type={type}
        send={() => void send()}
        onKey={() => undefined}
      />
      <output id="record-mail" class="hint">
        {state()}
      </output>
      <p class="buttons">
        <button type="submit" class="primary" disabled={busy() || props.asked || text().trim() === ""}>
          {t.send}
        </button>
        <Show when={props.head.status === "active"}>
          <button type="button" disabled={busy() || outside()?.stopping === true} onClick={() => void stop()}>
            {t.stop}
          </button>
        </Show>
      </p>
    </form>
  );
}
