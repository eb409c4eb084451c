import { isOwnFormat } from "../../../dialog/agent.ts";
import { addMeta, addText, openSection } from "../../../dialog/edit.ts";
import { fromLine, mentionLines, orderLines, resolvesLine, systemLine, topicLine, turnsLine } from "../../../dialog/replies.ts";
import { asFormat2 } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { isUndecided, lastCalls } from "./queries.ts";
import { usedThereLines } from "./used-there.ts";

/** Adds the answers of mentioned agents, each as a message that names its source. They start no turn: the user speaks next. */
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
    // The user requested this summary with the message that started the agents' turns.
    const words = [time, fromLine({ kind: "human", dialogId: end.to }), ...mentionLines([end.mention]), resolvesLine(end.to)];
    file.edit((dialog) => openSection(dialog, "user", words, { open: false }));
    file.edit((dialog) => addText(dialog, end.prompt));
  }
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, durability: "strict", effects: [] };
}
