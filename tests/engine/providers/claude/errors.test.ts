import { describe, expect, test } from "vitest";
import { scrub } from "../../../../src/engine/providers/key.ts";
import { say, type Turn } from "../../../stand-in/claude.ts";
import { bench, collect, messageOf, request, stopOf, summary } from "./setup.ts";

/** What the server answers, and what the user is told. Every turn here ends without a second request. */
const told: readonly (readonly [what: string, turn: Turn, reason: string, message: RegExp])[] = [
  [
    "an account without credit",
    { fail: 400, type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    "billing",
    /out of credit/,
  ],
  ["billing", { fail: 402, type: "billing_error", message: "Payment required" }, "billing", /The provider said: Payment required/],
  [
    "no permission",
    { fail: 403, type: "permission_error", message: "No access to this model" },
    "forbidden",
    /doesn't allow this request \(403\)\. Check the key and the address in Settings\. The provider said: No access/,
  ],
  [
    "a dialog that is too long",
    { fail: 400, type: "invalid_request_error", message: "prompt is too long: 1200000 tokens > 1000000 maximum" },
    "too-large",
    /Continue in a new dialog, or choose a model with a larger window/,
  ],
  [
    "a body that is too large",
    { fail: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
    "too-large",
    /no longer fits in the context window of claude-sonnet-5-5/,
  ],
  [
    "a request that is wrong",
    { fail: 400, type: "invalid_request_error", message: "messages.0: oops" },
    "bad-request",
    /rejected the request \(400\)\. Try again, or choose another model\. The provider said: messages\.0: oops/,
  ],
  [
    "a page of HTML with 404",
    { raw: "<!doctype html><h1>Not found</h1>", status: 404, contentType: "text/html" },
    "unreachable",
    /^Nothing found at this address on 127\.0\.0\.1:\d+ \(404\)\. Check the address in Settings\.$/,
  ],
  ["a wrong method", { fail: 405, type: "x", message: "" }, "unreachable", /Nothing found at this address/],
  [
    "a page of HTML with 200",
    { raw: "<!doctype html><p>Welcome", contentType: "text/html; charset=utf-8" },
    "protocol",
    /Expected a message stream, but the server returned text\/html/,
  ],
  ["JSON that is no message", { raw: "[]", contentType: "application/json" }, "protocol", /the server returned application\/json/],
  ["JSON that is none", { raw: "{", contentType: "application/json" }, "protocol", /^127\.0\.0\.1:\d+ sent something that isn't JSON/],
  [
    "an error as JSON with 200",
    { raw: '{"type":"error","error":{"type":"permission_error","message":"no"}}', contentType: "application/json" },
    "forbidden",
    /The provider said: no/,
  ],
  [
    "a text as the error",
    { raw: '{"error":"model \\"x\\" not found, try pulling it first"}', status: 404, contentType: "application/json" },
    "unknown-model",
    /Choose another model/,
  ],
  [
    "a text under detail",
    { raw: '{"detail":"Unauthorized"}', status: 401, contentType: "application/json" },
    "bad-key",
    /The provider said: Unauthorized/,
  ],
  [
    "an error without words",
    { raw: '{"error":{"code":17}}', status: 400, contentType: "application/json" },
    "bad-request",
    /The provider said: \{"code":17\}/,
  ],
  ["no JSON at all", { raw: "nope\n\n\tnever", status: 400, contentType: "text/plain" }, "bad-request", /The provider said: nope never$/],
  [
    "an empty body",
    { raw: "", status: 400, contentType: "text/plain" },
    "bad-request",
    /rejected the request \(400\)\. Try again, or choose another model\.$/,
  ],
  ["an empty stream", { raw: "", contentType: "text/event-stream" }, "empty", /Vibey couldn't read the server's response/],
  [
    "a stream of nonsense",
    { raw: "event: message_start\ndata: {nonsense\n\n", contentType: "text/event-stream" },
    "protocol",
    /sent something that isn't JSON/,
  ],
  [
    "a wrong request, told in the stream",
    { ...say(""), faults: { errorAfter: { events: 1, type: "invalid_request_error", message: "oops" } } },
    "bad-request",
    /The provider said: oops/,
  ],
];

test.each(told)("%s", async (_what, turn, reason, message) => {
  const { api, provider } = await bench();
  api.play(turn);
  const events = await collect(provider);
  expect(stopOf(events)).toMatchObject({ kind: "error", reason });
  expect(messageOf(events)).toMatch(message);
  expect(messageOf(events)).not.toMatch(/\n|<!doctype/);
  expect(api.requests.length).toBe(1);
});

describe("three kinds of 401", () => {
  test("a wrong key", async () => {
    const { provider, settings } = await bench();
    settings.apiKey = "sk-ant-wrong";
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error bad-key"]);
    expect(messageOf(events)).toMatch(/rejected the API key\. Check it in Settings/);
  });

  test("an organisation that keeps browsers out is no wrong key", async () => {
    const { api, provider } = await bench();
    const message = "CORS requests are not allowed for this Organization because of custom retention settings.";
    api.play({ fail: 401, type: "authentication_error", message });
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error forbidden"]);
    expect(messageOf(events)).toMatch(/^The key is valid.*another workspace.*proxy/);
  });

  test("a header that got lost on the way", async () => {
    const { api, provider } = await bench();
    api.play({
      fail: 401,
      type: "authentication_error",
      message: "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
    });
    const events = await collect(provider);
    expect(summary(events)).toEqual(["error forbidden"]);
    expect(messageOf(events)).toMatch(/proxy, let anthropic-dangerous-direct-browser-access/);
  });
});

test("an unknown model: choose another", async () => {
  const { provider } = await bench();
  const events = await collect(provider, { request: request({ model: "claude-sonnet-4-20250514" }) });
  expect(summary(events)).toEqual(["error unknown-model"]);
  expect(messageOf(events)).toMatch(/doesn't have the model claude-sonnet-4-20250514\. Choose another model\./);
});

describe("a key is never in an error", () => {
  const key = "sk-ant-api03-AbCdEfGh_IjKl-MnOp";

  test.each([
    ["whole", `bad key ${key}!`],
    ["whole, of another kind", "bad key sk-proj-0123456789!"],
    ["its start", `bad key ${key.slice(0, 20)}…!`],
    ["its middle", `bad key ${key.slice(14, 26)}!`],
    ["masked", "bad key AbCd********MnOp!"],
    ["with a piece stuck to other letters", `bad key x${key.slice(14, 26)}y!`],
  ])("%s", (_what, said) => {
    expect(scrub(said, key)).toBe("bad key [key removed]!");
  });

  test("of a form that nobody knows", () => {
    expect(scrub("bad key ab.cd/ef+gh.ij!", "ab.cd/ef+gh.ij")).toBe("bad key [key removed]!");
  });

  test("words that are no key stay", () => {
    const said = "max_tokens: 64000 > 32000, which is the maximum **allowed** number of output tokens for claude-opus-4-1";
    expect(scrub(said, key)).toBe(said);
  });

  test.each([
    ["status", { fail: 400, message: `what is ${key}?` }],
    ["HTML-free text", { raw: `no ${key}`, status: 400, contentType: "text/plain" }],
    ["stream", { ...say(""), faults: { errorAfter: { events: 1, type: "permission_error", message: key } } }],
    ["retry", { fail: 429, type: "rate_limit_error", message: key, headers: { "retry-after": "1" } }],
  ] satisfies [string, Turn][])("in any event: %s", async (_what, turn) => {
    const { api, provider, timers } = await bench({ key });
    api.play(turn, say("there"));
    const events = JSON.stringify(await collect(provider, { timers }));
    expect(events).toContain("[key removed]");
    expect(events).not.toContain("AbCdEfGh");
  });
});
