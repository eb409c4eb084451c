import { retimeHead } from "../../../dialog/edit.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { ignore } from "./ignore.ts";

/**
 * A dialog that had to wait for its turn asks its provider now: that is when its section begins. It is on disk before the
 * provider is asked, because launches are counted by it.
 */
export function asked(state: State, event: Extract<Event, { type: "asked" }>): Step {
  if (state.turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  file.edit((dialog) => retimeHead(dialog, event.time));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}
