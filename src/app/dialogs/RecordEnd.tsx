import { createSignal, Show } from "solid-js";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { forkDialog } from "../model/api/calls.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import * as t from "../texts/outside.ts";
import { Problem } from "../ui/Problem.tsx";
import { RecordMessage } from "./RecordMessage.tsx";
import type { Head } from "./running.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./record-end.css";

/** What stands below the messages of an agent outside Vibey, in the place of the box to write in. */
export default function RecordEnd(props: {
  head: Head;
  messages: number;
  drafts: Drafts;
  /** It waits for an answer to a request. */
  asked: boolean;
  go: (dialogId: string) => void;
}) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);

  async function continueHere() {
    if (busy()) return;
    setBusy(true);
    setProblem(null);
    const provider = await defaultProvider();
    const answer = await forkDialog(props.head.dialogId, props.messages, provider ?? undefined);
    setBusy(false);
    if (answer.ok) props.go(answer.value.dialogId);
    else setProblem(t.notContinued(answer.message));
  }

  return (
    <Show when={props.head.outside}>
      {(outside) => (
        <div class="column record-end" classList={{ asked: props.asked }}>
          <Show when={outside().takesMessages && props.head.dialogId} keyed>
            <RecordMessage head={props.head} drafts={props.drafts} asked={props.asked} />
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
