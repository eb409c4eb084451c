import { addMeta, QUEUED, queueHead, sectionTime } from "../../../dialog/edit.ts";
import type { Call, Dialog } from "../../../dialog/model.ts";
import { lastSection, sectionAt, sectionCount } from "../../../dialog/sections.ts";
import { draft } from "./draft.ts";
import type { Event, State, Step } from "./model.ts";
import { isLost, isRunnable, lastAnswer, lastCalls, metaOf } from "./queries.ts";
import { ignore } from "./ignore.ts";

/** A dialog that waits for its turn and does nothing else. */
export interface Queued {
  /** When it came, as its file says. */
  readonly since: string;
  /** What is to run; null: the provider is to be asked. */
  readonly call: Call | null;
}

/**
 * What the dialog says of its wait for its turn; null: it does not wait. Two lines say so, each until what it waits for begins:
 *
 * - `> Queued: <time>` in the head of the open last section, in which nothing has been said.
 * - `> Queued: <time> <call>` behind the last response, whose call is allowed and has not begun.
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

/** The dialog's first response is still to be asked for. */
export function hasNotBegun(dialog: Dialog): boolean {
  if (queuedIn(dialog)?.call !== null) return false;
  for (let at = 0; at < sectionCount(dialog) - 1; at++) if (sectionAt(dialog, at)?.role === "assistant") return false;
  return true;
}

/** The last such line in this section or after it. */
function queueLineAfter(dialog: Dialog, answer: number): string | undefined {
  for (let at = sectionCount(dialog) - 1; at >= Math.max(0, answer); at--) {
    const section = sectionAt(dialog, at);
    const line = section && metaOf(section).findLast(({ key }) => key === QUEUED);
    if (line) return line.value;
  }
  return undefined;
}

/** The dialog has to wait for its turn. It says so on disk, so that a later engine puts it back into the queue. */
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
