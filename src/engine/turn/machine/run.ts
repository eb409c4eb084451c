import { setCall } from "../../../dialog/edit.ts";
import type { Dialog } from "../../../dialog/model.ts";
import { type CallPlace, findCall } from "../../../dialog/sections.ts";
import { sayingChanges } from "./changes.ts";
import { draft } from "./draft.ts";
import type { Event, MachineOptions, State, Step, Turn } from "./model.ts";
import { isLost, isRunnable, ranUnasked } from "./queries.ts";
import { nextStep } from "./next-step.ts";

function find(dialog: Dialog, id: string): CallPlace {
  const place = findCall(dialog, id);
  if (!place) throw new Error(`no call ${id} in this dialog`);
  return place;
}

export function claimed(state: State, event: Extract<Event, { type: "claimed" }>): Step {
  if (!isRunnable(find(state.dialog, event.id).call)) return { ok: false, refusal: { kind: "settled", id: event.id } };
  const file = draft(state.dialog);
  file.edit((dialog) => setCall(dialog, event.id, { started: event.time }));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}

/**
 * Stores the result of a call, once: a call that has been answered in the meantime gets no second result, and the new result has no effect. If
 * the turn was stopped, the running call keeps its result and the turn doesn't continue.
 */
export function finished(state: State, event: Extract<Event, { type: "finished" }>, options: MachineOptions): Step {
  const { call } = find(state.dialog, event.id);
  if (!isRunnable(call) && !isLost(call)) return { ok: false, refusal: { kind: "settled", id: event.id } };
  const file = draft(state.dialog);
  const result = sayingChanges(call, event.result);
  file.edit((dialog) => setCall(dialog, event.id, { started: call.started ?? event.time, result }));
  const stored = { ok: true, durability: "strict" } as const;
  const { turn } = state;
  if (turn?.running !== event.id) return { ...stored, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [] };
  const ran = { id: event.id, name: call.name, result };
  const now: Turn = {
    ...turn,
    running: null,
    autoExecuted: ranUnasked(state.dialog, event.id) ? [...turn.autoExecuted, ran] : turn.autoExecuted,
  };
  const next = nextStep(file, now, event.time, options);
  return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, ops: file.ops, effects: next.effects };
}
