import { isOwnFormat } from "../../../dialog/agent.ts";
import { addMeta, addToHead, sectionTime } from "../../../dialog/edit.ts";
import { lastSection } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";

/** The user's words about a run. In a section that is being written they stand in its head, so that they hold at once. */
export function words(state: State, event: Extract<Event, { type: "words" }>): Step {
  const { format } = state.dialog;
  if (!isOwnFormat(format)) return { ok: false, refusal: { kind: "format", format } };
  const last = lastSection(state.dialog);
  const file = draft(state.dialog);
  file.edit((dialog) => (last && sectionTime(last).open ? addToHead(dialog, event.lines) : addMeta(dialog, event.lines)));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}
