import { describe, expect, test } from "vitest";
import { testMemory } from "../memory.ts";
import { chatSaying, fake, refusing } from "./fake.ts";
import { collect, providerOn, request } from "./setup.ts";

const signal = () => new AbortController().signal;
const answering = (status: number, body: unknown) => providerOn(fake(() => refusing(status, body)).fetch);
const official = (body: unknown) => providerOn(fake(() => refusing(200, body)).fetch, { baseURL: "" });
const ids = (...names: string[]) => names.map((id) => ({ id, object: "model" }));

test("of OpenAI: the default first, then the newest; what can't be talked to and what is over is left out", async () => {
  const others = ["text-embedding-3-large", "tts-1", "whisper-1", "gpt-image-2", "omni-moderation-latest", "gpt-realtime", "dall-e-3"];
  const data = [
    ...ids("gpt-4o", ...others, "gpt-5.4-mini", "gpt-6.1-sol", "gpt-5.5", "gpt-5.4", "gpt-6-luna"),
    { id: "gpt-5.3-chat-latest", shutdown_date: "2026-08-10" },
    { id: "gpt-5.1", shutdown_date: "2027-08-10" },
  ];
  const list = await official({ object: "list", data }).models(signal());
  expect(list).toEqual({
    ok: true,
    models: ["gpt-5.5", "gpt-6.1-sol", "gpt-6-luna", "gpt-5.4", "gpt-5.4-mini", "gpt-5.1", "gpt-4o"],
  });
});

/** Lists as servers send them. */
test.each<[string, unknown, readonly string[]]>([
  [
    "five hundred entries",
    { data: ids(...Array.from({ length: 500 }, (_, at) => `m-${at}`)) },
    Array.from({ length: 500 }, (_, at) => `m-${at}`),
  ],
  ["in the server's order", { data: ids("b", "a", "text-embedding-x") }, ["b", "a", "text-embedding-x"]],
  ["no name, a bad name, a name twice", { data: [{ id: "a" }, { id: "a" }, { id: "" }, { id: 7 }, null, { id: "x y" }] }, ["a"]],
  ["a bare list", ids("a", "b"), ["a", "b"]],
  ["names in place of ids", { models: [{ name: "models/gemini-3-pro" }] }, ["gemini-3-pro"]],
  [
    "what is marked as no chat model",
    { data: [{ id: "a", type: "embeddings" }, { id: "b", capabilities: { completion_chat: false } }, { id: "c" }] },
    ["c"],
  ],
  ["nothing installed", { object: "list", data: [] }, []],
])("%s", async (_what, body, models) => expect(await answering(200, body).models(signal())).toEqual({ ok: true, models }));

test("more pages", async () => {
  const server = fake((_body, url) =>
    Response.json(url.endsWith("after=a") ? { data: ids("b") } : { data: ids("a"), has_more: true, last_id: "a" }),
  );
  expect(await providerOn(server.fetch).models(signal())).toEqual({ ok: true, models: ["a", "b"] });
});

test.each([
  ["no such list", answering(404, { detail: "Not Found" }), /didn't return a readable model list.*Enter the model name/],
  ["no list in it", answering(200, { models: null }), /didn't return a readable model list/],
  ["a wrong key", answering(401, { error: { message: "no" } }), /rejected the API key/],
  ["no connection", providerOn(() => Promise.reject(new TypeError("Failed to fetch"))), /Couldn't connect to/],
  ["no key", providerOn(() => Promise.reject(new Error("sent")), { apiKey: null, baseURL: "" }), /No API key for OpenAI/],
])("%s", async (_what, provider, message) => {
  const list = await provider.models(signal());
  expect(list.ok ? "" : list.message).toMatch(message);
});

describe("the window of a model", () => {
  test.each([
    ["gpt-5.5", 1_050_000],
    ["gpt-5.4-mini", 400_000],
    ["gpt-5.1", 400_000],
    ["openai/gpt-4o", 128_000],
    ["anthropic/claude-sonnet-5-5", 1_000_000],
    ["google/gemini-3-pro", 1_048_576],
    ["gpt-6.1-sol", null],
    ["llama3.3:70b", null],
  ])("%s, as Vibey knows it: %s", (model, tokens) => expect(answering(404, {}).window(model)).toBe(tokens));

  test.each([
    ["OpenRouter", { context_length: 200_000, top_provider: { max_completion_tokens: 32_000 } }, 200_000, 32_000],
    ["Groq", { context_window: 131_072, max_completion_tokens: 8_192 }, 131_072, 8_192],
    ["Mistral", { max_context_length: 262_144 }, 262_144, 64_000],
    ["vLLM", { max_model_len: 200_000 }, 200_000, 64_000],
    ["LM Studio", { max_context_length: 131_072, loaded_context_length: 4_096 }, 4_096, 1_024],
    ["Google", { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 }, 1_048_576, 64_000],
    ["nobody", {}, null, 64_000],
    ["nonsense", { context_length: "many", max_model_len: -1 }, null, 64_000],
  ])("as %s lists it, also after the next start", async (_who, entry, window, maxTokens) => {
    const server = fake((_body, url) => (url.endsWith("/models") ? refusing(200, { data: [{ id: "x", ...entry }] }) : chatSaying("a")));
    const memory = testMemory();
    const provider = providerOn(server.fetch, { memory });
    await provider.models(signal());
    expect(provider.window("x")).toBe(window);
    const next = providerOn(server.fetch, { memory });
    expect(next.window("x")).toBe(window);
    await collect(next, { request: request({ model: "x" }) });
    expect(server.asked.at(-1)?.body["max_tokens"]).toBe(maxTokens);
  });
});
