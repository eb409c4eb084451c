import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { vibey } from "../../src/fs/actor.ts";
import { layoutSteps } from "../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import { changes, commit, path, texts } from "./notation.ts";

let name: string;
beforeEach(() => {
  name = crypto.randomUUID();
});
const open = () => openIdbFiles({ name, now: () => 0 });
const newer = layoutSteps.length + 1;

/** The database connections used since the test began. */
let databases: () => Set<unknown>;
beforeEach(() => {
  const { mock } = vi.spyOn(IDBDatabase.prototype, "transaction");
  databases = () => new Set(mock.contexts);
});
afterEach(() => {
  vi.restoreAllMocks();
});
const options = { durability: "strict" } as const;

describe("opening", () => {
  test("says whether the project was there", async () => {
    const first = await open();
    const second = await open();
    expect([first.fresh, second.fresh]).toEqual([true, false]);
    first.close();
    second.close();
  });

  test.each<[title: string, kind: string, make: () => Promise<void>]>([
    ["a database of something else", "foreign", () => madeWith(1)],
    ["a later database of something else", "foreign", () => madeWith(layoutSteps.length)],
    ["a database of a newer program", "newer", () => madeWith(newer)],
    ["a database of a later format", "newer", () => changed("vibey files 2", "format")],
    ["a database without its sentinel", "foreign", () => changed(undefined, "format")],
    ["a database that has lost its counters", "damaged", () => changed(undefined, "counters")],
    ["a database with impossible counters", "damaged", () => changed({ version: 1, epoch: "1", ids: 1 }, "counters")],
  ])("%s is refused as %s and left as it is", async (_title, kind, make) => {
    await make();
    const contents = await dump();
    const refused = open();
    await expect(refused).rejects.toBeInstanceOf(StorageError);
    await expect(refused).rejects.toMatchObject({ kind, message: expect.stringMatching(/\S/) });
    expect(await dump()).toEqual(contents);
    await deleteDB(name);
  });

  test("a storage that does not open at all is broken", async () => {
    const spy = vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("not in this window", "SecurityError");
    });
    await expect(open()).rejects.toMatchObject({ kind: "broken", message: expect.stringContaining("not in this window") });
    spy.mockRestore();
  });
});

describe.each<[title: string, message: string, end: () => Promise<unknown>]>([
  ["another tab deletes the database", "another tab", () => deleteDB(name)],
  ["another tab upgrades the database", "another tab", async () => (await openDB(name, newer)).close()],
  [
    "the browser closes the database",
    "by the browser",
    async () => databases().forEach((database) => void Reflect.apply(forceCloseDatabase, undefined, [database])),
  ],
])("when %s", (_title, message, end) => {
  test("nothing waits for ever: commits fail, the rest rejects, and both say why", async () => {
    const files = await open();
    await commit(files, "write a 1");
    await end();
    expect(await files.commit(changes("append a 2"), options)).toMatchObject({
      ok: false,
      failure: { kind: "broken", message: expect.stringContaining(message) },
    });
    for (const call of [files.stat(path("a")), files.read(path("a")), files.list(), files.lead()]) {
      await expect(call).rejects.toMatchObject({ name: "StorageError", kind: "closed", message: expect.stringContaining(message) });
    }
    expect(() => files.watch(() => undefined)).toThrow(message);
    files.close();
  });

  test("a commit under way is either done or not, and is answered", async () => {
    const files = await open();
    await commit(files, "write a 1");
    const under = files.commit(changes("append a 2"), options);
    await end();
    expect([true, false]).toContain((await under).ok);
    files.close();
  });
});

test("a handle that is still being opened does not keep others from deleting the database", async () => {
  (await open()).close();
  const files = open();
  await deleteDB(name);
  const opened = await files.catch((error: unknown) => error);
  if (opened instanceof StorageError) return;
  expect(await (await files).commit(changes("write a 1"), options)).toMatchObject({ ok: false, failure: { kind: "broken" } });
});

describe("what is stored and cannot be", () => {
  afterEach(() => deleteDB(name));

  test("a file that lacks a piece is damaged, not shorter", async () => {
    const files = await open();
    await commit(files, "write a one h:two three; write b four");
    const raw = await openDB(name);
    await raw.delete("pieces", [1, 1]);
    raw.close();
    await expect(files.read(path("a"))).rejects.toMatchObject({ kind: "damaged", message: expect.stringContaining("a has 8 bytes of 11") });
    await commit(files, "remove a");
    expect(await texts(files)).toBe("b=four");
    files.close();
  });

  test("lost counters break commits, which would else give a version twice", async () => {
    const files = await open();
    await commit(files, "write a 1");
    const raw = await openDB(name);
    await raw.delete("meta", "counters");
    raw.close();
    expect(await files.commit(changes("write a 2"), options)).toMatchObject({ failure: { kind: "broken" } });
    expect(await texts(files)).toBe("a=1");
    files.close();
  });
});

test("no piece is left behind by files that are gone", async () => {
  const files = await open();
  await commit(files, "write a 1 h:2 3; write b 4");
  await commit(files, "write a 5; append a 6; write a 7; remove b; write c 8; remove c");
  const raw = await openDB(name);
  expect(await raw.getAllKeys("pieces")).toHaveLength(1);
  raw.close();
  files.close();
});

test("what another program says on the channel harms nobody", async () => {
  const files = await open();
  const heard: unknown[] = [];
  files.watch((events) => heard.push(...events));
  const channel = new BroadcastChannel(name);
  for (const nonsense of [null, 1, "x", {}, { version: "1", events: [] }, { version: 1 }, { version: 0.5, events: [] }]) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none.
    channel.postMessage(nonsense);
  }
  const other = await open();
  await commit(other, "write a 1");
  await expect.poll(() => heard).toEqual([{ kind: "changed", path: "a", version: 1, by: vibey }]);
  channel.close();
  other.close();
  files.close();
});

async function madeWith(version: number): Promise<void> {
  (await openDB(name, version)).close();
}

async function changed(value: unknown, key: string): Promise<void> {
  (await open()).close();
  const raw = await openDB(name);
  await (value === undefined ? raw.delete("meta", key) : raw.put("meta", value, key));
  raw.close();
}

/** Everything in the database. */
async function dump(): Promise<unknown> {
  const raw = await openDB(name);
  const all: unknown[] = [raw.version];
  for (const store of raw.objectStoreNames) all.push(store, await raw.getAllKeys(store), await raw.getAll(store));
  raw.close();
  return all;
}
