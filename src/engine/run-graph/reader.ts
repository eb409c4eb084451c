import type { LogEvent, Step } from "../../protocol/index.ts";
import { GraphFold } from "../../protocol/graph/fold.ts";
import { countUpTo, cursorOf } from "../log/cursor.ts";
import type { EventReader } from "../log/event-reader.ts";
import type { OpenLog, Position } from "../log/log.ts";
import { stepOf } from "./step.ts";

/** Positions that are read at once. */
const batch = 500;

/** Every event of the project as a step, in order. */
export interface Steps {
  /** Changes when earlier steps have become invalid. */
  readonly stamp: string;
  readonly steps: readonly Step[];
}

/** Reads the steps of a log, each event once: a repeated read costs only the new events. */
export interface StepReader {
  read(log: OpenLog, reader: EventReader): Promise<Steps>;
  /** A dialog was removed, and so were its events. */
  removed(dialogId: string): void;
}

export function createStepReader(): StepReader {
  let log: OpenLog | null = null;
  /** The step at each position of the log. Null: there is none, or it could not be read (yet). */
  let slots: (Step | null)[] = [];
  /** Positions whose event wasn't found yet. The dialog's text may have been written since. */
  let missing: number[] = [];
  /** How often the user edited each dialog. Events from before an edit are no longer valid. */
  let generations = new Map<string, number>();
  let changes = 0;
  /** Number of positions already returned to a caller. */
  let reportedCount = 0;
  let reading: Promise<unknown> = Promise.resolve();
  /** Computed from the slots on demand. */
  let cached: readonly Step[] | null = null;

  function begin(now: OpenLog): void {
    log = now;
    slots = [];
    missing = [];
    generations = new Map();
    changes = 0;
    reportedCount = 0;
    cached = null;
  }

  /** Drops a dialog's events from before this number of edits. */
  function drop(dialogId: string, generation: number): void {
    for (const [index, step] of slots.entries()) {
      const position = log?.positions[index];
      if (step === null || position === undefined || !("key" in position)) continue;
      if (position.dialogId === dialogId && position.generation < generation) slots[index] = null;
    }
    missing = missing.filter((index) => {
      const position = log?.positions[index];
      return !(position && "key" in position && position.dialogId === dialogId && position.generation < generation);
    });
    changes += 1;
    cached = null;
  }

  function applyEdit(position: Position): void {
    if (!("key" in position)) return;
    const known = generations.get(position.dialogId) ?? 0;
    if (position.generation <= known) return;
    generations.set(position.dialogId, position.generation);
    drop(position.dialogId, position.generation);
  }

  async function readSome(reader: EventReader, indexes: readonly number[], { logId, positions }: OpenLog): Promise<void> {
    const wanted = indexes.flatMap((index) => positions[index] ?? []);
    const found = new Map((await reader.read(wanted, logId)).map((event): [string, LogEvent] => [event.cursor, event]));
    for (const index of indexes) {
      const position = positions[index];
      if (position === undefined) continue;
      const event = found.get(cursorOf(logId, position));
      slots[index] = event ? stepOf(event) : null;
      if (event === undefined && isCurrent(position)) missing.push(index);
      // It belongs before steps already returned, so the stamp must change.
      if (slots[index] !== null && index < reportedCount) changes += 1;
    }
    cached = null;
  }

  const isCurrent = (position: Position): boolean => "key" in position && position.generation >= (generations.get(position.dialogId) ?? 0);

  async function catchUp(now: OpenLog, reader: EventReader): Promise<Steps> {
    if (log !== now) begin(now);
    const { positions, logId } = now;
    const end = positions.length;
    const wanted = missing;
    missing = [];
    for (let at = slots.length; at < end; at += 1) {
      const position = positions[at];
      slots.push(null);
      if (position) applyEdit(position);
      wanted.push(at);
    }
    // Dialog by dialog, so that each is opened once.
    const nameOf = (index: number): string => dialogOf(positions[index]);
    wanted.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : one - other));
    for (let at = 0; at < wanted.length; at += batch) await readSome(reader, wanted.slice(at, at + batch), now);
    reportedCount = end;
    cached ??= slots.filter((step) => step !== null);
    return { stamp: `${logId}.${changes}`, steps: cached };
  }

  return {
    read(now, reader) {
      const mine = reading.then(() => catchUp(now, reader));
      reading = mine.catch(() => undefined);
      return mine;
    },
    removed(dialogId) {
      reading = reading.then(() => drop(dialogId, Infinity));
    },
  };
}

/** Empty if the position is in no dialog's text. */
const dialogOf = (position: Position | undefined): string => (position && "key" in position ? position.dialogId : "");

/** The steps of a run: of the dialogs known so far to be below its root. */
export function stepsOf(steps: readonly Step[], run: string | null): readonly Step[] {
  if (run === null) return steps;
  const members = membersOf(steps, run);
  return steps.filter(({ dialogId }) => members.has(dialogId));
}

export function membersOf(steps: readonly Step[], run: string): ReadonlySet<string> {
  return fold(steps.filter(({ what }) => what === "begins" || what === "follows")).members(run);
}

export function fold(steps: Iterable<Step>): GraphFold {
  const graph = new GraphFold();
  for (const step of steps) graph.apply(step);
  return graph;
}

/** The number of steps up to and including this place of the log. Null: the log has no such place. */
export function countSteps(log: OpenLog, steps: readonly Step[], cursor: string): number | null {
  const wanted = countUpTo(log.positions, log.logId, cursor);
  if (wanted === null) return null;
  let [from, to] = [0, steps.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = steps[middle];
    if ((at && (countUpTo(log.positions, log.logId, at.cursor) ?? Infinity) <= wanted) === true) from = middle + 1;
    else to = middle;
  }
  return from;
}
