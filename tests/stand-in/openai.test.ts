import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenAiOptions, type OpenAiStandIn, say, startOpenAi } from "./openai.ts";

let api: OpenAiStandIn;
beforeEach(async () => {
  api = await startOpenAi();
});
afterEach(() => api.close());

const chat = { model: "gpt-5.5", messages: [{ role: "user", content: "hi" }], stream: true };
const responses = { model: "gpt-6.1-sol", input: "hi", stream: true, store: false };
const bodies: Readonly<Record<string, object>> = { "chat/completions": chat, responses };
const paths = Object.keys(bodies);

function post(path: string, more: Record<string, string | null> = {}, body: object | undefined = bodies[path], to = api) {
  const given = { "content-type": "application/json", authorization: `Bearer ${to.key}`, ...more };
  const headers = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null);
  return fetch(`${to.url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function refusal(response: Response): Promise<{ status: number; message: string; code: string | null }> {
  const { error } = (await response.json()) as { error: { message: string; code: string | null } };
  return { status: response.status, message: error.message, code: error.code };
}

async function events(response: Response): Promise<string[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.replace(/^event: .*\n/, "").replace("data: ", ""));
}

describe.each(paths)("%s", (path) => {
  test("no key, and a wrong key, which is not said back whole", async () => {
    expect(await refusal(await post(path, { authorization: null }))).toMatchObject({ status: 401, code: null });
    const wrong = await refusal(await post(path, { authorization: "Bearer sk-proj-not-the-right-one" }));
    expect(wrong).toMatchObject({ status: 401, code: "invalid_api_key", message: expect.stringContaining("Incorrect API key") });
    expect(wrong.message).not.toContain("not-the-right");
  });

  test("a body of another type", async () => {
    expect((await refusal(await post(path, { "content-type": "text/plain" }))).status).toBe(415);
  });

  test("a page may read the answer, its headers but one not", async () => {
    api.play(say("hello"));
    const response = await post(path, { origin: "https://vibey.example" });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("x-request-id");
  });

  test("plays its turns in order and records what came", async () => {
    api.play(say("one"), (request) => say(request.headers["authorization"] ?? ""));
    await (await post(path)).text();
    expect(await (await post(path)).text()).toContain("Be");
    expect(await (await post(path)).text()).toContain("no turn left");
    expect(api.requests.map((request) => request.path)).toEqual([`/v1/${path}`, `/v1/${path}`, `/v1/${path}`]);
    expect(api.requests[0]?.raw).toBe(JSON.stringify(bodies[path]));
  });

  test("fails as it is told", async () => {
    api.play({ fail: 429, type: "insufficient_quota", code: "insufficient_quota", message: "no more", headers: { "retry-after": "9" } });
    const response = await post(path);
    expect(response.headers.get("retry-after")).toBe("9");
    expect(await refusal(response)).toEqual({ status: 429, code: "insufficient_quota", message: "no more" });
  });

  test("faults: a cut, one byte at a time", async () => {
    api.play({ ...say("hello"), faults: { cutAfterBytes: 100, pieceBytes: 1 } });
    await expect((await post(path)).text()).rejects.toThrow();
  });

  test("what is sent can be changed", async () => {
    api.play({ ...say("hello"), faults: { edit: (all) => [{ changed: all.length }] } });
    expect((await events(await post(path)))[0]).toMatch(/^\{"changed":\d+\}$/);
  });
});

describe("the stream of Chat Completions", () => {
  const chunks = async (body: object) =>
    (await events(await post("chat/completions", {}, body))).map((text) => (text === "[DONE]" ? text : JSON.parse(text)));

  test("text: the role first, the reason to stop, the usage only when it was asked for, [DONE]", async () => {
    api.play(say("hello"), say("hello"));
    const plain = await chunks(chat);
    expect(plain.map((chunk) => chunk.choices?.[0]?.delta ?? chunk)).toEqual([
      { role: "assistant", content: "", refusal: null },
      { content: "hel" },
      { content: "lo" },
      {},
      "[DONE]",
    ]);
    expect(plain.at(-2)).toMatchObject({ choices: [{ finish_reason: "stop" }] });
    expect(plain.some((chunk) => "usage" in Object(chunk))).toBe(false);

    const counted = await chunks({ ...chat, stream_options: { include_usage: true } });
    expect(counted[0].usage).toBeNull();
    expect(counted.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  });

  test("a call: the role with the first of it, then its arguments in pieces", async () => {
    api.play({
      blocks: [
        { call: "run_command", id: "c1", input: {} },
        { call: "run_command", id: "c2" },
      ],
    });
    const deltas = (await chunks(chat)).map((chunk) => chunk.choices?.[0]?.delta?.tool_calls?.[0]);
    expect(deltas).toEqual([
      { index: 0, id: "c1", type: "function", function: { name: "run_command", arguments: "" } },
      { index: 0, function: { arguments: "{}" } },
      { index: 1, id: "c2", type: "function", function: { name: "run_command", arguments: "" } },
      undefined,
      undefined,
    ]);
  });

  test("cached tokens are part of the prompt's", async () => {
    api.play({ ...say("a"), usage: { input: 1, cacheRead: 20, cacheWrite: 300, output: 4 } });
    const usage = (await chunks({ ...chat, stream_options: { include_usage: true } })).at(-2).usage;
    expect(usage).toMatchObject({ prompt_tokens: 321, prompt_tokens_details: { cached_tokens: 20 }, total_tokens: 325 });
  });
});

test("the stream of Responses: each item is added, grows and is done", async () => {
  api.play({ blocks: [{ thinking: true }, { text: "hello" }, { call: "run_command", id: "c1", input: {} }] });
  const all = (await events(await post("responses"))).map((text) => JSON.parse(text));
  expect(all.map(({ type }) => type.replace("response.", ""))).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "output_item.done",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "completed",
  ]);
  expect(all.map(({ sequence_number: number }) => number)).toEqual(all.map((_event, index) => index));
  expect(all.at(-1).response).toMatchObject({
    status: "completed",
    usage: { total_tokens: 15 },
    output: [{}, {}, { call_id: "c1", arguments: "{}" }],
  });
});

describe("what OpenAI's own client makes of the streams", () => {
  const client = () => new OpenAI({ apiKey: api.key, baseURL: `${api.url}/v1`, maxRetries: 0 });
  const turn = { blocks: [{ text: "hello" }, { call: "run_command", id: "c1", input: { command: "ls" } }] };

  test("Chat Completions", async () => {
    api.play(turn);
    const stream = client().chat.completions.stream({
      model: "gpt-5.5",
      messages: [{ role: "user", content: "hi" }],
      stream_options: { include_usage: true },
    });
    expect(await stream.finalChatCompletion()).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: { content: "hello", tool_calls: [{ id: "c1", function: { name: "run_command", arguments: '{"command":"ls"}' } }] },
        },
      ],
      usage: { total_tokens: 15 },
    });
  });

  test("Responses", async () => {
    api.play(turn);
    const stream = client().responses.stream({ model: "gpt-6.1-sol", input: "hi", store: false });
    expect(await stream.finalResponse()).toMatchObject({
      status: "completed",
      output_text: "hello",
      output: [{ type: "message" }, { type: "function_call", call_id: "c1", name: "run_command", arguments: '{"command":"ls"}' }],
      usage: { total_tokens: 15 },
    });
  });
});

describe("preflight", () => {
  test.each([
    ["what the SDK sends", {}, "authorization,content-type,x-stainless-os", "*"],
    ["a header of another provider", {}, "authorization,anthropic-version", null],
    ["a server that refuses x-stainless-*", { noStainless: true }, "authorization,x-stainless-os", null],
    ["a server for no page", { noBrowsers: true }, "authorization", null],
  ] as const)("%s", async (_name, options, names, allowed) => {
    await using other = await startDisposable(options);
    const response = await fetch(`${other.url}/v1/responses`, {
      method: "OPTIONS",
      headers: { origin: "https://vibey.example", "access-control-request-method": "POST", "access-control-request-headers": names },
    });
    expect(response.headers.get("access-control-allow-origin")).toBe(allowed);
  });
});

test("the list of models is one page", async () => {
  const response = await fetch(`${api.url}/v1/models`, { headers: { authorization: `Bearer ${api.key}` } });
  expect(await response.json()).toMatchObject({
    object: "list",
    data: expect.arrayContaining([expect.objectContaining({ id: "gpt-5.5" })]),
  });
});

test("a server without Responses, and an address of nothing", async () => {
  await using other = await startDisposable({ noResponses: true });
  expect(await refusal(await post("responses", {}, responses, other))).toMatchObject({
    status: 404,
    message: "Invalid URL (POST /v1/responses)",
  });
  expect((await refusal(await post("engines", {}, {}))).status).toBe(404);
});

async function startDisposable(options: OpenAiOptions) {
  const server = await startOpenAi(options);
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}
