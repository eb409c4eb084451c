import { expect, test } from "vitest";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import { type ProviderKind, providerRegistry } from "../../../src/engine/providers/provider-registry.ts";
import { type Memory, remembered } from "../../../src/engine/providers/memory.ts";
import { memorySettings, type SettingsStore } from "../../../src/engine/settings/settings.ts";

async function registry(store: SettingsStore, reported: unknown[] = []) {
  let memory: Memory | undefined;
  const kind: ProviderKind = {
    name: "openai",
    defaultModel: "m",
    defaultBaseURL: "https://llm.example",
    make(_settings, given) {
      memory = given;
      return {
        name: "openai",
        window: () => null,
        models: async () => ({ ok: true, models: [] }),
        async *stream() {
          yield { type: "end", stop: { kind: "end" } };
        },
      };
    },
  };
  const made = await providerRegistry([kind], store, memoryKeys(), (error) => reported.push(error));
  if (!memory) throw new Error("no provider was made");
  return { registry: made, memory };
}

test("what is learned is there at once and at the next start, beside the settings", async () => {
  const store = memorySettings();
  const first = await registry(store);
  expect(first.memory.read("a")).toBeNull();
  await first.registry.change("openai", { model: "n" });
  first.memory.write("a", { wire: "responses" });
  expect(first.memory.read("a")).toEqual({ wire: "responses" });
  await first.registry.change("openai", { baseURL: "https://other.example" });
  const next = await registry(store);
  expect(next.memory.read("a")).toEqual({ wire: "responses" });
  expect(next.registry.answer("openai")).toMatchObject({ model: "n", baseURL: "https://other.example" });
});

test("what it learned of lengths is forgotten when the settings change, and nothing else", async () => {
  const store = memorySettings();
  const { registry: providers, memory } = await registry(store);
  const listed = { m: [8_192, 4_096], window: [1, 2] };
  const learn = () => {
    memory.write("https://llm.example/v1 m", { wire: "chat", window: 8_192, maxTokens: 4_096 });
    memory.write("models https://llm.example/v1", listed);
  };
  for (const change of [{ model: "n" }, { baseURL: "https://other.example" }, { apiKey: "sk-1" }, {}]) {
    learn();
    await providers.change("openai", change);
    for (const now of [memory, (await registry(store)).memory]) {
      expect(now.read("https://llm.example/v1 m")).toEqual({ wire: "chat" });
      expect(now.read("models https://llm.example/v1")).toEqual(listed);
    }
  }
});

test("a store that is full is reported, and nothing else happens", async () => {
  const reported: unknown[] = [];
  const full = new Error("full");
  const { memory } = await registry({ read: async () => ({}), write: () => Promise.reject(full) }, reported);
  memory.write("a", { x: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(memory.read("a")).toEqual({ x: 1 });
  expect(reported).toEqual([full]);
});

test("two hundred keys are kept, the newest", () => {
  let all = {};
  for (let at = 0; at < 201; at++) all = remembered(all, `k${at}`, { at });
  all = remembered(all, "k1", { at: "new" });
  expect(Object.keys(all).length).toBe(200);
  expect(Object.keys(all).slice(0, 1)).toEqual(["k2"]);
  expect(Object.entries(all).at(-1)).toEqual(["k1", { at: "new" }]);
});
