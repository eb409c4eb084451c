import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { say } from "../../../stand-in/openai.ts";
import { chatSaying, fake, refusing, streaming } from "./fake.ts";
import { bench, chatModel, collect, messageOf, providerOn, request, responsesModel, stopOf, summary } from "./setup.ts";

describe.each([chatModel, responsesModel])("%s is asked again", (model) => {
  const asking = request({ model });

  test.each([
    [408, "timeout_error", {}, 1_000],
    [429, "requests", {}, 1_000],
    [429, "requests", { "retry-after": "3" }, 3_000],
    [429, "requests", { "retry-after-ms": "250" }, 250],
    [500, "server_error", {}, 1_000],
    [502, "server_error", {}, 1_000],
    [503, "server_error", {}, 1_000],
    [524, "timeout", {}, 1_000],
    [529, "overloaded", { "retry-after": "2" }, 2_000],
  ])("%i %s %o", async (status, type, headers, delay) => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ fail: status, type, headers }, say("there"));
    expect(summary(await collect(provider, { request: asking, timers }))).toEqual([`retry in ${delay}`, '"there"', "end"]);
    expect(api.requests[1]?.raw).toBe(api.requests[0]?.raw);
  });

  test("after an error as the first event of a stream", async () => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ ...say("x"), faults: { errorAfter: { events: 0, type: "server_error", message: "Overloaded" } } }, say("there"));
    expect(summary(await collect(provider, { request: asking, timers }))).toEqual(["retry in 1000", '"there"', "end"]);
  });

  test("four times in all, after 1, 5 and 15 seconds", async () => {
    const { api, provider, timers } = await bench({ official: true });
    for (let i = 0; i < 5; i++) api.play({ fail: 503, type: "server_error", code: "server_is_overloaded", message: "Overloaded" });
    const events = await collect(provider, { request: asking, timers });
    expect(summary(events)).toEqual(["retry in 1000", "retry in 5000", "retry in 15000", "error overloaded"]);
    expect(api.requests.length).toBe(limits.requestTries);
  });

  test.each([
    ["the server wants a longer wait than a human has", 429, { "retry-after": "3600" }],
    ["the server says so", 500, { "x-should-retry": "false" }],
  ])("but not when %s", async (_what, status, headers) => {
    const { api, provider } = await bench({ official: true });
    api.play({ fail: status, type: "requests", headers });
    expect(stopOf(await collect(provider, { request: asking })).kind).toBe("error");
    expect(api.requests.length).toBe(1);
  });

  test.each([400, 401, 402, 403, 404, 405, 409, 413, 422])("but never after %i", async (status) => {
    const { api, provider } = await bench({ official: true });
    api.play({ fail: status, type: "x", message: "The model said no." }, say("there"));
    expect(stopOf(await collect(provider, { request: asking })).kind).toBe("error");
    expect(api.requests.length).toBe(1);
  });
});

test("lessons are no tries", async () => {
  let failures = 3;
  const server = fake((body) => {
    if ("stream_options" in body) return refusing(400, { error: { message: "Unknown parameter: 'stream_options'." } });
    return failures-- > 0 ? refusing(503, {}) : chatSaying("a");
  });
  const { timers } = await bench();
  expect(summary(await collect(providerOn(server.fetch, { timers }), { timers })).at(-1)).toBe("end");
  expect(server.asked.length).toBe(limits.requestTries + 1);
});

test("an error in the stream that names its own status", async () => {
  let tried = 0;
  const server = fake(() =>
    tried++ > 0 ? chatSaying("a") : streaming('data: {"error":{"code":429,"message":"slow down"}}\n\ndata: [DONE]\n\n'),
  );
  const { timers } = await bench();
  expect(summary(await collect(providerOn(server.fetch, { timers }), { timers }))).toEqual(["retry in 1000", '"a"', "end"]);
});

const geminiQuota =
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.";

test.each<[string, unknown, string]>([
  [
    "OpenAI",
    {
      error: {
        message: "Rate limit reached for gpt-5.5 on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 7.66s.",
        code: "rate_limit_exceeded",
      },
    },
    "retry in 7660",
  ],
  [
    "Groq",
    {
      error: { message: "Rate limit reached. Please try again in 1m3.5s. Need more tokens?", type: "tokens", code: "rate_limit_exceeded" },
    },
    "retry in 63500",
  ],
  [
    "Gemini, which says the same as of a quota that is used up",
    [
      {
        error: {
          code: 429,
          message: geminiQuota,
          status: "RESOURCE_EXHAUSTED",
          details: [{ "@type": "Help" }, { "@type": "RetryInfo", retryDelay: "29s" }],
        },
      },
    ],
    "retry in 29000",
  ],
  [
    "Gemini's text alone",
    [{ error: { code: 429, message: `${geminiQuota}\nPlease retry in 12.5s.`, status: "RESOURCE_EXHAUSTED" } }],
    "retry in 12500",
  ],
  ["tokens of the last minute", { message: "Too many tokens, please wait before trying again." }, "retry in 1000"],
])("a limit that passes, in the words of %s", async (_server, body, waits) => {
  let tried = 0;
  const server = fake(() => (tried++ > 0 ? chatSaying("a") : refusing(429, body)));
  const { timers } = await bench();
  expect(summary(await collect(providerOn(server.fetch, { timers }), { timers }))).toEqual([waits, '"a"', "end"]);
});

test("a longer wait that the text asks for is told", async () => {
  const server = fake(() => refusing(429, { error: { message: "Rate limit reached on tokens per day. Please try again in 7h12m0s." } }));
  const events = await collect(providerOn(server.fetch));
  expect(summary(events)).toEqual(["error rate-limit"]);
  expect(messageOf(events)).toContain("It asks to wait 8 hours, until ");
});

test("no connection: once more, and then told", async () => {
  const { timers } = await bench();
  const gone = fake(() => Promise.reject(new TypeError("Failed to fetch")));
  const events = await collect(providerOn(gone.fetch, { timers }), { timers });
  expect(summary(events)).toEqual(["retry in 1000", "error unreachable"]);
  for (const cause of ["connection", "address", "CORS", "blocker"]) expect(messageOf(events)).toContain(cause);
});

test("no network: told at once", async () => {
  const { provider, network, settings } = await bench({ fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
  settings.baseURL = "https://llm.example";
  network.up = false;
  const events = await collect(provider);
  expect(summary(events)).toEqual(["error unreachable"]);
  expect(messageOf(events)).toContain("offline");
});
