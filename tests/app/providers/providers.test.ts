import { afterEach, describe, expect, test, vi } from "vitest";
import type { ProviderAnswer } from "../../../src/protocol/index.ts";
import { addressHint, serverAt, serverName, servers } from "../../../src/app/providers/servers.ts";
import { rememberProvider, defaultProvider } from "../../../src/app/providers/default-provider.ts";

describe("the server at an address", () => {
  test.each([
    ["https://api.openai.com/v1", "OpenAI"],
    ["https://api.openai.com", "OpenAI"],
    ["https://openrouter.ai/api/v1/", "OpenRouter"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "Gemini"],
    ["http://127.0.0.1:11434/v1", "Ollama"],
    [" HTTP://localhost:1234 ", "LM Studio"],
    ["https://llm.example.com:8443/v1", "llm.example.com:8443"],
    ["no address", "OpenAI"],
  ])("%j is called %s", (address, name) => {
    expect(serverName(address)).toBe(name);
  });

  test("a server on this device is said to need no key, and to have to allow this page", () => {
    const hint = addressHint("http://localhost:11434", "https://vibey.example");
    expect(hint).toContain("no key needed");
    expect(hint).toContain("OLLAMA_ORIGINS=https://vibey.example");
  });
  test("one that is not known may need no key; what is no address yet is left alone", () => {
    expect(addressHint("https://llm.example.com", "https://vibey.example")).toContain("Leave the key empty");
    expect(addressHint("https:", "https://vibey.example")).toBe("");
    expect(addressHint("https://api.openai.com/v1", "https://vibey.example")).toBe("");
  });
  test("every one in the list is found by its own address, and keys go over https: or not at all", () => {
    for (const server of servers) {
      expect(serverAt(server.address)).toBe(server);
      expect(server.address).toMatch(/^(https:\/\/|http:\/\/localhost:)/);
    }
  });
});

describe("the usual provider", () => {
  const kept = new Map<string, string>();
  function engine(...configured: string[]) {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    vi.stubGlobal("fetch", async (path: string) => {
      const name = path.replace("provider/", "");
      const key = configured.includes(`${name}, locked`) ? "locked" : "none";
      const answer: ProviderAnswer = { configured: configured.includes(name), baseURL: "", model: "", key, remembered: [] };
      return Response.json(answer);
    });
  }
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test.each([
    [["claude", "openai"], null, "claude"],
    [["openai"], null, "openai"],
    [["claude", "openai"], "openai", "openai"],
    [["claude"], "openai", "claude"],
    [["claude", "openai"], "demo", "claude"],
    [["demo"], null, null],
    [["claude, locked", "openai"], null, "claude"],
    [["claude", "openai, locked"], "openai", "openai"],
  ] as const)("of %j, %s chosen last: %s", async (configured, chosen, expected) => {
    engine(...configured);
    if (chosen !== null) rememberProvider(chosen);
    expect(await defaultProvider()).toBe(expected);
  });
});
