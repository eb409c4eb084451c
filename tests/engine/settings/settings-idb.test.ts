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
