import { isOwnFormat } from "../../../dialog/agent.ts";
import { addMeta, addToHead, sectionTime } from "../../../dialog/edit.ts";
import { lastSection } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";

/** Writes the user's lines about a run. In a section that is being written they go into its head, so that they take effect at once. */
export function words(state: State, event: Extract<Event, { type: "words" }>): Step {
  const { format } = state.dialog;
  if (!isOwnFormat(format)) return { ok: false, refusal: { kind: "format", format } };
  const last = lastSection(state.dialog);
  const file = draft(state.dialog);
  file.edit((dialog) => (last && sectionTime(last).open ? addToHead(dialog, event.lines) : addMeta(dialog, event.lines)));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}
