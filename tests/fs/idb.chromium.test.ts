import { deleteDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { layoutSteps, openLayout } from "../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { filesContract } from "./contract.ts";
import { changes, commit, everything, path, textOf } from "./notation.ts";
import type { Order } from "./other-context.worker.ts";

filesContract("IndexedDB in Chromium", () => {
  const name = crypto.randomUUID();
  return (now) => openIdbFiles({ name, now });
});

describe("a page and a worker on one project", () => {
  test("all appends land once, both hear of all of them in the same order", async () => {
    const name = crypto.randomUUID();
    const here = await openIdbFiles({ name, now: () => 0 });
    await commit(here, "write a _");
    const heard: number[] = [];
    here.watch((events) => heard.push(...events.map((event) => (event.kind === "changed" ? event.version : 0))));
    const worker = new Worker(new URL("./other-context.worker.ts", import.meta.url), { type: "module" });
    const there = (order: Order): Promise<unknown> => ask(worker, order);

    expect(await there({ do: "open", name })).toBe("opened");
    const remote = there({ do: "append", times: 60 });
    await Promise.all(Array.from({ length: 60 }, (_, n) => commit(here, `append a h${n},`)));
    expect(await remote).toBe("appended");

    const words = (await textOf(here, path("a"))).split(",").slice(0, -1);
    expect(words.filter((word) => word.startsWith("h"))).toEqual(Array.from({ length: 60 }, (_, n) => `h${n}`));
    expect(words.filter((word) => word.startsWith("w"))).toEqual(Array.from({ length: 60 }, (_, n) => `w${n}`));
    await expect.poll(() => heard.length, { timeout: 5000 }).toBe(120);
    expect(heard).toEqual(Array.from({ length: 120 }, (_, n) => n + 2));
    await expect.poll(() => there({ do: "heard" }), { timeout: 5000 }).toEqual(heard);
    worker.terminate();

    await commit(here, "append a x");
    expect((await here.list())[0]?.version).toBe(122);
    here.close();
  });

  test("a worker that is killed in the middle of a commit leaves the project whole", async () => {
    const name = crypto.randomUUID();
    const here = await openIdbFiles({ name, now: () => 0 });
    await commit(here, "write a _");
    for (let round = 0; round < 3; round++) {
      const worker = new Worker(new URL("./other-context.worker.ts", import.meta.url), { type: "module" });
      await ask(worker, { do: "open", name });
      const firstCommit = new Promise<void>((resolve) => void here.watch(() => resolve()));
      void ask(worker, { do: "append", times: 10_000 });
      await firstCommit;
      worker.terminate();
      await commit(here, "append a x,");
    }
    const content = await here.read(path("a"));
    expect(content?.bytes.length).toBe(content?.size);
    expect((await textOf(here, path("a"))).split(",").filter((word) => word === "x")).toHaveLength(3);
    here.close();
  });
});

test("when the database is deleted under it, a handle gives way and says so", async () => {
  const name = crypto.randomUUID();
  const files = await openIdbFiles({ name, now: () => 0 });
  await commit(files, "write a 1");
  await deleteDB(name);
  expect(await files.commit(changes("append a 2"), { durability: "strict" })).toMatchObject({ ok: false, failure: { kind: "broken" } });
  await expect(files.list()).rejects.toMatchObject({ name: "StorageError", kind: "closed" });
});

/** The part of a storage bucket that is needed here. TypeScript's library doesn't include it yet. */
interface Bucket {
  readonly indexedDB: IDBFactory;
}

test("a project of the layout before the index, open in a tab that gives way, opens with all its files and goes on", async () => {
  const name = crypto.randomUUID();
  let gone = "";
  const { db } = await openLayout(name, { onGone: (why) => void (gone = why), steps: layoutSteps.slice(0, 1) });
  const files = await openIdbFiles({ name, now: () => 0 });
  expect([gone, files.fresh, db.version]).toEqual([expect.stringContaining("another tab upgrades"), false, 1]);
  await files.commit(changes("write a 1"), { durability: "strict", index: new Uint8Array([1]) });
  const state = await files.readIndex();
  expect(state.entries).toEqual([{ version: 1, bytes: new Uint8Array([1]) }]);
  files.close();
  const again = await openIdbFiles({ name, now: () => 0 });
  expect([await again.readIndex(), await textOf(again, path("a")), again.damage]).toEqual([state, "1", null]);
  again.close();
});

describe("a full disk", () => {
  const quota = 2_000_000;
  let bucketName: string;
  const buckets: { open(name: string, options: { quota: number }): Promise<Bucket>; delete(name: string): Promise<void> } = Reflect.get(
    navigator,
    "storageBuckets",
  );
  beforeEach(async () => {
    bucketName = `b${Math.random().toString(36).slice(2)}`;
    vi.stubGlobal("indexedDB", (await buckets.open(bucketName, { quota })).indexedDB);
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await buckets.delete(bucketName);
  });

  test.each([
    ["one file", 1],
    ["many files", 100],
  ])("refuses %s too large as full, and keeps what is there", async (_title, pieces) => {
    const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
    await commit(files, "write a one");
    const state = await everything(files);
    const data = new Uint8Array((quota * 2) / pieces);
    for (let at = 0; at < data.length; at += 60_000) crypto.getRandomValues(data.subarray(at, at + 60_000));
    const large = Array.from({ length: pieces }, (_, n) => ({ op: "write" as const, path: path(`large/${n}`), data }));
    for (const durability of ["strict", "relaxed"] as const) {
      const result = await files.commit([...changes("append a two"), ...large], { durability });
      expect(result).toMatchObject({ ok: false, failure: { kind: "full", message: expect.stringContaining("QuotaExceededError") } });
      expect(await everything(files)).toEqual(state);
    }
    // Whether a smaller write fits at once depends on the browser: Chromium counts deleted data for a while.
    const less = await files.commit(changes("append a two"), { durability: "strict" });
    if (!less.ok) expect(less.failure.kind).toBe("full");
    expect(await textOf(files, path("a"))).toBe(less.ok ? "onetwo" : "one");
    files.close();
  });

  test("that fills up slowly loses nothing that was answered as done", async () => {
    const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
    await commit(files, "write a _");
    const data = crypto.getRandomValues(new Uint8Array(50_000));
    let done = 0;
    let kind: string | null = null;
    while (kind === null) {
      const result = await files.commit([{ op: "append", path: path("a"), data }], { durability: "strict" });
      if (result.ok) done += 1;
      else kind = result.failure.kind;
    }
    expect(kind).toBe("full");
    expect(done).toBeGreaterThan(1);
    expect((await files.read(path("a")))?.size).toBe(done * data.length);
    files.close();
  });
});

/** Rejects if the worker fails. Never settles if it is killed. */
function ask(worker: Worker, order: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => resolve(data), { once: true });
    worker.addEventListener("error", (event) => reject(new Error(event.message)), { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none.
    worker.postMessage(order);
  });
}
