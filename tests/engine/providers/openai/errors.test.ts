import { describe, expect, test } from "vitest";
import { fake, refusing, streaming } from "./fake.ts";
import { bench, collect, messageOf, providerOn, request, responsesModel, stopOf, summary } from "./setup.ts";

const json = (status: number, body: unknown) => () => refusing(status, body);
const text =
  (status: number, body: string, type = "text/plain") =>
  () =>
    new Response(body === "" ? null : body, { status, headers: { "content-type": type } });
const stream =
  (...events: unknown[]) =>
  () =>
    streaming(events.map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`)).join(""));
const error = (message: string, more: object = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...more },
});

/** What a server answers, and what the user is told. Every answer here ends without a second request. */
const told: readonly (readonly [what: string, answer: () => Response, reason: string, message: RegExp])[] = [
  [
    "a wrong key",
    json(401, error("Incorrect API key provided", { code: "invalid_api_key" })),
    "bad-key",
    /rejected the API key\. Check it/,
  ],
  ["a wrong key, of Google", json(400, [error("API key not valid. Please pass a valid API key.")]), "bad-key", /rejected the API key/],
  [
    "a wrong key, of a router",
    json(401, { error: { message: "User not found.", code: 401 } }),
    "bad-key",
    /The provider said: User not found/,
  ],
  [
    "no credit left",
    json(402, { error: { message: "Insufficient credits", code: 402 } }),
    "billing",
    /out of credit.*Insufficient credits/,
  ],
  [
    "a quota that is used up comes as 429",
    json(429, error("You exceeded your current quota, please check your plan and billing details.", { type: "insufficient_quota" })),
    "billing",
    /out of credit or over its spending limit/,
  ],
  ...[
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)",
    "The decoder prompt is too long. Please reduce the length of the prompt.",
  ].map((message): (typeof told)[number] => [`too long a dialog: ${message}`, json(400, error(message)), "too-large", /no longer fits/]),
  [
    "no permission",
    json(403, error("Country not supported")),
    "forbidden",
    /doesn't allow this request \(403\)\. Check the key and the address in Settings\. The provider said: Country/,
  ],
  ["a model that is not known", json(404, error("no", { code: "model_not_found" })), "unknown-model", /doesn't have the model gpt-5\.5\./],
  ["the same, of Ollama", json(404, { error: { message: "model 'x' not found, try pulling it first" } }), "unknown-model", /gpt-5\.5/],
  ["the same, of a router", json(400, { error: { message: "x/y is not a valid model ID", code: 400 } }), "unknown-model", /gpt-5\.5/],
  [
    "the same, of xAI",
    json(400, { code: "x", error: "The model x does not exist or your team has no access" }),
    "unknown-model",
    /gpt-5\.5/,
  ],
  [
    "a page of HTML with 404",
    text(404, "<!doctype html><h1>Not found</h1>", "text/html"),
    "unreachable",
    /Nothing found at this address on llm\.example \(404\)/,
  ],
  [
    "no such path",
    json(404, { detail: "Not Found" }),
    "unreachable",
    /Nothing found at this address on llm\.example \(404\).*The provider said: Not Found/,
  ],
  ["a wrong method", text(405, ""), "unreachable", /Nothing found at this address/],
  [
    "a dialog that is too long",
    json(400, error("This model's maximum context length is 400000 tokens.", { code: "context_length_exceeded" })),
    "too-large",
    /Continue in a new dialog, or choose a model with a larger window/,
  ],
  [
    "the same, of llama.cpp",
    json(400, { error: { code: 400, message: "the request exceeds the available context size", type: "exceed_context_size_error" } }),
    "too-large",
    /Continue in a new dialog/,
  ],
  ["a body that is too large", text(413, ""), "too-large", /no longer fits in the context window of gpt-5\.5/],
  [
    "a request that is wrong",
    json(400, error("messages.0: oops")),
    "bad-request",
    /rejected the request \(400\)\. Try again, or choose another model\. The provider said: messages\.0: oops/,
  ],
  ["a list of what is wrong", json(422, { detail: [{ loc: ["body"], msg: "field required" }] }), "bad-request", /field required/],
  ["a text as the error", json(400, { error: "no such thing" }), "bad-request", /The provider said: no such thing/],
  ["an error without words", json(400, { error: { code: 17 } }), "bad-request", /The provider said: \{"code":17\}/],
  [
    "what the server behind a router said",
    json(400, { error: { message: "Provider returned error", code: 400, metadata: { raw: "bad tool" } } }),
    "bad-request",
    /Provider returned error: bad tool/,
  ],
  ["no JSON at all", text(400, "nope\n\n\tnever"), "bad-request", /The provider said: nope never$/],
  ["an empty body", text(400, ""), "bad-request", /rejected the request \(400\)\. Try again, or choose another model\.$/],
  ["an empty stream", stream(), "empty", /Vibey couldn't read the server's response/],
  ["[DONE] alone", stream("data: [DONE]\n\n"), "empty", /Vibey couldn't read the server's response/],
  ["a stream of nonsense", stream("data: {nonsense\n\n"), "protocol", /^llm\.example sent something that isn't JSON\. Try again\./],
  [
    "a page of HTML with 200",
    text(200, "<!doctype html><p>Welcome", "text/html"),
    "protocol",
    /Expected a message stream, but the server returned text\/html/,
  ],
  ["JSON that is no response", json(200, []), "protocol", /the server returned application\/json/],
  ["an error as JSON with 200", json(200, error("no", { code: "model_not_found" })), "unknown-model", /gpt-5\.5/],
  ["an error in the stream, then [DONE]", stream(error("oops"), "data: [DONE]\n\n"), "bad-request", /The provider said: oops/],
  [
    "an error in the stream, as an event",
    stream('event: error\ndata: {"error":{"message":"oops","type":"invalid_request_error"}}\n\n'),
    "bad-request",
    /oops/,
  ],
  [
    "an error that is an event of its own",
    stream('event: error\ndata: {"type":"error","code":"invalid_prompt","message":"oops","param":null}\n\n'),
    "bad-request",
    /The provider said: oops/,
  ],
  [
    "a tool call that the server could not read",
    stream({
      error: { message: "Failed to call a function.", type: "invalid_request_error", code: "tool_use_failed", failed_generation: "<f" },
    }),
    "bad-request",
    /Failed to call a function/,
  ],
];

test.each(told)("%s", async (_what, answer, reason, message) => {
  const server = fake(answer);
  const provider = providerOn(server.fetch);
  const events = await collect(provider);
  expect(stopOf(events)).toMatchObject({ kind: "error", reason });
  expect(messageOf(events)).toMatch(message);
  expect(messageOf(events)).not.toMatch(/\n|<!doctype/);
  expect(server.asked.length).toBe(1);
});

describe("a server on this machine", () => {
  test("that refuses the page says nothing, so the text says what is usually missing", async () => {
    const events = await collect(providerOn(fake(text(403, "")).fetch, { baseURL: "http://localhost:11434" }));
    for (const hint of ["OLLAMA_ORIGINS", "lms server start --cors"]) expect(messageOf(events)).toContain(hint);
  });

  test("that does not answer", async () => {
    const gone = () => Promise.reject<Response>(new TypeError("Failed to fetch"));
    const events = await collect(providerOn(gone, { baseURL: "http://localhost:1234/v1" }));
    expect(summary(events)).toEqual(["error unreachable"]);
    for (const hint of ["OLLAMA_ORIGINS", "lms server start --cors"]) expect(messageOf(events)).toContain(hint);
  });

  test("that wants a key although none is there", async () => {
    const events = await collect(providerOn(fake(json(401, { error: "Unauthorized" })).fetch, { apiKey: null }));
    expect(messageOf(events)).toMatch(/^llm\.example needs an API key\. Add one in Settings/);
  });
});

test("an error behind text keeps the text", async () => {
  const chunk = { choices: [{ delta: { content: "Hello" } }] };
  const server = fake(stream(chunk, { error: { message: "overloaded", code: 503 } }, "data: [DONE]\n\n"));
  expect(summary(await collect(providerOn(server.fetch)))).toEqual(['"Hello"', "error server"]);
});

test("a finish reason that is an error", async () => {
  const server = fake(stream({ choices: [{ delta: { content: "Hello" } }] }, { choices: [{ delta: {}, finish_reason: "error" }] }));
  expect(summary(await collect(providerOn(server.fetch)))).toEqual(['"Hello"', "error server"]);
});

describe("a key is never in an event", () => {
  const key = "sk-proj-AbCdEfGh_IjKl-MnOp";
  test.each([
    ["status", json(400, error(`what is ${key}?`))],
    ["text", text(400, `no ${key}`)],
    ["stream", stream(error(`no ${key}`))],
    ["JSON with 200", json(200, error(`no ${key}`))],
    ["nonsense", stream(`data: ${key}\n\n`)],
  ])("%s", async (_what, answer) => {
    const events = JSON.stringify(await collect(providerOn(fake(answer).fetch, { apiKey: key })));
    expect(events).not.toContain("AbCdEfGh");
    expect(events).toContain("error");
  });

  test("a wrong one, echoed by the server", async () => {
    const { provider, settings } = await bench({ official: true });
    settings.apiKey = "sk-proj-wrong-0123456789";
    for (const model of ["gpt-5.5", responsesModel]) {
      const events = await collect(provider, { request: request({ model }) });
      expect(summary(events)).toEqual(["error bad-key"]);
      expect(messageOf(events)).not.toMatch(/wrong-|6789/);
    }
  });
});
