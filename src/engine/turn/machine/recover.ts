import { addMeta, closeHead, closeIncompleteCalls, sectionTime, setCall } from "../../../dialog/edit.ts";
import type { Dialog } from "../../../dialog/model.ts";
import { sayingChanges } from "./changes.ts";
import { draft } from "./draft.ts";
import type { Event, MachineOptions, State, Step, Turn } from "./model.ts";
import { callsOf, isLost, ranUnasked } from "./queries.ts";
import { queuedIn } from "./queued.ts";
import { answerImpossible, currentModel, currentProvider, nextStep } from "./next-step.ts";

/** The result of a call that was claimed, if no one knows whether it ran. */
export const lost = { success: false, error: "interrupted: this may or may not have run" };

/**
 * Recovers a dialog whose engine is gone. A claimed call without a result is never run again. A section that was being written ends where it is.
 * An approved call that no one claimed has not run, and waits for the user to continue. A dialog that only waited in the queue waits in the next
 * engine's queue.
 */
export function found(state: State, event: Extract<Event, { type: "found" }>, options: MachineOptions): Step {
  const file = draft(state.dialog);
  const waits = event.atStart === true && state.status === "active" ? queuedIn(state.dialog) : null;
  for (const call of state.dialog.sections.flatMap(callsOf)) {
    if (isLost(call)) file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, lost) }));
  }
  const stored = { ok: true, durability: "strict" } as const;
  if (waits !== null) {
    const turn: Turn = { phase: "responding", requests: requestsOf(file.dialog), running: null, held: [], content: "", autoExecuted: [] };
    if (waits.call !== null) {
      const next = nextStep(file, turn, event.time, options);
      return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, ops: file.ops, effects: next.effects };
    }
    const effect = { type: "request", provider: currentProvider(file.dialog), model: currentModel(file.dialog) } as const;
    return { ...stored, state: { dialog: file.dialog, status: "active", turn }, ops: file.ops, effects: [effect] };
  }
  if (state.status === "active") {
    const last = state.dialog.sections.at(-1);
    answerImpossible(file, options);
    if (last && sectionTime(last).open) {
      file.edit(closeIncompleteCalls);
      file.edit((dialog) => closeHead(dialog, event.time));
    }
    file.edit((dialog) => addMeta(dialog, [{ key: "Stop", value: "interrupted" }]));
  }
  const status = state.status === "active" ? "waiting" : state.status;
  return { ...stored, state: { dialog: file.dialog, status, turn: null }, ops: file.ops, effects: [] };
}

/** The requests that the waiting turn has made so far. The user's last message or decision began it. */
function requestsOf(dialog: Dialog): number {
  let requests = 0;
  for (const section of dialog.sections.toReversed()) {
    const isDecided = callsOf(section).some((call) => call.decision !== null && !ranUnasked(dialog, call.id));
    if (section.role === "user" || isDecided) break;
    requests += 1;
  }
  return requests;
}
