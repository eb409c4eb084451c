import { expect, test } from "vitest";
import type { ProviderAnswer } from "../../../src/protocol/index.ts";
import { lacksKey } from "../../../src/engine/providers/lacks-key.ts";

const official = "https://api.anthropic.com";
const missing = "No API key for Claude. Once you add one in Settings, the agent continues on its own.";
const locked = "Your Claude key is locked. Once you unlock it in Settings, the agent continues on its own.";

test.each<[string, Partial<ProviderAnswer> | null, string | null]>([
  ["has its key", { configured: true, key: "session" }, null],
  ["needs none", { configured: true, key: "none", baseURL: "" }, null],
  ["has lost its key", { key: "none" }, missing],
  ["has its key locked", { key: "locked" }, locked],
  [
    "is a server of one's own without a key",
    { key: "none", baseURL: "own.example/v1" },
    `${missing} If own.example needs none, stop the agent and continue it.`,
  ],
  ["has a base URL that is none", { key: "none", baseURL: "ftp://x" }, missing],
  ["is not there", null, null],
])("a provider that %s", (_, given, expected) => {
  const answer: ProviderAnswer | null = given && {
    configured: false,
    baseURL: official,
    model: "m",
    key: "none",
    remembered: [],
    ...given,
  };
  expect(lacksKey({ answer: () => answer, defaultBaseURL: () => official }, "claude")).toBe(expected);
});
