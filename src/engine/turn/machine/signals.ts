import { isOwnFormat } from "../../../dialog/agent.ts";
import { addText, openSection } from "../../../dialog/edit.ts";
import { definitionLine } from "../../../dialog/redefined.ts";
import { fromLine } from "../../../dialog/replies.ts";
import { draft } from "./draft.ts";
import type { Event, MachineOptions, State, Step, Turn } from "./model.ts";
import { isRunnable, isUndecided, lastCalls } from "./queries.ts";
import { request, tooMany } from "./next-step.ts";

/** Adds signals from agents below this one. They start a turn unless the agent stays asleep. They don't count as a user's message. */
export function signals(state: State, event: Extract<Event, { type: "signals" }>, options: MachineOptions): Step {
  const { format } = state.dialog;
  if (!isOwnFormat(format)) return { ok: false, refusal: { kind: "format", format } };
  // Approved calls that have not run come first.
  if (state.turn !== null || lastCalls(state.dialog).some(isRunnable)) return { ok: false, refusal: { kind: "active" } };
  const undecided = lastCalls(state.dialog).filter(isUndecided);
  if (undecided.length > 0) return { ok: false, refusal: { kind: "undecided", ids: undecided.map(({ id }) => id) } };
  const file = draft(state.dialog);
  const { redefined } = event;
  if (redefined) {
    const { dialogId, hash, text } = redefined;
    const head = [{ key: "Time", value: event.time }, fromLine({ kind: "context", dialogId }), definitionLine(hash)];
    file.edit((dialog) => openSection(dialog, "user", head, { open: false }));
    file.edit((dialog) => addText(dialog, text));
  }
  for (const { from, text } of event.signals) {
    file.edit((dialog) => openSection(dialog, "user", [{ key: "Time", value: event.time }, fromLine(from)], { open: false }));
    file.edit((dialog) => addText(dialog, text));
  }
  const stored = { ok: true, durability: "strict" } as const;
  if (!event.wake) return { ...stored, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [] };
  const fresh: Turn = { phase: "settling", requests: 0, running: null, held: [], content: "", autoExecuted: [] };
  const next = options.requestsPerTurn > 0 ? request(file, fresh, event.time) : tooMany(file, fresh);
  return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, ops: file.ops, effects: next.effects };
}
