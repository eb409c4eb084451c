import { expect, test, vi } from "vitest";
import { idbSettings } from "../../../src/engine/settings/settings-idb.ts";

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
