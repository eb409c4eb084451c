import { isOwnFormat } from "../../../dialog/agent.ts";
import { addMeta, setCall } from "../../../dialog/edit.ts";
import { sayingChanges } from "./changes.ts";
import { draft } from "./draft.ts";
import type { Effect, Event, MachineOptions, State, Step } from "./model.ts";
import { lost } from "./recover.ts";
import { writeAuthority } from "./user-input.ts";
import { isLost, isRunnable, isUndecided, lastCalls } from "./queries.ts";
import { closeSection, stopLines, writeTail } from "./respond.ts";
import { answerImpossible } from "./next-step.ts";
import { stoppedBeforeRun } from "../../../dialog/stopped.ts";

/**
 * The user stops the dialog, or marks it done. What was streamed stays. A call that was allowed and is not claimed is
 * answered as stopped, so that it can't run later behind the user's back; so is each undecided call of a turn that is stopped, because the
 * user has just said no. One that is claimed is aborted and answers for itself. After a fault it is answered here, since no runner is left to answer it.
 *
 * The file says that the turn was stopped, whether an answer was being written or its calls ran. Where calls are left undecided, as after
 * a fault, the dialog still waits for those, and says so.
 */
export function stop(state: State, event: Extract<Event, { type: "stop" }>, options: MachineOptions): Step {
  if (!isOwnFormat(state.dialog.format)) return { ok: false, refusal: { kind: "format", format: state.dialog.format } };
  const file = draft(state.dialog);
  const { turn } = state;
  const { fault } = event;
  const effects: Effect[] = [];
  const stopsTurn = turn !== null && fault === undefined;
  const why = fault === undefined ? ({ kind: "aborted" } as const) : ({ kind: "error", reason: "protocol", message: fault } as const);
  if (turn) {
    let { content } = turn;
    if (turn.phase === "responding") {
      content = writeTail(file, content, event.tail);
      closeSection(file, why, event, null, event.time);
      writeAuthority(file, turn.held);
      answerImpossible(file, options);
    }
    effects.push({ type: "abort" }, { type: "done", turn: { ...turn, content }, calls: [], interrupted: true });
  }
  // Also those that an engine which is gone left so.
  const error = fault === undefined ? stoppedBeforeRun : `not run. ${fault}`;
  for (const call of lastCalls(file.dialog)) {
    if (isRunnable(call) || (stopsTurn && isUndecided(call)))
      file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, { success: false, error }) }));
    else if (fault !== undefined && isLost(call)) file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, lost) }));
  }
  if (turn?.phase === "settling" && !lastCalls(file.dialog).some(isUndecided)) file.edit((dialog) => addMeta(dialog, stopLines(why)));
  return { ok: true, state: { dialog: file.dialog, status: event.status, turn: null }, ops: file.ops, effects, durability: "strict" };
}
