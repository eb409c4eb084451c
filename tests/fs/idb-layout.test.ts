import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FileRecord } from "../../src/fs/file-record.ts";
import { type LayoutStep, layoutSteps, openLayout, transact } from "../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import type { Counters } from "../../src/fs/plan.ts";
import { changes, commit, path, texts } from "./notation.ts";

/** A later program's layout, which has an additional store. */
const later: readonly LayoutStep[] = [
  ...layoutSteps,
  (made) => {
    const plain: { createObjectStore(store: string): unknown } = made;
    plain.createObjectStore("more");
  },
];

let name: string;
let files: Awaited<ReturnType<typeof openIdbFiles>>;
beforeEach(async () => {
  name = crypto.randomUUID();
  files = await openIdbFiles({ name, now: () => 0 });
  await commit(files, "write a 1; write b 2 h:3");
});
afterEach(() => files.close());

test("a newer program opens the project while an older one has it open: the older one gives way and says why, nothing is lost", async () => {
  let blocked = 0;
  const { db, files: found, fresh } = await openLayout(name, { onGone: () => undefined, onBlocked: () => (blocked += 1), steps: later });
  expect([found.length, fresh, blocked, [...db.objectStoreNames]]).toEqual([2, false, 0, ["index", "meta", "more", "names", "pieces"]]);
  expect(await files.gone).toContain("another tab upgrades");
  expect(await files.commit(changes("write a 9"), { durability: "strict" })).toMatchObject({ ok: false, failure: { kind: "broken" } });
  db.close();
  await expect(openIdbFiles({ name, now: () => 0 })).rejects.toMatchObject({ kind: "newer" });
});

test("an older program that does not give way is waited for, and the newer one is told so", async () => {
  files.close();
  const frozen = await openDB(name);
  let wait: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => {
    wait = resolve;
  });
  const opening = openLayout(name, { onGone: () => undefined, onBlocked: () => wait(), steps: later });
  await waits;
  frozen.close();
  const { db, files: found } = await opening;
  expect(found).toHaveLength(2);
  db.close();
});

test.each([
  ["UnknownError", "broken"],
  ["QuotaExceededError", "full"],
])("a step that fails with %s leaves the project as it was, for the older program to open", async (error, kind) => {
  const broken: readonly LayoutStep[] = [
    ...layoutSteps,
    (made) => {
      made.deleteObjectStore("names");
      throw new DOMException("no room", error);
    },
  ];
  const opening = openLayout(name, { onGone: () => undefined, steps: broken });
  // If there is no room for the new layout, the project opens with the old one.
  if (kind === "full") (await opening).db.close();
  else await expect(opening).rejects.toMatchObject({ kind });
  const again = await openIdbFiles({ name, now: () => 0 });
  expect(await texts(again)).toBe("a=1 b=23");
  again.close();
});

describe("a project of the layout before the index", () => {
  let old: string;
  beforeEach(async () => {
    old = crypto.randomUUID();
    const { db } = await openLayout(old, { onGone: () => undefined, steps: layoutSteps.slice(0, 1) });
    const ids = { version: 7, epoch: 3, ids: 1 };
    const record: FileRecord = { path: path("a"), size: 3, mtime: 5, version: 7, id: 1, next: 1, foldedTo: 0, open: [] };
    await transact(db, "readwrite", "strict", async (tx, done) => {
      done(tx.objectStore("meta").put(ids satisfies Counters, "counters"));
      done(tx.objectStore("names").put(record));
      done(tx.objectStore("pieces").put(new TextEncoder().encode("one"), [1, 0]));
    });
    expect([db.version, ...db.objectStoreNames]).toEqual([1, "meta", "names", "pieces"]);
    db.close();
  });

  test("opens with all its files and an empty index, and goes on", async () => {
    const now = await openIdbFiles({ name: old, now: () => 0 });
    expect([now.fresh, now.damage, await texts(now), await now.stat(path("a"))]).toEqual([
      false,
      null,
      "a=one",
      { path: "a", size: 3, mtime: 5, version: 7 },
    ]);
    const { id, entries } = await now.readIndex();
    expect([id, entries]).toEqual([expect.stringMatching(/\S/), []]);
    expect(await now.commit(changes("append a two"), { durability: "strict", index: new Uint8Array([1]) })).toEqual({
      ok: true,
      version: 8,
    });
    expect(await now.lead()).toBe(4);
    now.close();
    const again = await openIdbFiles({ name: old, now: () => 0 });
    expect(await again.readIndex()).toEqual({ id, entries: [{ version: 8, bytes: new Uint8Array([1]) }] });
    expect([again.damage, await texts(again)]).toEqual([null, "a=onetwo"]);
    again.close();
  });

  test("opens without an index when there is no room for one, and gets it later", async () => {
    const spy = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    const full = await openIdbFiles({ name: old, now: () => 0 });
    spy.mockRestore();
    expect([full.fresh, full.damage, await texts(full)]).toEqual([false, null, "a=one"]);
    await expect(full.readIndex()).rejects.toMatchObject({ kind: "broken" });
    expect(await full.commit(changes("append a !"), { durability: "strict", index: new Uint8Array([1]) })).toMatchObject({ ok: true });
    full.close();
    const before = await openDB(old);
    expect([before.version, ...before.objectStoreNames]).toEqual([1, "meta", "names", "pieces"]);
    before.close();
    const next = await openIdbFiles({ name: old, now: () => 0 });
    expect(await texts(next)).toBe("a=one!");
    expect((await next.readIndex()).entries).toEqual([]);
    next.close();
  });
});
