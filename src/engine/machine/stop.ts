import { setCall } from "../format/edit.ts";
import { draft } from "./draft.ts";
import type { Effect, Event, MachineOptions, State, Step } from "./model.ts";
import { writeAuthority } from "./put.ts";
import { isRunnable, lastCalls } from "./queries.ts";
import { closeSection, writeTail } from "./respond.ts";
import { answerImpossible } from "./settle.ts";

/**
 * The human stops the dialog, or marks it done. What was streamed stays. A call that was allowed and is not claimed is
 * answered as stopped, so that it can't run later behind the human's back; one that is claimed is aborted and answers for
 * itself.
 */
export function stop(state: State, event: Extract<Event, { type: "stop" }>, options: MachineOptions): Step {
  if (state.dialog.format !== 1) return { ok: false, refusal: { kind: "format", format: state.dialog.format } };
  const file = draft(state.dialog);
  const { turn } = state;
  const effects: Effect[] = [];
  if (turn) {
    let { content } = turn;
    if (turn.phase === "responding") {
      content = writeTail(file, content, event.tail);
      closeSection(file, { kind: "aborted" }, event.usage, null, event.time);
      writeAuthority(file, turn.held);
      answerImpossible(file, options);
    }
    effects.push({ type: "abort" }, { type: "done", turn: { ...turn, content }, calls: [], interrupted: true });
  }
  // Also those that an engine which is gone left so.
  for (const call of lastCalls(file.dialog).filter(isRunnable)) {
    file.edit((dialog) => setCall(dialog, call.id, { result: { success: false, error: "stopped by the human before it ran" } }));
  }
  return { ok: true, state: { dialog: file.dialog, status: event.status, turn: null }, ops: file.ops, effects, durability: "strict" };
}
