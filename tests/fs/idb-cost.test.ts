import { afterEach, describe, expect, test, vi } from "vitest";
import type { Change, Files } from "../../src/fs/files.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { changes, commit, path } from "./notation.ts";
import { spyOnRequests } from "./requests.ts";

const a = path("a");
const MB = 1024 * 1024;

describe("what a commit costs", () => {
  let files: Files;
  afterEach(() => {
    vi.restoreAllMocks();
    files.close();
  });

  /** Opens a project whose file `a` has this many bytes. */
  async function sized(bytes: number): Promise<void> {
    files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
    await commit(files, [
      { op: "write", path: a, data: new Uint8Array(bytes) },
      { op: "append", path: a, data: "head", open: "h" },
      { op: "append", path: a, data: "tail" },
    ]);
  }

  test.each<[change: string, cost: object]>([
    ["append a token", { "get meta": 1, "get names": 1, "put pieces": 1, "put names": 1, "put meta": 1 }],
    ["append a _", { "get meta": 1, "get names": 1, "put names": 1, "put meta": 1 }],
    ["append a t:block", { "get meta": 1, "get names": 1, "put pieces": 1, "put names": 1, "put meta": 1 }],
    ["patch a h:longer", { "get meta": 1, "get names": 1, "put pieces": 1, "put names": 1, "put meta": 1 }],
    ["append a 1; append a 2; patch a h:3", { "get meta": 1, "get names": 1, "put pieces": 3, "put names": 1, "put meta": 1 }],
    ["rename a b", { "get meta": 1, "get names": 2, "put names": 1, "delete names": 1, "put meta": 1 }],
    ["remove a", { "get meta": 1, "get names": 1, "delete pieces": 1, "delete names": 1, "put meta": 1 }],
  ])("%s touches as much of 25 MB as of 1 KB", async (change, operations) => {
    const costs = [];
    for (const size of [1024, 25 * MB]) {
      await sized(size);
      const count = counting();
      await commit(files, change);
      costs.push(count());
      vi.restoreAllMocks();
    }
    expect(costs[0]?.operations).toEqual(operations);
    expect(costs[1]?.operations).toEqual(operations);
    // The records contain decimal numbers, which are longer for a larger file.
    expect(Math.abs((costs[1]?.bytes ?? 0) - (costs[0]?.bytes ?? 0))).toBeLessThan(30);
    expect(costs[0]?.bytes).toBeLessThan(1500);
  });

  test("fifty files that grow in one commit cost fifty records and pieces and one count", async () => {
    await sized(0);
    const names = Array.from({ length: 50 }, (_, n) => path(`dialog-${n}`));
    await commit(
      files,
      names.map((name): Change => ({ op: "write", path: name, data: "" })),
    );
    const count = counting();
    await commit(
      files,
      names.map((name): Change => ({ op: "append", path: name, data: "token" })),
    );
    expect(count().operations).toEqual({ "get meta": 1, "get names": 50, "put pieces": 50, "put names": 50, "put meta": 1 });
  });

  test("a refused commit writes nothing", async () => {
    await sized(0);
    const count = counting();
    await files.commit(changes("append a 1; patch a x:1"), { durability: "strict" });
    expect(count().operations).toEqual({ "get meta": 1, "get names": 1 });
  });

  test("a fold reads and writes the end of the file alone, however long the file is", async () => {
    await sized(0);
    await commit(files, "close a h:head");
    for (let n = 0; n < 100; n++) {
      await commit(files, [{ op: "append", path: a, data: new Uint8Array(30_000) }]);
      await commit(files, "fold a");
    }
    await commit(files, "append a 1; append a 2");
    const count = counting();
    await commit(files, "fold a");
    const { operations, bytes } = count();
    expect(operations).toMatchObject({ "getAll pieces": 1, "put names": 1, "put meta": 1 });
    expect(bytes).toBeLessThan(300 * 1024);
  });

  test("a second fold in a row writes no piece", async () => {
    await sized(1024);
    await commit(files, "append a 1; append a 2; close a h:head; append a 3");
    await commit(files, "fold a");
    const count = counting();
    await commit(files, "fold a");
    expect(count().operations).not.toHaveProperty("put pieces");
  });
});

test("a list reads nothing but the count of commits while no other handle writes", async () => {
  const name = crypto.randomUUID();
  const [files, other] = [await openIdbFiles({ name, now: () => 0 }), await openIdbFiles({ name, now: () => 0 })];
  await commit(files, "write a 1; write b/c 2");
  await files.list();
  await import("../../src/fs/known-list.ts");
  await files.list();
  const count = counting();
  await commit(files, "append a 3; rename b/c b/d");
  await commit(files, "write e 4; remove a");
  const asked = { ...count().operations };
  expect((await files.list()).map((stat) => stat.path)).toEqual(["b/d", "e"]);
  expect((await files.list("b/")).map((stat) => stat.path)).toEqual(["b/d"]);
  expect(count().operations).toEqual({ ...asked, "get meta": (asked["get meta"] ?? 0) + 2 });
  await commit(other, "write a 5");
  expect((await files.list()).map((stat) => stat.path)).toEqual(["a", "b/d", "e"]);
  expect(count().operations).toHaveProperty("getAll names", 1);
  vi.restoreAllMocks();
  files.close();
  other.close();
});

test.each(["strict", "relaxed"] as const)("a %s commit is a %s transaction", async (durability) => {
  const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction");
  await files.commit(changes("write a 1"), { durability });
  expect(spy.mock.calls).toEqual([[["meta", "names", "pieces"], "readwrite", { durability }]]);
  spy.mockRestore();
  files.close();
});

test("a new leader is on disk before it leads", async () => {
  const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction");
  await files.lead();
  expect(spy.mock.calls.map((call) => call.slice(1))).toEqual([["readwrite", { durability: "strict" }]]);
  spy.mockRestore();
  files.close();
});

const methods = ["get", "getAll", "getAllKeys", "getKey", "count", "openCursor", "openKeyCursor", "put", "add", "delete", "clear"] as const;

/** Counts each operation on each store, and the bytes written and read, from now on. */
function counting(): () => { operations: Record<string, number>; bytes: number } {
  const operations: Record<string, number> = {};
  let bytes = 0;
  spyOnRequests(methods, (method, store, run, args) => {
    const key = `${method} ${store.name}`;
    operations[key] = (operations[key] ?? 0) + 1;
    const request = run();
    if (method === "put") bytes += weight(args[0]);
    if (method.startsWith("get")) request.addEventListener("success", () => (bytes += weight(request.result)));
    return request;
  });
  return () => ({ operations, bytes });
}

function weight(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + weight(each), 0);
  return value === undefined ? 0 : JSON.stringify(value).length;
}
