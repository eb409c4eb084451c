import { retimeHead } from "../../../dialog/edit.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { ignore } from "./ignore.ts";

/**
 * A dialog that has waited in the queue asks its provider now, so its section begins now. This is stored before the provider is asked, because it
 * counts as a launch.
 */
export function asked(state: State, event: Extract<Event, { type: "asked" }>): Step {
  if (state.turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  file.edit((dialog) => retimeHead(dialog, event.time));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}
