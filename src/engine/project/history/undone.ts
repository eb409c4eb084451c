import type { Oid } from "../../../fs/history/object.ts";
import type { CommitRecord, HistoryStore } from "../../../fs/history/store.ts";
import { restoresOf, undoesOf } from "./people.ts";

/**
 * Which commits were undone. A commit that undoes another one, or restores everything, says so in its message, so this is still known after a
 * reload and on another machine.
 */
export interface Undone {
  /**
   * For each of these commits, the commit that undid it, if that is still in effect: the last one that was neither undone itself nor overridden
   * by a later restore to a state before it.
   */
  of(records: readonly CommitRecord[]): Promise<ReadonlyMap<Oid, CommitRecord>>;
}

interface Restore {
  readonly record: CommitRecord;
  readonly target: number;
}

/** How many commits are read at a time. */
const page = 256;

export function createUndone(store: Pick<HistoryStore, "commits" | "commit">): Undone {
  /** Commits that undo another one, by the id of that commit and their own number. */
  const undoes = new Map<Oid, Map<number, CommitRecord>>();
  /** Commits that restored everything, by their number, with the number of the commit whose state they restored. */
  const restores = new Map<number, Restore>();
  /** The range of numbers that was read. A commit comes after the commit it undoes, so earlier ones need no check. */
  let read: { readonly from: number; readonly to: number } | null = null;

  async function readBetween(from: number, to: number): Promise<number> {
    let last = 0;
    for (let before = to; ; ) {
      const records = await store.commits(before, page);
      for (const record of records) {
        if (record.number < from) return last;
        last = Math.max(last, record.number);
        const undone = undoesOf(record);
        if (undone !== null) undoes.set(undone, (undoes.get(undone) ?? new Map()).set(record.number, record));
        const restored = restoresOf(record);
        const target = restored === null ? null : await store.commit(restored);
        if (target) restores.set(record.number, { record, target: target.number });
      }
      const oldest = records.at(-1);
      if (!oldest) return last;
      before = oldest.number;
    }
  }

  async function readSince(from: number): Promise<void> {
    const known = read;
    const newest = await readBetween(known ? known.to + 1 : from, Infinity);
    if (known && from < known.from) await readBetween(from, known.from);
    const ends = [known, read].flatMap((one) => (one ? [one] : []));
    read = { from: Math.min(from, ...ends.map((one) => one.from)), to: Math.max(from - 1, newest, ...ends.map((one) => one.to)) };
  }

  /** `known`: the results that are already computed. */
  function undoneBy(id: Oid, known: Map<Oid, boolean>): CommitRecord | null {
    const latestFirst = [...(undoes.get(id) ?? [])].toSorted(([a], [b]) => b - a);
    return latestFirst.find(([, record]) => holds(record, known))?.[1] ?? null;
  }

  function holds(record: CommitRecord, known: Map<Oid, boolean>): boolean {
    const before = known.get(record.id);
    if (before !== undefined) return before;
    const isPassed = ({ record: restore, target }: Restore) =>
      restore.number > record.number && target < record.number && holds(restore, known);
    const found = undoneBy(record.id, known) === null && ![...restores.values()].some(isPassed);
    known.set(record.id, found);
    return found;
  }

  return {
    async of(records) {
      const found = new Map<Oid, CommitRecord>();
      if (records.length === 0) return found;
      await readSince(Math.min(...records.map(({ number }) => number)) + 1);
      const known = new Map<Oid, boolean>();
      for (const { id } of records) {
        const by = undoneBy(id, known);
        if (by) found.set(id, by);
      }
      return found;
    },
  };
}
