import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StorageError } from "../../../src/fs/storage-error.ts";
import type { Batch, CommitRecord, HistoryStore } from "../../../src/fs/history/store.ts";
import { path } from "../notation.ts";

/** Opens a handle of the history. Called again, it opens another handle of the same history. */
export type OpenStore = () => Promise<HistoryStore>;

const a = path("a");
const b = path("b/c");

export function record(number: number, id = `c${number}`): CommitRecord {
  return {
    number,
    id,
    tree: `t${number}`,
    author: { name: "A", address: "a@b" },
    time: number,
    summary: `${number}`,
    trailers: [],
    count: 1,
  };
}

function commit(number: number, parent: string | null = number === 1 ? null : `c${number - 1}`): Batch {
  return {
    objects: [{ oid: `c${number}`, stored: new Uint8Array([number]) }],
    commit: { parent, record: record(number), files: [{ path: a, before: null, after: `${number}` }] },
    files: [[a, { path: a, oid: `${number}`, version: number, mtime: 0, size: 1 }]],
  };
}

/** The contract that every implementation of `HistoryStore` keeps. `make` starts a new history each time. */
export function historyStoreContract(subject: string, make: () => OpenStore): void {
  describe(`${subject} keeps the contract of HistoryStore`, () => {
    let open: OpenStore;
    let store: HistoryStore;
    let epoch: number;
    const handles: HistoryStore[] = [];

    beforeEach(async () => {
      const openOne = make();
      open = async () => {
        const handle = await openOne();
        handles.push(handle);
        return handle;
      };
      store = await open();
      epoch = await store.lead();
    });
    afterEach(() => {
      for (const handle of handles.splice(0)) handle.close();
    });

    const write = async (batch: Batch) => expect(await store.write(batch, epoch)).toEqual({ ok: true });
    const everything = async () => ({
      head: await store.head(),
      oids: await store.oids(),
      commits: await store.commits(Infinity, 100),
      changes: await store.changes(1, 100),
      files: await store.files(),
      notes: await store.notes(),
      early: await store.early(),
    });

    test("nothing is there at first", async () => {
      expect(await everything()).toEqual({ head: null, oids: [], commits: [], changes: [], files: [], notes: [], early: [] });
      expect(await store.object("x")).toBeNull();
      expect(await store.commit("x")).toBeNull();
      expect(await store.file([a, b])).toEqual([null, null]);
      expect(await store.changes(1, 0)).toEqual([]);
    });

    test("a commit is found with all that was written with it, by this handle and by another", async () => {
      await write({ objects: [{ oid: "b1", stored: new Uint8Array([1, 2]) }], note: { group: 1, by: "human", files: [[a, 3]] } });
      await write({ ...commit(1), dropNotes: [1] });
      for (const handle of [store, await open()]) {
        expect(await handle.head()).toEqual(record(1));
        expect(await handle.commit("c1")).toEqual(record(1));
        expect(await handle.object("b1")).toEqual(new Uint8Array([1, 2]));
        expect(await handle.oids()).toEqual(["b1", "c1"]);
        expect(await handle.changes(1, 1)).toEqual([{ number: 1, files: [{ path: a, before: null, after: "1" }] }]);
        expect(await handle.file([b, a])).toEqual([null, { path: a, oid: "1", version: 1, mtime: 0, size: 1 }]);
        expect(await handle.notes()).toEqual([]);
      }
    });

    test("commits come newest first, a page at a time", async () => {
      for (let n = 1; n <= 7; n++) await write(commit(n));
      const numbers = async (before: number, count: number) => (await store.commits(before, count)).map(({ number }) => number);
      expect(await numbers(Infinity, 3)).toEqual([7, 6, 5]);
      expect(await numbers(5, 3)).toEqual([4, 3, 2]);
      expect(await numbers(2, 3)).toEqual([1]);
      expect(await numbers(1, 3)).toEqual([]);
      expect((await store.changes(3, 5)).map(({ number }) => number)).toEqual([3, 4, 5]);
    });

    test("files come sorted; one that went is gone", async () => {
      const file = (name: string) => ({ path: path(name), oid: "1", version: 1, mtime: 0, size: 1 });
      await write({ files: ["b", "a/b", "a", "A"].map((name) => [path(name), file(name)]) });
      expect((await store.files()).map(({ path: one }) => one)).toEqual(["A", "a", "a/b", "b"]);
      await write({ files: [[a, null]] });
      expect((await store.files()).map(({ path: one }) => one)).toEqual(["A", "a/b", "b"]);
    });

    test("notes are kept in the order they came, and go by their group", async () => {
      for (const [group, by] of [
        [1, "x"],
        [2, "y"],
        [1, "z"],
      ] as const)
        await write({ note: { group, by, files: [] } });
      expect((await store.notes()).map(({ by }) => by)).toEqual(["x", "y", "z"]);
      await write({ dropNotes: [1, 3] });
      expect((await store.notes()).map(({ by }) => by)).toEqual(["y"]);
    });

    test("an early object is noted until a commit needs it, and goes only while it is noted", async () => {
      const one = (oid: string, byte: number) => ({ oid, stored: new Uint8Array([byte]) });
      await write({ objects: [one("old", 1)] });
      await write({ early: [one("1", 2), one("old", 3), one("left", 4)] });
      expect(await store.early()).toEqual(["1", "left"]);
      expect(await store.object("old")).toEqual(new Uint8Array([1]));
      await write(commit(1));
      expect(await store.early()).toEqual(["left"]);
      await write({ dropEarly: ["1", "old", "left", "nothing"] });
      expect(await store.oids()).toEqual(["1", "c1", "old"]);
      expect(await store.early()).toEqual([]);
    });

    test("one that does not lead any more writes nothing", async () => {
      await write(commit(1));
      const other = await open();
      const later = await other.lead();
      expect(later).toBeGreaterThan(epoch);
      const before = await everything();
      for (const batch of [
        commit(2),
        { objects: [{ oid: "x", stored: new Uint8Array() }] },
        { files: [[a, null]] },
        { early: [{ oid: "x", stored: new Uint8Array() }] },
      ] satisfies Batch[]) {
        expect(await store.write(batch, epoch)).toEqual({ ok: false, failure: { kind: "fenced" } });
      }
      expect(await everything()).toEqual(before);
      expect(await other.write(commit(2), later)).toEqual({ ok: true });
    });

    test("a commit whose parent is not the newest one is not written, nor anything with it", async () => {
      await write(commit(1));
      await write(commit(2));
      const before = await everything();
      for (const parent of ["c1", null]) {
        const written = await store.write({ ...commit(3, parent), note: { group: 1, by: "x", files: [] } }, epoch);
        expect(written).toEqual({ ok: false, failure: { kind: "moved", head: "c2" } });
      }
      expect(await everything()).toEqual(before);
    });

    test("a closed handle writes nothing and reads nothing, and says so", async () => {
      store.close();
      expect(await store.write(commit(1), epoch)).toMatchObject({ ok: false, failure: { kind: "broken" } });
      await expect((async () => store.head())()).rejects.toBeInstanceOf(StorageError);
      await expect((async () => store.lead())()).rejects.toMatchObject({ kind: "closed" });
    });
  });
}
