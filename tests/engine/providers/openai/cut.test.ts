import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { chatStreamText, responsesStreamText, say } from "../../../stand-in/openai.ts";
import { manualTimers } from "../timers.ts";
import { fake } from "./fake.ts";
import { bench, chatModel, collect, messageOf, providerOn, request, responsesModel, summary, until } from "./setup.ts";

const reply = { blocks: [{ text: "Hello, world" }, { call: "run_command", id: "a", input: { command: "ls" } }] };

describe.each([
  [chatModel, chatStreamText(reply), '"finish_reason":"tool_calls"'],
  [responsesModel, responsesStreamText(reply), "event: response.completed"],
] as const)("%s", (model, whole, last) => {
  const asking = request({ model });
  const upTo = (word: string) => Buffer.byteLength(whole.slice(0, whole.lastIndexOf("\n\n", whole.indexOf(word)) + 2));

  test.each([
    ["before a call", "run_command", []],
    ["behind a whole call", last, ['run_command[a]{"command":"ls"}']],
  ])("cut %s: what is whole is kept, it is not asked again", async (_what, word, kept) => {
    const { api, provider } = await bench({ official: true });
    api.play({ ...reply, faults: { cutAfterBytes: upTo(word) } });
    const events = await collect(provider, { request: asking });
    expect(summary(events)).toEqual(['"Hello, world"', ...kept, "interrupted"]);
    expect(messageOf(events)).toBe("The connection was lost before the response finished.");
    expect(api.requests.length).toBe(1);
  });

  test("stalled: it is over when the time is up, not before", async () => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ ...reply, faults: { stallAfterBytes: upTo(last) } });
    let text = "";
    const done = collect(provider, { request: asking, on: (event) => event.type === "text" && (text += event.text) });
    await until(() => text === "Hello, world" && timers.waiting.includes(limits.streamIdleMs));
    let over = false;
    void done.finally(() => {
      over = true;
    });
    timers.advance(limits.streamIdleMs - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    timers.advance(1);
    const events = await done;
    expect(summary(events)).toEqual(['"Hello, world"', 'run_command[a]{"command":"ls"}', "interrupted"]);
    expect(messageOf(events)).toContain("stalled");
    expect(timers.waiting).toEqual([]);
  });

  test("a server that keeps the connection open after the end is not waited for", async () => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ ...reply, faults: { stallAfterBytes: Buffer.byteLength(whole) } });
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"Hello, world"', 'run_command[a]{"command":"ls"}', "end"]);
    expect(await api.requests[0]?.left).toBe(true);
    expect(timers.waiting).toEqual([]);
  });
});

test("a late count of tokens is waited for a little while, and no longer", async () => {
  const { api, provider, timers, settings } = await bench();
  settings.baseURL = api.url;
  const whole = chatStreamText(say("a"), {}, false);
  api.play({ ...say("a"), usage: null, faults: { stallAfterBytes: Buffer.byteLength(whole.slice(0, whole.indexOf("data: [DONE]"))) } });
  const done = collect(provider, { request: request({ model: "gpt-4o" }) });
  await until(() => timers.waiting.includes(limits.afterEndMs));
  timers.advance(limits.afterEndMs);
  expect(summary(await done)).toEqual(['"a"', "end"]);
});

test("a reason to end that was none is no end: what follows may take its time, and a cut is one", async () => {
  const chunk = (delta: object, finish_reason: string | null) => `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
  const first = chunk({ content: "a" }, "stop");
  const timers = manualTimers();
  let more: (text: string | null) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = (text) => (text === null ? controller.close() : controller.enqueue(new TextEncoder().encode(text)));
      more(first);
    },
  });
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const done = collect(providerOn(answer, { timers }));
  await until(() => timers.waiting.includes(limits.afterEndMs));
  more(chunk({ content: "b" }, null));
  await until(() => timers.waiting.includes(limits.streamIdleMs));
  timers.advance(limits.afterEndMs);
  more(null);
  expect(summary(await done)).toEqual(['"ab"', "interrupted"]);
});

test("a reason to end before the first word is none: the model may think as long as it takes", async () => {
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta, finish_reason: "stop" }] })}\n\n`;
  const timers = manualTimers();
  let more: (text: string | null) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = (text) => (text === null ? controller.close() : controller.enqueue(new TextEncoder().encode(text)));
      more(chunk({ role: "assistant", content: "" }));
    },
  });
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const done = collect(providerOn(answer, { timers }));
  for (const delta of [{ reasoning_content: "Hm" }, { reasoning_content: " well" }, { content: "a" }]) {
    await until(() => timers.waiting.includes(limits.thinkingMs));
    timers.advance(limits.afterEndMs);
    more(chunk(delta));
  }
  more(null);
  expect(summary(await done)).toEqual(["thinking", '"a"', "end"]);
});

test.each([
  ["pings without an end", ": ping\n\n", "max_tokens"],
  ["an error", `data: ${JSON.stringify({ error: { message: "The model crashed.", code: 400 } })}\n\n`, "error bad-request"],
])("after a reason to end and no word comes %s", async (_what, next, end) => {
  const delta = { reasoning_content: "Hm" };
  const chunk = `data: ${JSON.stringify({ choices: [{ delta, finish_reason: "length" }] })}\n\n`;
  const timers = manualTimers();
  let more: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = (text) => controller.enqueue(new TextEncoder().encode(text));
      more(chunk);
    },
  });
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  let thinks = false;
  const done = collect(providerOn(answer, { timers }), { on: ({ type }) => (thinks ||= type === "thinking") });
  await until(() => thinks && timers.waiting.includes(limits.thinkingMs));
  timers.advance(limits.thinkingMs - 1);
  more(next);
  if (end === "max_tokens") {
    // The ping is read, and the rest of the time goes on.
    await new Promise((resolve) => setImmediate(resolve));
    expect(timers.waiting).toEqual([1]);
    timers.advance(1);
  }
  expect(summary(await done)).toEqual(["thinking", end]);
});

test("where each piece gives a reason to end, none of them is one: the next may take its time", async () => {
  const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: "stop" }] })}\n\n`;
  const timers = manualTimers();
  let more: (text: string | null) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = (text) => (text === null ? controller.close() : controller.enqueue(new TextEncoder().encode(text)));
      more(chunk("a"));
    },
  });
  const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  const done = collect(providerOn(answer, { timers }));
  await until(() => timers.waiting.includes(limits.afterEndMs));
  more(chunk("b"));
  await until(() => timers.waiting.includes(limits.streamIdleMs));
  timers.advance(limits.afterEndMs);
  more(chunk("c"));
  more(null);
  expect(summary(await done)).toEqual(['"abc"', "end"]);
});

describe("a model that thinks without a sign of life", () => {
  const role = 'data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n';
  const word = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';
  test.each([
    ["before its first byte, at OpenAI", "https://api.openai.com", "", limits.thinkingMs],
    ["before its first byte, elsewhere", "https://llm.example", "", limits.firstByteMs],
    ["before its first word", "https://llm.example", role, limits.thinkingMs],
    ["behind it", "https://llm.example", role + word, limits.streamIdleMs],
  ])("%s", async (_when, baseURL, sent, ms) => {
    const timers = manualTimers();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => (sent === "" ? undefined : controller.enqueue(new TextEncoder().encode(sent))),
    });
    const answer = () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
    const done = collect(providerOn(answer, { timers, baseURL }));
    await until(() => timers.waiting.includes(ms));
    expect(timers.waiting).toEqual([ms]);
    timers.advance(ms);
    expect(summary(await done).at(-1)).toBe("interrupted");
  });
});

describe("after an abort the end follows at once", () => {
  test.each([chatModel, responsesModel])("at every event, %s", async (model) => {
    const asking = request({ model });
    const { api, provider } = await bench({ official: true });
    api.play(reply);
    const whole = (await collect(provider, { request: asking })).length;
    for (let at = 0; at < whole - 1; at++) {
      api.play(reply);
      const stop = new AbortController();
      const events = await collect(provider, { request: asking, signal: stop.signal, on: (_event, index) => index === at && stop.abort() });
      expect(summary(events).at(-1)).toBe("aborted");
      expect(events.length).toBe(at + 2);
    }
  });

  test("before the request: nothing is sent", async () => {
    const server = fake(() => Promise.reject(new Error("sent")));
    expect(summary(await collect(providerOn(server.fetch), { signal: AbortSignal.abort() }))).toEqual(["aborted"]);
    expect(server.asked.length).toBe(0);
  });

  test("before the first byte", async () => {
    const { api, provider, timers } = await bench();
    api.play({ silence: true });
    const stop = new AbortController();
    const done = collect(provider, { request: request({ model: "gpt-4o" }), signal: stop.signal });
    await until(() => api.requests.length === 1);
    stop.abort();
    expect(summary(await done)).toEqual(["aborted"]);
    expect(timers.waiting).toEqual([]);
  });

  test("while it waits to ask again: no further request", async () => {
    const { api, provider, timers } = await bench({ official: true });
    api.play({ fail: 529, headers: { "retry-after": "60" } }, say("too late"));
    const stop = new AbortController();
    const done = collect(provider, { signal: stop.signal });
    await until(() => timers.waiting.includes(60_000));
    stop.abort();
    expect(summary(await done)).toEqual(["retry in 60000", "aborted"]);
    expect(api.requests.length).toBe(1);
  });

  test("although the real fetch takes no notice", async () => {
    const stop = new AbortController();
    const deaf = providerOn(() => new Promise(() => {}));
    const done = collect(deaf, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect(summary(await done)).toEqual(["aborted"]);
  });

  test("of a reader that leaves", async () => {
    const { api, provider } = await bench({ official: true });
    const whole = chatStreamText(reply);
    api.play({ ...reply, faults: { stallAfterBytes: whole.indexOf("arguments") } });
    for await (const event of provider.stream(request(), new AbortController().signal)) if (event.type === "text") break;
    expect(await api.requests[0]?.left).toBe(true);
  });
});
