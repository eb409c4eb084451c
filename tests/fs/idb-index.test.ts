import { openDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { layoutSteps, openLayout } from "../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { changes, commit, path, texts } from "./notation.ts";
import { spyOnRequests } from "./requests.ts";

let name: string;
let files: Awaited<ReturnType<typeof openIdbFiles>>;
const open = () => openIdbFiles({ name, now: () => 0 });
const entry = (n: number) => ({ durability: "strict", index: new Uint8Array([n]) }) as const;
beforeEach(async () => {
  name = crypto.randomUUID();
  files = await open();
});
afterEach(() => {
  vi.restoreAllMocks();
  files.close();
});

async function raw(work: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>): Promise<void> {
  const db = await openDB(name);
  await work(db);
  db.close();
}

test("only work on the index is a transaction over it", async () => {
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction");
  await commit(files, "write a 1");
  await files.read(path("a"));
  await files.list();
  await files.lead();
  expect(spy.mock.calls.map(([stores]) => stores)).toEqual(spy.mock.calls.map(() => ["meta", "names", "pieces"]));
  spy.mockClear();
  await files.commit(changes("write a 2"), entry(1));
  await files.readIndex();
  expect(spy.mock.calls.map(([stores, mode]) => [stores, mode])).toEqual([
    [["meta", "names", "pieces", "index"], "readwrite"],
    [["meta", "names", "pieces", "index"], "readonly"],
  ]);
});

test("an entry costs one request", async () => {
  await commit(files, "write a 1");
  const requests: string[] = [];
  spyOnRequests(["get", "getAll", "getAllKeys", "put", "delete", "clear"], (method, store, run) => {
    requests.push(`${method} ${store.name}`);
    return run();
  });
  await commit(files, "append a 2");
  const without = requests.splice(0).toSorted();
  await files.commit(changes("append a 2"), entry(1));
  expect(requests.toSorted()).toEqual([...without, "put index"].toSorted());
});

describe.each([["put"], ["clear"]] as const)("when a %s of the index fails", (method) => {
  test("it is as it was, and so are the files", async () => {
    await files.commit(changes("write a 1"), entry(1));
    const state = await files.readIndex();
    spyOnRequests([method], (_method, store, run) => {
      if (store.name === "index") throw new DOMException("no room", "QuotaExceededError");
      return run();
    });
    expect(await files.restartIndex([new Uint8Array([2])])).toMatchObject({ ok: false, failure: { kind: "full" } });
    if (method === "put") expect(await files.commit(changes("append a 2"), entry(2))).toMatchObject({ failure: { kind: "full" } });
    vi.restoreAllMocks();
    const again = await open();
    for (const each of [files, again]) expect([await each.readIndex(), await texts(each)]).toEqual([state, "a=1"]);
    again.close();
  });
});

describe("what is stored and can't be", () => {
  test.each<[title: string, damage: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>]>([
    ["has lost its id", (db) => db.delete("meta", "index")],
    ["has something else for its id", (db) => db.put("meta", 7, "index")],
    ["has an entry that is none", (db) => db.put("index", "text", 1)],
  ])("an index that %s is damaged, which no file is; it can be begun again", async (_title, damage) => {
    await files.commit(changes("write a 1"), entry(1));
    await raw(damage);
    files.close();
    files = await open();
    expect([files.damage, await texts(files)]).toEqual([null, "a=1"]);
    await expect(files.readIndex()).rejects.toMatchObject({ name: "StorageError", kind: "damaged" });
    expect(await files.commit(changes("append a 2"), entry(2))).toMatchObject({ ok: true });
    expect(await files.restartIndex([new Uint8Array([3])])).toMatchObject({ ok: true });
    expect((await files.readIndex()).entries).toEqual([{ version: 3, bytes: new Uint8Array([3]) }]);
  });

  test("an emptied index is an empty one", async () => {
    await files.commit(changes("write a 1"), entry(1));
    const { id } = await files.readIndex();
    await raw((db) => db.clear("index"));
    expect(await files.readIndex()).toEqual({ id, entries: [] });
    expect(await texts(files)).toBe("a=1");
  });

  test("where the index is lost altogether the project opens, and commits are stored without their entries", async () => {
    name = crypto.randomUUID();
    const steps = [...layoutSteps.slice(0, 1), ...layoutSteps.slice(1).map(() => () => undefined)];
    (await openLayout(name, { onGone: () => undefined, steps })).db.close();
    const without = await open();
    expect(await without.commit(changes("write a 1"), entry(1))).toEqual({ ok: true, version: 1 });
    expect([without.damage, await texts(without)]).toEqual([null, "a=1"]);
    await expect(without.readIndex()).rejects.toMatchObject({ name: "StorageError", kind: "broken" });
    expect(await without.restartIndex([])).toMatchObject({ ok: false, failure: { kind: "broken" } });
    expect(await without.commit(changes("append a 2"), entry(2))).toEqual({ ok: true, version: 2 });
    without.close();
  });
});
