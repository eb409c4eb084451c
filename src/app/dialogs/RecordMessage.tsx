import { createSignal, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { putDialog, setStatus } from "../model/api/calls.ts";
import * as t from "../texts/outside.ts";
import { Problem } from "../ui/Problem.tsx";
import { draftKey } from "./drafts.ts";
import { MessageText } from "./MessageText.tsx";
import type { Head } from "./running.ts";

/** Where one writes to an agent outside Vibey, which hears it with its next step, and has it stop. */
export function RecordMessage(props: { head: Head; drafts: Drafts; asked: boolean }) {
  const key = () => draftKey(props.head.dialogId);
  // The pane is another one for another dialog.
  // oxlint-disable-next-line solid/reactivity
  const [text, setText] = createSignal(props.drafts.get(key())?.text ?? "");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const outside = () => props.head.outside;
  const name = () => visible(outside()?.name ?? outside()?.framework ?? "");

  function type(next: string) {
    setText(next);
    if (next === "") props.drafts.drop(key());
    else props.drafts.keep(key(), { text: next, etag: null });
  }
  async function send() {
    const prompt = text().trim();
    if (prompt === "" || busy()) return;
    setBusy(true);
    const answer = await putDialog({ dialogId: props.head.dialogId, prompt });
    setBusy(false);
    setProblem(answer.ok ? null : t.notSent(answer.message));
    if (answer.ok) type("");
  }
  async function stop() {
    setBusy(true);
    const answer = await setStatus(props.head.dialogId, "waiting");
    setBusy(false);
    setProblem(answer.ok ? null : t.notStopped(answer.message));
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
        disabled={busy() || props.asked}
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
