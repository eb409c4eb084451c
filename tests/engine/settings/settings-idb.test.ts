import { forceCloseDatabase } from "fake-indexeddb";
import { afterEach, expect, test, vi } from "vitest";
import { importKey } from "../../../src/protocol/bridge/proof.ts";
import { storedBridge } from "../../../src/engine/gateways/stored-bridge.ts";
import { idbSettings } from "../../../src/engine/settings/settings-idb.ts";

afterEach(() => void vi.restoreAllMocks());

test("settings are on disk when they are said to be saved, and are read back", async () => {
  const name = crypto.randomUUID();
  const store = await idbSettings(name);
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction");
  await store.write("claude", { model: "claude-sonnet-5-5" });
  expect(spy.mock.calls).toEqual([["providers", "readwrite", { durability: "strict" }]]);
  spy.mockRestore();
  expect(await (await idbSettings(name)).read("claude")).toEqual({ model: "claude-sonnet-5-5" });
  expect(await store.read("openai")).toEqual({});
});

test("of the bridge all comes back, also the place that the user gave this page", async () => {
  const name = crypto.randomUUID();
  const key = await importKey("a-key-that-is-long-enough");
  const bridge = { ahead: 0, address: "ws://127.0.0.1:7870", key, all: false };
  for (const stored of [bridge, { ...bridge, ahead: 7 }]) {
    await (await idbSettings(name)).bridgeOf("p").writeBridge(stored);
    expect(storedBridge(await (await idbSettings(name)).bridgeOf("p").readBridge())).toEqual({
      ...stored,
      key: expect.any(CryptoKey) as CryptoKey,
    });
  }
});

test("of a project that is removed nothing stays, and of another one everything", async () => {
  const store = await idbSettings(crypto.randomUUID());
  const key = await importKey("a-key-that-is-long-enough");
  const stored = async (project: string) => [
    await store.readSandbox(project),
    await store.readNodeEngine(project),
    await store.readNote(project),
    (await store.agentKeys(project).read()).length,
    storedBridge(await store.bridgeOf(project).readBridge())?.address,
  ];
  const all = ["webcontainer", "quickjs", { revision: null, at: 1, docs: 1, dialogs: 0, files: 0, bytes: 1 }, 1, "ws://127.0.0.1:7870"];
  for (const project of ["a", "b"]) {
    await store.writeSandbox(project, "webcontainer");
    await store.writeNodeEngine(project, "quickjs");
    await store.writeNote(project, { revision: null, at: 1, docs: 1, dialogs: 0, files: 0, bytes: 1 });
    await store.agentKeys(project).write([{ id: "0a1b2c3d", name: "ci", hash: "00", made: "2026-01-01T00:00:00Z" }]);
    await store.bridgeOf(project).writeBridge({ ahead: 0, address: "ws://127.0.0.1:7870", key, all: false });
    expect(await stored(project)).toEqual(all);
  }
  await store.forgetProject("a");
  expect(await stored("a")).toEqual(["embedded", "browser", undefined, 0, undefined]);
  expect(await stored("b")).toEqual(all);
});

test("node runs on the browser's engine unless QuickJS was chosen for the project", async () => {
  const store = await idbSettings(crypto.randomUUID());
  expect(await store.readNodeEngine("a")).toBe("browser");
  await store.writeNodeEngine("a", "quickjs");
  expect([await store.readNodeEngine("a"), await store.readNodeEngine("b")]).toEqual(["quickjs", "browser"]);
  await store.writeNodeEngine("a", "browser");
  expect(await store.readNodeEngine("a")).toBe("browser");
});

test("settings that the browser has closed are opened again", async () => {
  const { mock } = vi.spyOn(IDBDatabase.prototype, "transaction");
  const name = crypto.randomUUID();
  const store = await idbSettings(name);
  await store.writeUser("Ada");
  // The browser may close databases before it reports that. Then the next call finds them closed.
  for (const close of [
    (database: IDBDatabase) => database.close(),
    (database: IDBDatabase) => Reflect.apply(forceCloseDatabase, undefined, [database]),
  ]) {
    for (const database of new Set(mock.contexts)) if (database instanceof IDBDatabase) close(database);
    expect(await store.readUser()).toBe("Ada");
  }
});
