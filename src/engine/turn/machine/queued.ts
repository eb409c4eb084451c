import { addMeta, QUEUED, queueHead, sectionTime } from "../../../dialog/edit.ts";
import type { Call, Dialog } from "../../../dialog/model.ts";
import { lastSection, sectionAt, sectionCount } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { callsOf, isLost, isRunnable, lastAnswer, lastCalls, metaOf } from "./queries.ts";
import { ignore } from "./ignore.ts";

/** A dialog that does nothing but wait in the queue. */
export interface Queued {
  /** The time when it entered the queue, as its file says. */
  readonly since: string;
  /** The call that will run. Null if the provider will be asked. */
  readonly call: Call | null;
}

/**
 * The dialog's wait in the queue, as its file says. Null if it doesn't wait. One of two lines says so, until the dialog's turn comes:
 *
 * - `> Queued: <time>` in the head of the last section, which is open and empty.
 * - `> Queued: <time> <call>` after the last response, whose call is approved and hasn't begun.
 */
export function queuedIn(dialog: Dialog): Queued | null {
  const last = lastSection(dialog);
  if (last === undefined) return null;
  if (last.role === "assistant" && sectionTime(last).open) {
    const line = last.head.find(({ key }) => key === QUEUED);
    return line && last.parts.every(({ kind }) => kind === "meta") ? { since: line.value, call: null } : null;
  }
  const calls = lastCalls(dialog);
  if (calls.some(isLost)) return null;
  const [since, id] = queueLineAfter(dialog, lastAnswer(dialog))?.split(" ") ?? [];
  const call = calls.find(isRunnable);
  return since !== undefined && call !== undefined && call.id === id ? { since, call } : null;
}

/** Whether the dialog still waits to request its first response. */
export function hasNotBegun(dialog: Dialog): boolean {
  if (queuedIn(dialog)?.call !== null) return false;
  for (let at = 0; at < sectionCount(dialog) - 1; at++) if (sectionAt(dialog, at)?.role === "assistant") return false;
  return true;
}

/** Whether the dialog waits in the middle of a turn: to run a call, or to send the results of its calls. */
export function isParked(dialog: Dialog): boolean {
  const waits = queuedIn(dialog);
  if (waits === null) return false;
  if (waits.call !== null) return true;
  const before = sectionAt(dialog, sectionCount(dialog) - 2);
  // After a `Stop` line, the agent waits to continue.
  return before?.role === "assistant" && callsOf(before).length > 0 && metaOf(before).every(({ key }) => key !== "Stop");
}

/** The value of the last such line in this section or after it. */
function queueLineAfter(dialog: Dialog, answer: number): string | undefined {
  for (let at = sectionCount(dialog) - 1; at >= Math.max(0, answer); at--) {
    const section = sectionAt(dialog, at);
    const line = section && metaOf(section).findLast(({ key }) => key === QUEUED);
    if (line) return line.value;
  }
  return undefined;
}

/** The dialog has to wait in the queue. Its file says so, so that a later engine puts it back into the queue. */
export function queued(state: State, event: Extract<Event, { type: "queued" }>): Step {
  const { turn } = state;
  if (turn === null || queuedIn(state.dialog) !== null) return ignore(state);
  const file = draft(state.dialog);
  if (turn.phase === "responding") {
    if (lastSection(file.dialog)?.parts.length !== 0) return ignore(state);
    file.edit((dialog) => queueHead(dialog, event.time));
  } else {
    const call = lastCalls(file.dialog).find(({ id }) => id === turn.running);
    if (call === undefined || !isRunnable(call)) return ignore(state);
    file.edit((dialog) => addMeta(dialog, [{ key: QUEUED, value: `${event.time} ${call.id}` }]));
  }
  return { ok: true, state: { ...state, dialog: file.dialog }, ops: file.ops, effects: [], durability: "strict" };
}
