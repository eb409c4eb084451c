import { setCall } from "../format/edit.ts";
import { draft } from "./draft.ts";
import type { Effect, Event, State, Step } from "./model.ts";
import { isRunnable, lastCalls } from "./queries.ts";
import { writeAuthority } from "./put.ts";
import { closeSection, writeTail } from "./respond.ts";

/**
 * The human stops the dialog, or marks it done. What was streamed stays. A call that was allowed and has not begun is
 * answered as stopped, so that it can't run later behind the human's back; one that runs is aborted and answers for itself.
 */
export function stop(state: State, event: Extract<Event, { type: "stop" }>): Step {
  const file = draft(state.dialog);
  const { turn } = state;
  const effects: Effect[] = [];
  if (turn) {
    let { content } = turn;
    if (turn.phase === "responding") {
      content = writeTail(file, content, event.tail);
      closeSection(file, { kind: "aborted" }, event.usage, event.time);
      writeAuthority(file, turn.held);
    }
    for (const call of lastCalls(file.dialog)) {
      if (!isRunnable(call) || call.id === turn.running) continue;
      file.edit((dialog) => setCall(dialog, call.id, { result: { success: false, error: "stopped by the human before it ran" } }));
    }
    effects.push({ type: "abort" }, { type: "done", turn: { ...turn, content }, calls: [], interrupted: true });
  }
  return { ok: true, state: { dialog: file.dialog, status: event.status, turn: null }, ops: file.ops, effects, durability: "strict" };
}
