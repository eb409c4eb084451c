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
 * The user stops the dialog, or marks it done. Streamed text stays. An approved call that isn't claimed is answered as stopped, so that it can't
 * run later behind the user's back. So is each undecided call of a stopped turn, because the stop counts as a no. A claimed call is aborted and
 * gets its own result. After a fault it is answered here, because no runner is left to answer it.
 *
 * The file says that the turn was stopped, whether a response was being written or calls ran. If calls stay undecided, as after a fault, the
 * dialog still waits for them and says so.
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
  // This includes calls that an earlier engine left open.
  const error = fault === undefined ? stoppedBeforeRun : `not run. ${fault}`;
  for (const call of lastCalls(file.dialog)) {
    if (isRunnable(call) || (stopsTurn && isUndecided(call)))
      file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, { success: false, error }) }));
    else if (fault !== undefined && isLost(call)) file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, lost) }));
  }
  if (turn?.phase === "settling" && !lastCalls(file.dialog).some(isUndecided)) file.edit((dialog) => addMeta(dialog, stopLines(why)));
  return { ok: true, state: { dialog: file.dialog, status: event.status, turn: null }, ops: file.ops, effects, durability: "strict" };
}
