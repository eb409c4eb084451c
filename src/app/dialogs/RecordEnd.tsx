import { createSignal, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { forkDialog } from "../model/api/calls.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import * as t from "../texts/outside.ts";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import { RecordMessage } from "./RecordMessage.tsx";
import type { Head } from "./running.ts";
import { whileShown } from "./while-shown.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./record-end.css";

/** Shown below the messages of an agent outside Vibey, instead of the message box. */
export default function RecordEnd(props: {
  head: Head;
  messages: number;
  drafts: Drafts;
  notices: Notices;
  /** Whether the agent waits for an answer to a request. */
  asked: boolean;
  go: (dialogId: string) => void;
}) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  // Each dialog has a pane of its own, and the notices live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const ended = whileShown({ dialogId: props.head.dialogId, notices: props.notices, failed: setProblem, go: (id) => props.go(id) });

  async function continueHere() {
    if (busy()) return;
    // Read now: the user may leave the dialog before the answers come.
    const [dialogId, messages] = [props.head.dialogId, props.messages];
    setBusy(true);
    setProblem(null);
    const provider = await defaultProvider();
    const answer = await forkDialog(dialogId, messages, provider ?? undefined);
    setBusy(false);
    if (answer.ok) ended.go(answer.value.dialogId);
    else ended.failed(t.notContinued(answer.message));
  }

  return (
    <Show when={props.head.outside}>
      {(outside) => (
        <div class="column record-end" classList={{ asked: props.asked }}>
          <Show when={outside().takesMessages && props.head.dialogId} keyed>
            <RecordMessage head={props.head} drafts={props.drafts} notices={props.notices} asked={props.asked} />
          </Show>
          <p>
            {t.isRecord(visible(outside().framework))} {outside().takesMessages ? "" : t.takesNone}{" "}
            <Show when={outside().cwd}>{(folder) => <>{t.worksIn(visible(folder()))}</>}</Show>
          </p>
          <Problem text={problem()} />
          <button
            type="button"
            class="tonal"
            disabled={busy() || props.messages === 0}
            aria-describedby="continue-hint"
            onClick={() => void continueHere()}
          >
            {t.continueHere}
          </button>{" "}
          <span id="continue-hint" class="hint">
            {t.continueHint}
          </span>
        </div>
      )}
    </Show>
  );
}
