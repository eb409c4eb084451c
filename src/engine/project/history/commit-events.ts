import { dialogOf } from "../../../fs/actor.ts";
import type { CommitRecord, FileChange, HistoryStore } from "../../../fs/history/store.ts";
import type { CommitEvent } from "../../../protocol/index.ts";
import type { Commits } from "../../log/commits.ts";
import { byOf } from "./people.ts";
import { kindOf } from "./summary.ts";

/** How many commits are read at a time. */
const page = 256;
/** How many files of a commit its event names. */
const maxFiles = 20;

/** The events of a history's commits. */
export function commitEvents(store: Pick<HistoryStore, "head" | "commits" | "changes">, upToDate: Commits["upToDate"]): Commits {
  /** Newest first. `to`: the number of a commit, or `Infinity` for the newest one. */
  async function* between(from: number, to: number): AsyncGenerator<CommitRecord> {
    for (let before = to + 1; before > from; ) {
      const records = await store.commits(before, Math.min(page, before - from));
      for (const record of records) {
        if (record.number < from) return;
        yield record;
      }
      const oldest = records.at(-1);
      if (!oldest) return;
      before = oldest.number;
    }
  }

  return {
    upToDate,
    newest: async () => (await store.head())?.number ?? 0,
    async times() {
      const times: string[] = [];
      for await (const { time } of between(1, Infinity)) times.push(new Date(time).toISOString());
      return times.toReversed();
    },
    async events(numbers) {
      const found = new Map<number, CommitEvent>();
      for (const [from, to] of ranges(numbers)) {
        const files = new Map((await store.changes(from, to)).map((one) => [one.number, one.files]));
        for await (const record of between(from, to)) found.set(record.number, eventOf(record, files.get(record.number) ?? []));
      }
      return found;
    },
  };
}

function eventOf(record: CommitRecord, files: readonly FileChange[]): CommitEvent {
  const { id, time, summary, count } = record;
  const actor = byOf(record);
  const changes = files.slice(0, maxFiles).map((change) => ({ path: change.path, change: kindOf(change) }));
  return {
    type: "commit",
    id: `commit/${id}`,
    time: new Date(time).toISOString(),
    exact: true,
    severity: "info",
    actor,
    dialogId: dialogOf(actor) || null,
    anchor: null,
    data: { commit: id, summary, files: count, changes },
  };
}

/** Groups consecutive numbers into ranges, in ascending order: the first and last number of each. */
function ranges(numbers: readonly number[]): (readonly [from: number, to: number])[] {
  const found: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && number <= last[1] + 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}
