import { expect, test } from "vitest";
import { commitEvents } from "../../../../src/engine/project/history/commit-events.ts";
import { openIdbHistoryStore } from "../../../../src/fs/history/idb-store.ts";
import { memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import type { CommitRecord, HistoryStore } from "../../../../src/fs/history/store.ts";
import { path } from "../../../fs/notation.ts";

const record = (number: number, more: Partial<CommitRecord> = {}): CommitRecord => ({
  number,
  id: `c${number}`,
  tree: `t${number}`,
  author: { name: "Human", address: "human@vibey.invalid" },
  time: Date.UTC(2026, 10, 21) + number * 1000,
  summary: `commit ${number}`,
  trailers: [],
  count: 1,
  ...more,
});

async function filled(store: HistoryStore, count: number, more: Partial<CommitRecord> = {}): Promise<HistoryStore> {
  const epoch = await store.lead();
  for (let n = 1; n <= count; n += 1) {
    const files = [{ path: path(`f${n}`), before: null, after: "1" }];
    await store.write({ commit: { parent: n === 1 ? null : `c${n - 1}`, record: record(n, more), files } }, epoch);
  }
  return store;
}
const upToDate = async () => {};

test.each([
  ["memory", async () => memoryHistoryStore()],
  ["IndexedDB, imitated", () => openIdbHistoryStore(crypto.randomUUID())],
])("in %s all commits have their times and events, over many pages", async (_, open) => {
  const commits = commitEvents(await filled(await open(), 600), upToDate);
  const times = Array.from({ length: 600 }, (__, nth) => new Date(record(nth + 1).time).toISOString());
  expect(await commits.times()).toEqual(times);
  const events = await commits.events([600, 3, 4, 299, 700]);
  expect(Array.from(events, ([number, { id }]) => [number, id])).toEqual([
    [4, "commit/c4"],
    [3, "commit/c3"],
    [299, "commit/c299"],
    [600, "commit/c600"],
  ]);
});

test("a history without commits has none", async () => {
  for (const store of [memoryHistoryStore(), await openIdbHistoryStore(crypto.randomUUID())]) {
    const commits = commitEvents(store, upToDate);
    expect([await commits.newest(), await commits.times(), await commits.events([1])]).toEqual([0, [], new Map()]);
  }
});

test("a few commits cost no look at the others", async () => {
  let read = 0;
  const store = await filled(memoryHistoryStore(), 300);
  const counted: HistoryStore = {
    ...store,
    async commits(before, count) {
      const found = await store.commits(before, count);
      read += found.length;
      return found;
    },
  };
  await commitEvents(counted, upToDate).events([100, 200, 300]);
  expect(read).toBe(3);
});

test("an agent of no known dialog belongs to none", async () => {
  const store = await filled(memoryHistoryStore(), 1, { author: { name: "Agent ?", address: "agent@vibey.invalid" } });
  const events = await commitEvents(store, upToDate).events([1]);
  expect(events.get(1)).toMatchObject({ actor: { kind: "agent", dialogId: "" }, dialogId: null });
});
