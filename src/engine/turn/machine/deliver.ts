import { isOwnFormat } from "../../../dialog/agent.ts";
import { addMeta, addText, openSection } from "../../../dialog/edit.ts";
import { fromLine, mentionLines, orderLines, resolvesLine, systemLine, topicLine, turnsLine } from "../../../dialog/replies.ts";
import { asFormat2 } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { isUndecided, lastCalls } from "./queries.ts";
import { usedThereLines } from "./used-there.ts";

/** Answers of agents that were mentioned, each a message of its own that says where it comes from. They begin no turn: the user has the word. */
export function deliver(state: State, event: Extract<Event, { type: "deliver" }>): Step {
  const { format } = state.dialog;
  if (!isOwnFormat(format)) return { ok: false, refusal: { kind: "format", format } };
  if (state.turn !== null) return { ok: false, refusal: { kind: "active" } };
  const undecided = lastCalls(state.dialog).filter(isUndecided);
  if (undecided.length > 0) return { ok: false, refusal: { kind: "undecided", ids: undecided.map(({ id }) => id) } };
  const file = draft(asFormat2(state.dialog));
  const time = { key: "Time", value: event.time };
  for (const { from, text, system, next, end, resolves, topic, used } of event.replies) {
    const about = topic === undefined ? [] : [topicLine(topic)];
    const summary = resolves === undefined ? [] : [resolvesLine(resolves), ...about];
    const turns = next?.turns ? [turnsLine(next.turns)] : [];
    const then = next ? [...mentionLines([next.mention]), ...orderLines(next.order), ...turns] : [];
    const head = [time, fromLine(from), ...(system ? [systemLine(text)] : []), ...summary, ...then];
    file.edit((dialog) => openSection(dialog, "user", head, { open: false }));
    if (!system) file.edit((dialog) => addText(dialog, text));
    if (used) file.edit((dialog) => addMeta(dialog, usedThereLines(used)));
    if (!end) continue;
    // The user said so with the message that the agents answer in turns.
    const words = [time, fromLine({ kind: "human", dialogId: end.to }), ...mentionLines([end.mention]), resolvesLine(end.to)];
    file.edit((dialog) => openSection(dialog, "user", words, { open: false }));
    file.edit((dialog) => addText(dialog, end.prompt));
  }
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, durability: "strict", effects: [] };
}
