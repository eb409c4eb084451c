import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { responseTokens } from "../../../../src/engine/providers/claude/models.ts";
import { claudeRequest } from "../../../../src/engine/providers/claude/request.ts";
import { namedLimit } from "../../../../src/engine/providers/tokens.ts";
import { assistant, dialog, ran, user } from "../../prompt/notation.ts";
import { say, type Turn } from "../../../stand-in/claude.ts";
import { manualTimers } from "../timers.ts";
import { bench, collect, providerOn, request, summary } from "./setup.ts";

const long = dialog(user("a"), assistant(ran("x", "1"), ran("y", "2")), assistant(ran("z", "3")), user("b"));

describe("cache marks", () => {
  const body = claudeRequest(request({ dialog: long }), 64_000);

  test("stand on the last tool, the system text and the ends of the last two user messages", () => {
    const marked = body.messages.map((message) =>
      (Array.isArray(message.content) ? message.content : []).map((block) => "cache_control" in block),
    );
    expect(marked).toEqual([[false], [false, false], [false, true], [false], [false, true]]);
    expect(body.tools?.map((tool) => "cache_control" in tool)).toEqual([true]);
    expect(Array.isArray(body.system) && body.system.map((block) => "cache_control" in block)).toEqual([true]);
  });

  test("are all that changes in a message when the dialog grows", () => {
    const grown = claudeRequest(request({ dialog: { ...long, sections: [...long.sections, assistant("c"), user("d")] } }), 64_000);
    expect(bare(grown.messages).slice(0, body.messages.length)).toEqual(bare(body.messages));
    expect([grown.system, grown.tools]).toEqual([body.system, body.tools]);
  });
});

test("no tools, no system: the fields are left out", () => {
  const body = claudeRequest(request({ tools: [], system: " " }), 64_000);
  expect(Object.keys(body)).toEqual(["model", "max_tokens", "stream", "messages"]);
});

describe("max_tokens", () => {
  test.each([
    ["claude-sonnet-5-5", null],
    ["claude-haiku-4-5", null],
    ["a-model-of-tomorrow", null],
    ["claude-opus-4-1-20250805", 32_000],
    ["claude-3-5-haiku-20241022", 8_192],
    ["claude-3-haiku-20240307", 4_096],
  ])("%s: %s", (model, tokens) => expect(responseTokens(model)).toBe(tokens));

  test.each([
    ["max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for claude-3-5-haiku-20241022", 32_000],
    [
      "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
      10_000,
    ],
    [
      "input length and `max_tokens` exceed context limit: 199900 + 64000 > 200000, decrease input length or `max_tokens` and try again",
      null,
    ],
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is 32768 tokens and your request has 120 input tokens (64000 > 32768 - 120).",
      32_648,
    ],
    ["max_tokens is too large: 64000. This model supports at most 16384 completion tokens", 16_384],
    ["max_tokens: Input should be less than or equal to 8192", 8_192],
    ["`max_tokens` must be at most 4096", 4_096],
    ["max_tokens: the maximum is 100000", null],
    ["prompt is too long: 1200000 tokens > 1000000 maximum", null],
    ["messages.0: at most 4096 things", null],
  ])("the limit that is named in: %s", (said, limit) => expect(namedLimit(said, limits.responseTokens)?.tokens ?? null).toBe(limit));

  test("a named limit is used at once, and remembered for this model alone", async () => {
    const { api, provider } = await bench();
    const message = "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-sonnet-5-5";
    api.play({ fail: 400, type: "invalid_request_error", message }, say("a"), say("b"), say("c"));
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    await collect(provider);
    await collect(provider, { request: request({ model: "claude-opus-5-5" }) });
    expect(api.requests.map((sent) => sent.body.max_tokens)).toEqual([64_000, 8_192, 8_192, 64_000]);
  });

  test("what a prompt leaves of the window is used once; then the dialog's own size counts", async () => {
    const { api, provider } = await bench();
    const message = "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000";
    api.play({ fail: 400, type: "invalid_request_error", message }, say("a"), say("b"));
    await collect(provider);
    await collect(provider, { request: request({ tokensSoFar: 150_000, maxTokens: null }) });
    expect(api.requests.map((sent) => sent.body.max_tokens)).toEqual([64_000, 10_000, 46_000]);
    expect(provider.window("claude-sonnet-5-5")).toBe(200_000);
  });

  test("a window is forgotten when the server takes more than that", async () => {
    const { api, provider } = await bench();
    const message = "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000";
    const longer = { ...say("b"), usage: { input: 1_000, output: 1, cacheRead: 200_000 } };
    api.play({ fail: 400, type: "invalid_request_error", message }, say("a"), longer);
    await collect(provider);
    expect(provider.window("claude-sonnet-5-5")).toBe(200_000);
    await collect(provider);
    expect(provider.window("claude-sonnet-5-5")).toBe(1_000_000);
  });

  test("never more than is left of the window", async () => {
    const { api, provider } = await bench();
    for (const _ of [1, 2]) api.play(say("a"));
    await collect(provider, { request: request({ model: "claude-haiku-4-5", tokensSoFar: 180_000, maxTokens: null }) });
    await collect(provider, { request: request({ model: "claude-haiku-4-5", tokensSoFar: 199_999, maxTokens: null }) });
    expect(api.requests.map((sent) => sent.body.max_tokens)).toEqual([16_000, 1_024]);
  });

  test("only once in a request", async () => {
    const { api, provider } = await bench();
    api.play(refusal(8_192), refusal(4_096), say("a"));
    expect(summary(await collect(provider))).toEqual(["error bad-request"]);
    expect(api.requests.length).toBe(2);
  });
});

describe("a server that wants back what its model thought is asked for no thoughts, and that is remembered", () => {
  test.each([
    "The `content[].thinking` in the thinking mode must be passed back to the API.",
    "Missing thinking block in the assistant message at message index 11.",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  ])("%s", async (message) => {
    const asked: unknown[] = [];
    const answer: typeof fetch = (_url, init) => {
      const { thinking } = JSON.parse(typeof init?.body === "string" ? init.body : "{}") as {
        readonly thinking?: { readonly type: string };
      };
      asked.push(thinking);
      return Promise.resolve(
        thinking === undefined
          ? Response.json({ type: "error", error: { type: "invalid_request_error", message } }, { status: 400 })
          : Response.json({ type: "message", content: [{ type: "text", text: "a" }] }),
      );
    };
    const provider = providerOn(answer, manualTimers(), { baseURL: "https://llm.example/anthropic" });
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    await collect(provider);
    await collect(provider, { request: request({ model: "another" }) });
    const off = { type: "disabled" };
    expect(asked).toEqual([undefined, off, off, undefined, off]);
  });

  test("once, and never at Claude's own", async () => {
    const refused: Turn = { fail: 400, type: "invalid_request_error", message: "Missing thinking block" };
    for (const [options, tries] of [[{}, 2] as const, [{ official: true } as const, 1] as const]) {
      const { api, provider } = await bench(options);
      for (const _ of [1, 2, 3, 4]) api.play(refused);
      expect(summary(await collect(provider))).toEqual(["error bad-request"]);
      expect(api.requests.length).toBe(tries);
    }
  });
});

function bare(messages: unknown): unknown[] {
  return JSON.parse(JSON.stringify(messages, (key, value) => (key === "cache_control" ? undefined : value)));
}

function refusal(limit: number): Turn {
  return { fail: 400, type: "invalid_request_error", message: `max_tokens: 64000 > ${limit}, which is the maximum` };
}
