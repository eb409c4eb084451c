import { expect, test } from "vitest";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import { type ProviderRegistry, providerRegistry, type ProviderKind } from "../../../src/engine/providers/provider-registry.ts";
import type { Provider, ProviderName } from "../../../src/engine/providers/provider.ts";
import { readTarget, type WireSettings } from "../../../src/engine/providers/target.ts";
import { memoryVaultStore } from "../../../src/engine/vault/store.ts";
import { openVault } from "../../../src/engine/vault/vault.ts";

function kind(name: ProviderName, defaultBaseURL: string, onThisDevice?: true) {
  const make = (): Provider => ({
    name,
    stream: async function* () {},
    window: () => null,
    models: async () => ({ ok: true, models: [] }),
  });
  return { name, defaultBaseURL, defaultModel: "m", make, ...(onThisDevice ? { onThisDevice } : {}) };
}

test.each([
  ["claude", "https://api.anthropic.com", false],
  ["claude", "http://localhost:8080", false],
  ["openai", "https://api.openai.com", false],
  ["openai", "https://llm.example.com", false],
  ["openai", "http://localhost:11434", true],
  ["openai", "HTTP://127.0.0.1:1234/v1", true],
  ["demo", "", true],
] as const)("%s at %j is configured without a key: %s", async (name, baseURL, expected) => {
  const kinds = [kind("claude", "https://c.example"), kind("openai", "https://o.example", true), kind("demo", "")];
  const store = { read: async () => ({}), write: async () => {} };
  const registry = await providerRegistry(kinds, store, memoryKeys(), (error) => {
    throw error;
  });
  const answer = baseURL === "" ? registry.answer(name) : await registry.change(name, { baseURL });
  expect(answer?.configured).toBe(expected);
});

test("a provider hears that its key is locked, and of none that is for another address", async () => {
  let asked: () => WireSettings = () => expect.fail("no provider was made");
  const claude: ProviderKind = {
    ...kind("claude", "https://c.example"),
    make(settings) {
      asked = settings;
      return kind("claude", "").make();
    },
  };
  const keys = memoryKeys();
  const addresses = () => registry.addresses();
  const vault = await openVault({ store: memoryVaultStore(), keys, addresses, changed: () => undefined, dropped: () => undefined });
  const store = { read: async () => ({}), write: async () => {} };
  const registry: ProviderRegistry = await providerRegistry([claude], store, keys, (error) => expect.fail(String(error)), {
    now: () => vault,
  });
  await registry.change("claude", { apiKey: "key-1" });
  await vault.remember("claude", { kind: "passphrase", passphrase: "river lamp copper eleven" });
  expect(asked()).toEqual({ apiKey: "key-1", baseURL: "https://c.example", locked: false });
  await vault.lock();
  expect(asked()).toEqual({ apiKey: null, baseURL: "https://c.example", locked: true });
  expect(readTarget(asked(), { title: "Claude", defaultBaseURL: "https://c.example" })).toMatchObject({
    ok: false,
    stop: { reason: "no-key", message: expect.stringContaining("is locked") },
  });
  await registry.change("claude", { baseURL: "https://elsewhere.example" });
  expect(asked()).toEqual({ apiKey: null, baseURL: "https://elsewhere.example", locked: false });
});
