import { isOwnFormat } from "../../../dialog/agent.ts";
import { addText, openSection } from "../../../dialog/edit.ts";
import { fromLine, mentionLines, orderLines, resolvesLine, systemLine } from "../../../dialog/replies.ts";
import { asFormat2 } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { isUndecided, lastCalls } from "./queries.ts";

/** Answers of agents that were mentioned, each a message of its own that says where it comes from. They begin no turn: the user has the word. */
export function deliver(state: State, event: Extract<Event, { type: "deliver" }>): Step {
  const { format } = state.dialog;
  if (!isOwnFormat(format)) return { ok: false, refusal: { kind: "format", format } };
  if (state.turn !== null) return { ok: false, refusal: { kind: "active" } };
  const undecided = lastCalls(state.dialog).filter(isUndecided);
  if (undecided.length > 0) return { ok: false, refusal: { kind: "undecided", ids: undecided.map(({ id }) => id) } };
  const file = draft(asFormat2(state.dialog));
  for (const { from, text, system, next, resolves } of event.replies) {
    const summary = resolves === undefined ? [] : [resolvesLine(resolves)];
    const then = next ? [...mentionLines([next.mention]), ...orderLines(next.order)] : [];
    const head = [{ key: "Time", value: event.time }, fromLine(from), ...(system ? [systemLine(text)] : []), ...summary, ...then];
    file.edit((dialog) => openSection(dialog, "user", head, { open: false }));
    if (!system) file.edit((dialog) => addText(dialog, text));
  }
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, durability: "strict", effects: [] };
}
