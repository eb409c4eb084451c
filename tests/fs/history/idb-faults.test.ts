import { afterEach, describe, expect, test, vi } from "vitest";
import { openHistory } from "../../../src/fs/history/history.ts";
import { openIdbHistoryStore } from "../../../src/fs/history/idb-store.ts";
import type { HistoryStore } from "../../../src/fs/history/store.ts";
import { spyOnRequests } from "../requests.ts";
import { commitFiles, textsAt } from "./project.ts";

afterEach(() => vi.restoreAllMocks());

const faults: [title: string, kind: "full" | "broken", fault: () => IDBRequest][] = [
  ["there is no space", "full", () => fail("no space", "QuotaExceededError")],
  ["the disk is gone", "broken", () => fail("the disk is gone", "UnknownError")],
];

function fail(message: string, name: string): never {
  throw new DOMException(message, name);
}

async function everything(store: HistoryStore) {
  const [head, oids, changes] = [await store.head(), await store.oids(), await store.changes(1, 100)];
  return [head, oids, changes, await store.files(), await store.notes(), await store.early()];
}

describe.each(faults)("when %s at the n-th request of a write", (_title, kind, fault) => {
  test("nothing of it was written, and the next one works", async () => {
    const name = crypto.randomUUID();
    const store = await openIdbHistoryStore(name);
    const history = await openHistory(store);
    await commitFiles(history, { a: "1", "b/c": "2" });
    const before = await everything(store);
    let failed = 0;
    for (let n = 1; ; n++) {
      let requests = 0;
      spyOnRequests(["put", "delete", "add"], (_method, _store, run) => {
        requests += 1;
        return requests === n ? fault() : run();
      });
      const done = await commitFiles(history, { a: "one", "b/c": null, d: "3" }).catch((error: unknown) => String(error));
      vi.restoreAllMocks();
      if (typeof done !== "string") break;
      failed += 1;
      expect(done).toBe(`Error: ${kind}`);
      expect(await everything(store)).toEqual(before);
    }
    expect(failed).toBeGreaterThan(6);
    const head = await store.head();
    expect(head && (await textsAt(history, head))).toEqual({ a: "one", d: "3" });
    store.close();
  });
});

test("when the space ends at the n-th request of a commit of large files, it gives back what it took, and nothing is torn", async () => {
  const store = await openIdbHistoryStore(crypto.randomUUID());
  const history = await openHistory(store);
  await commitFiles(history, { a: "1" });
  const before = await everything(store);
  let failed = 0;
  for (let n = 1; ; n++) {
    let requests = 0;
    spyOnRequests(["put", "add"], (_method, _store, run) => {
      requests += 1;
      return requests === n ? fail("no space", "QuotaExceededError") : run();
    });
    const done = await commitFiles(history, { a: "2", "b/large": new Uint8Array(4.5 * 1024 * 1024) }).catch((error: unknown) =>
      String(error),
    );
    vi.restoreAllMocks();
    if (typeof done !== "string") break;
    failed += 1;
    expect(done).toBe("Error: full");
    expect(await everything(store)).toEqual(before);
  }
  expect(failed).toBeGreaterThan(8);
  expect(await store.early()).toEqual([]);
  const head = await store.head();
  expect(head && Object.keys(await textsAt(history, head))).toEqual(["a", "b/large"]);
  store.close();
});

test("a database that is not a history's is left as it is, and opening it says so", async () => {
  const name = crypto.randomUUID();
  await new Promise((resolve) => {
    const request = indexedDB.open(name, 1);
    request.addEventListener("upgradeneeded", () => void request.result.createObjectStore("mine"));
    request.addEventListener("success", () => resolve(request.result.close()));
  });
  await expect(openIdbHistoryStore(name)).rejects.toMatchObject({ kind: "foreign" });
  const newer = crypto.randomUUID();
  (await openIdbHistoryStore(newer)).close();
  await new Promise((resolve) => {
    const request = indexedDB.open(newer, 2);
    request.addEventListener("success", () => resolve(request.result.close()));
  });
  await expect(openIdbHistoryStore(newer)).rejects.toMatchObject({ kind: "newer" });
});

test("a handle gives way when another one deletes the database, and says so from then on", async () => {
  const name = crypto.randomUUID();
  const store = await openIdbHistoryStore(name);
  const epoch = await store.lead();
  await new Promise((resolve) => indexedDB.deleteDatabase(name).addEventListener("success", resolve));
  expect(await store.write({}, epoch)).toMatchObject({ ok: false, failure: { kind: "broken" } });
  await expect(store.head()).rejects.toMatchObject({ kind: "closed" });
});
