import { authorizedAt } from "../format/authority.ts";
import { setCall } from "../format/edit.ts";
import type { Call, Dialog } from "../format/model.ts";
import { draft } from "./draft.ts";
import type { Event, MachineOptions, State, Step, Turn } from "./model.ts";
import { callsOf } from "./queries.ts";
import { settle } from "./settle.ts";

function find(dialog: Dialog, id: string): Call {
  const call = dialog.sections.flatMap(callsOf).find((candidate) => candidate.id === id);
  if (!call) throw new Error(`no call ${id} in this dialog`);
  return call;
}

export function claimed(state: State, event: Extract<Event, { type: "claimed" }>): Step {
  const call = find(state.dialog, event.id);
  if (call.decision !== "approved" || call.started !== null)
    throw new Error(`call ${event.id} can't be claimed: it is ${call.decision ?? "undecided"}`);
  const file = draft(state.dialog);
  file.edit((dialog) => setCall(dialog, event.id, { started: event.time }));
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}

/** A call has its result. A turn that was stopped meanwhile keeps the result and goes nowhere. */
export function finished(state: State, event: Extract<Event, { type: "finished" }>, options: MachineOptions): Step {
  const call = find(state.dialog, event.id);
  const file = draft(state.dialog);
  file.edit((dialog) => setCall(dialog, event.id, { started: call.started ?? event.time, result: event.result }));
  const stored = { ok: true, durability: "strict" } as const;
  const { turn } = state;
  if (turn?.running !== event.id) return { ...stored, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [] };
  const ran = { id: event.id, name: call.name, result: event.result };
  const now: Turn = {
    ...turn,
    running: null,
    autoExecuted: ranUnasked(state.dialog, event.id) ? [...turn.autoExecuted, ran] : turn.autoExecuted,
  };
  const next = settle(file, now, event.time, options);
  return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, ops: file.ops, effects: next.effects };
}

/** Whether an authorization stands above the call: it would have run without the human's word. */
function ranUnasked(dialog: Dialog, id: string): boolean {
  const section = dialog.sections.findLastIndex((candidate) => callsOf(candidate).some((call) => call.id === id));
  const part = dialog.sections[section]?.parts.findIndex((candidate) => candidate.kind === "call" && candidate.call.id === id) ?? -1;
  return authorizedAt(dialog, section, part).has(find(dialog, id).name);
}
