import { addMeta, closeHead, closeIncompleteCalls, sectionTime, setCall } from "../format/edit.ts";
import { draft } from "./draft.ts";
import type { Event, MachineOptions, State, Step } from "./model.ts";
import { callsOf, isLost } from "./queries.ts";
import { answerImpossible } from "./settle.ts";

/** The result of a call that was claimed, and of which nobody can tell more. */
export const lost = { success: false, error: "interrupted: this may or may not have run" };

/**
 * A dialog whose engine is gone. A claim without a result is never run again; a section that was being written ends where
 * it stands; an allowed call that nobody claimed has not run and waits for the human to go on.
 */
export function found(state: State, event: Extract<Event, { type: "found" }>, options: MachineOptions): Step {
  const file = draft(state.dialog);
  for (const call of state.dialog.sections.flatMap(callsOf)) {
    if (isLost(call)) file.edit((dialog) => setCall(dialog, call.id, { result: lost }));
  }
  if (state.status === "active") {
    const last = state.dialog.sections.at(-1);
    answerImpossible(file, options);
    if (last && sectionTime(last).open) {
      file.edit(closeIncompleteCalls);
      file.edit((dialog) => closeHead(dialog, event.time));
    }
    file.edit((dialog) => addMeta(dialog, [{ key: "Stop", value: "interrupted" }]));
  }
  const status = state.status === "active" ? "waiting" : state.status;
  return { ok: true, state: { dialog: file.dialog, status, turn: null }, ops: file.ops, effects: [], durability: "strict" };
}
