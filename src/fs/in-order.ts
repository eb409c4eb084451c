import type { FileEvent } from "./files.ts";

/**
 * Milliseconds that a commit's events wait for those of an earlier one. It takes longer only if a tab was killed or frozen between its commit and its
 * message.
 */
export const patienceMs = 1000;

/** Commits of one gap that may still arrive late. A number far ahead of the others comes from a program that counts differently. */
const maxOverdue = 1000;

export interface InOrder {
  /** Delivers the commits after `version` from now on, including those that were taken before. */
  start(version: number): void;
  /** Takes the events of a commit, from any handle and in any order. */
  take(version: number, events: readonly FileEvent[]): void;
  /** Nothing is delivered from now on. */
  close(): void;
}

/**
 * Delivers the events of every commit of a project once, in commit order. Commit numbers have no gaps, so a missing one is on its way. If it does not
 * arrive in time, the later ones go first, and it follows when it arrives.
 */
export function inOrder(deliver: (events: readonly FileEvent[]) => void): InOrder {
  const waiting = new Map<number, readonly FileEvent[]>();
  const overdue = new Set<number>();
  let last: number | null = null;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const handOver = (): void => {
    if (last === null) return;
    for (let events = waiting.get(last + 1); events; events = waiting.get(last + 1)) {
      last += 1;
      waiting.delete(last);
      clearTimeout(timer);
      timer = undefined;
      deliver(events);
    }
    if (waiting.size > 0) timer ??= setTimeout(skip, patienceMs);
  };
  const skip = (): void => {
    timer = undefined;
    if (last === null) return;
    const next = Math.min(...waiting.keys());
    for (let missing = Math.max(last + 1, next - maxOverdue); missing < next; missing++) overdue.add(missing);
    last = next - 1;
    handOver();
  };

  return {
    start(version) {
      last = version;
      for (const early of waiting.keys()) if (early <= version) waiting.delete(early);
      handOver();
    },
    take(version, events) {
      if (closed) return;
      if (last === null || version > last) {
        waiting.set(version, events);
        handOver();
      } else if (overdue.delete(version)) deliver(events);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
