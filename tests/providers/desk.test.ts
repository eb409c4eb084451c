import { expect, test } from "vitest";
import { memoryKeys } from "../../src/engine/keys.ts";
import { providerDesk } from "../../src/engine/providers/desk.ts";
import type { Provider, ProviderName } from "../../src/engine/providers/provider.ts";

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
  const desk = await providerDesk(kinds, store, memoryKeys(), (error) => {
    throw error;
  });
  const answer = baseURL === "" ? desk.answer(name) : await desk.change(name, { baseURL });
  expect(answer?.configured).toBe(expected);
});
