import { createMemo, createSignal, Match, Show, Switch } from "solid-js";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import type { MessageView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { slugOf } from "../docs/names.ts";
import { setStatus } from "../model/api/calls.ts";
import { formatRoute } from "../model/route.ts";
import type { Part } from "../texts/part.ts";
import { Parts } from "../texts/Parts.tsx";
import * as t from "../texts/side.ts";
import { Problem } from "../ui/Problem.tsx";
import type { PendingReply } from "./pending-replies.ts";
import { groupOf } from "./dialog-group.ts";
import type { Head } from "./running.ts";
import { maxReplies, sideState } from "./side-state.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./side.css";

export interface SideStripProps {
  readonly head: Head;
  /** Messages that mention agents or come from other dialogs. */
  readonly messages: readonly MessageView[];
  readonly last: MessageView | undefined;
  readonly replies: readonly PendingReply[];
  readonly resolve: () => void;
  readonly discard: () => void;
}

/** The state of a side discussion, and how to end it. */
export default function SideStrip(props: SideStripProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const state = createMemo(() => sideState(props.messages, props.last, props.head.status));
  const turns = () => {
    const now = state();
    return now.kind === "turns" ? now : null;
  };
  const atWork = () => props.replies.filter(({ listing }) => ["running", "queued"].includes(groupOf(listing)));
  const needsUser = () => props.replies.some(({ listing }) => groupOf(listing) === "waiting" && listing.waitingFor === "leave");
  async function stop() {
    setProblem(null);
    for (const { dialogId } of atWork()) {
      const answer = await setStatus(dialogId, "waiting");
      if (!answer.ok) setProblem(t.notStopped(answer.message));
    }
  }
  return (
    <div class="column strip side-strip">
      <Problem text={problem()} />
      <p aria-live="polite">
        <Switch>
          <Match when={turns()}>
            {(now) => (
              <Show when={atWork().length > 0 || needsUser()} fallback={t.heldUp(now().agents.map(agentName))}>
                {t.answerEachOther(now().agents.map(agentName), now().replies, maxReplies)}
              </Show>
            )}
          </Match>
          <Match when={state().kind === "summing"}>{t.isSummedUp}</Match>
          <Match when={state().kind === "open"}>
            <About words={t.open} head={props.head} />
          </Match>
          <Match when={state().kind === "resolved"}>
            <About words={t.summaryIn} head={props.head} />
          </Match>
          <Match when={state().kind === "sending"}>
            <About words={t.summaryComes} head={props.head} />
          </Match>
          <Match when={state().kind === "discarded"}>
            <About words={t.discarded} head={props.head} />
          </Match>
        </Switch>
      </p>
      <div>
        <Show when={turns() !== null && atWork().length > 0}>
          <button type="button" class="quiet" onClick={() => void stop()}>
            {t.stopTurns}
          </button>
        </Show>
        <Show when={state().kind === "open" || state().kind === "turns"}>
          <button type="button" class="quiet" onClick={() => props.discard()}>
            {t.discard}
          </button>
          <button type="button" class="tonal" onClick={() => props.resolve()}>
            {t.resolve}
          </button>
        </Show>
      </div>
    </div>
  );
}

/** What the discussion is about, with a link to the dialog that it was forked from. */
function About(props: { words: readonly Part<"dialog">[]; head: Head }) {
  return (
    <Show when={props.head.forkedFrom}>
      {(from) => (
        <Parts
          of={props.words}
          slots={{
            dialog: () => (
              <a href={formatRoute({ tab: "dialogs", dialogId: from().dialogId })}>
                <Visible text={slugOf(from().dialogId)} />
              </a>
            ),
          }}
        />
      )}
    </Show>
  );
}
