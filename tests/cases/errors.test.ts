import { expect } from "vitest";
import { limits } from "../../src/protocol/limits.ts";
import type { Failure, WireReply } from "../stand-in/wire.ts";
import { commandCall, goesOn, incomplete, patiently, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { endOf, lineOf, requestOf, startAlone, words } from "./provider.ts";

const hello: WireReply = { blocks: [{ text: "Hello" }] };
const greeted = ["user:", "Go", "assistant:", "Hello"];

for (const failure of ["overloaded", "rate-limit", "server"] as const) {
  onWires(`62. ${failure}: asked again after a wait that the human sees`, async (name) => {
    const one = await startCase(name);
    one.wire.play({ failure, headers: { "retry-after": "3" } }, { failure }, hello);
    const turn = one.say("Go");
    const first = await one.until(({ activity }) => activity?.kind === "retrying");
    expect(first.activity).toMatchObject({ kind: "retrying", reason: expect.stringMatching(/./) as string });
    await patiently(one, turn);
    expect(await one.shown()).toEqual(greeted);
    expect([one.wire.requests.length, await one.status()]).toEqual([3, "done"]);
    await goesOn(one);
  });
}

onWires("62. without a time that can be read the wait is our own, and it grows", async (name) => {
  const { wire, world, provider } = await startAlone(name);
  wire.play({ failure: "overloaded" }, { failure: "overloaded" }, hello);
  const waits: number[] = [];
  for await (const event of provider.stream(requestOf(wire), new AbortController().signal)) {
    if (event.type !== "retry") continue;
    waits.push(event.delayMs);
    setImmediate(() => world.timers.advance(event.delayMs));
  }
  expect(waits).toEqual([1_000, 5_000]);
});

onWires("62. an account that is not paid up is not asked again", async (name) => {
  const one = await startCase(name);
  one.wire.play({ failure: "billing" });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", expect.stringMatching(/^Stop: error .*out of credit/)]);
  expect(one.wire.requests).toHaveLength(1);
  await goesOn(one);
});

onWires("62. a server that never recovers is given up after some tries", async (name) => {
  const one = await startCase(name);
  one.wire.play(...Array.from({ length: limits.requestTries }, () => ({ failure: "overloaded" as const })));
  await patiently(one, one.say("Go"));
  expect(one.wire.requests).toHaveLength(limits.requestTries);
  expect((await one.shown()).at(-1)).toMatch(/^Stop: error .*overloaded/);
  await goesOn(one);
});

for (const kind of ["overloaded", "server"] as const) {
  onWires(`63. an error (${kind}) in the stream before anything was shown is tried again`, async (name) => {
    const one = await startCase(name);
    one.wire.play({ ...hello, faults: { error: { at: "start", kind } } }, hello);
    await patiently(one, one.say("Go"));
    expect(await one.shown()).toEqual(greeted);
    expect(one.wire.requests).toHaveLength(2);
    await goesOn(one);
  });

  onWires(`63. an error (${kind}) in the midst of the text keeps it, and leaves it to the human`, async (name) => {
    const one = await startCase(name, { main: "> Authorized: run_command\n" });
    one.wire.play({ blocks: [{ text: "Hello" }, commandCall("a")], faults: { error: { at: "call", kind } } });
    await one.say("Go");
    expect(await one.shown()).toEqual([...greeted, incomplete("a"), expect.stringMatching(/^Stop: error /)]);
    expect([await one.status(), one.wire.requests.length, one.commands]).toEqual(["waiting", 1, []]);
    expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "Hello" }, { user: "What now, after 1?" }]);
  });
}

onWires(
  "64. an error object in the stream, then [DONE]: an error, and no empty answer",
  async (name) => {
    for (const error of [
      { message: "Model is broken", type: "invalid_request_error", code: null },
      { message: "Bad tool", type: "invalid_request_error", code: "tool_use_failed", failed_generation: "ls()", status_code: 400 },
    ]) {
      const { wire, ask } = await startAlone(name);
      wire.play({ raw: `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`, contentType: "text/event-stream" });
      const events = await ask();
      expect(endOf(events)).toBe("error bad-request");
      expect(lineOf(events)).toContain(error.message);
    }
  },
  ["chat"],
);

onWires("65. a wrong key is said as such, and never shown", async (name) => {
  const one = await startCase(name, { refuses: true });
  const wrong = "sk-wrong-key-0123456789-abcdef";
  await one.ask("PUT", `/provider/${one.wire.provider}`, { apiKey: wrong });
  await one.say("Go");
  expect((await one.shown()).at(-1)).toMatch(/^Stop: error .*rejected the API key/);
  expect(await one.markdown()).not.toContain(wrong);
  expect(one.wire.requests).toHaveLength(1);
  await one.ask("PUT", `/provider/${one.wire.provider}`, { apiKey: one.wire.key });
  await goesOn(one);
});

onWires(
  "65. an organisation without browsers, and a header that was lost, are not a wrong key",
  async (name) => {
    const said = [
      "CORS requests are not allowed for this Organization because of custom retention settings.",
      "CORS requests must set 'anthropic-dangerous-direct-browser-access' header",
    ];
    const lines: string[] = [];
    for (const message of said) {
      const { wire, ask } = await startAlone(name);
      wire.play({ fail: 401, type: "authentication_error", message });
      const events = await ask();
      expect(endOf(events)).toBe("error forbidden");
      lines.push(lineOf(events));
    }
    expect(lines[0]).toMatch(/key is valid/);
    expect(lines[1]).toMatch(/header/);
  },
  ["messages"],
);

onWires("66. no answer at all names what may be the cause", async (name) => {
  const { world, ask } = await startAlone(name, { fetch: () => Promise.reject(new TypeError("Failed to fetch")) });
  const turn = ask();
  setImmediate(() => world.timers.advance(1_000));
  const events = await turn;
  expect(endOf(events)).toBe("error unreachable");
  for (const cause of [/connection/, /address/, /CORS/, /blocker/]) expect(lineOf(events)).toMatch(cause);
});

onWires("66. no answer on this very device names what local servers want", async (name) => {
  const one = await startCase(name, { compatible: true });
  await one.wire.close();
  await one.say("Go");
  const last = (await one.shown()).at(-1);
  expect(last).toMatch(/^Stop: error .*OLLAMA_ORIGINS.*--cors/);
  expect(await one.status()).toBe("waiting");
});

onWires("67. an unknown model: said, the dialog stays, and another model goes on", async (name) => {
  const one = await startCase(name, { refuses: true });
  one.wire.play(hello);
  await one.say("Go");
  const before = await one.markdown();
  await one.say("And?", { provider: one.wire.provider, model: "model-of-yesterday" });
  expect((await one.shown()).at(-1)).toMatch(/^Stop: error .*doesn't have the model model-of-yesterday/);
  expect((await one.markdown()).startsWith(before)).toBe(true);
  one.wire.play(hello);
  await one.say("Now?", { provider: one.wire.provider, model: one.wire.model });
  expect([await one.status(), one.sent().at(-1)]).toEqual(["done", { user: "Now?" }]);
});

onWires("68. a dialog that is too long: said, and not blindly tried again", async (name) => {
  const one = await startCase(name);
  one.wire.play({ failure: "too-long" });
  await one.say("Go");
  expect((await one.shown()).at(-1)).toMatch(/^Stop: error .*no longer fits/);
  expect([one.wire.requests.length, await one.status()]).toEqual([1, "waiting"]);
  await goesOn(one);
});

onWires("68. 413 is too long too", async (name) => {
  const { wire, ask } = await startAlone(name);
  wire.play({ fail: 413, type: "request_too_large", message: "Request exceeds the maximum size" });
  expect(words(await ask())).toEqual(["error too-large"]);
});

onWires(
  "69. a model that takes tools on Responses only: the wire is changed, and that is remembered",
  async (name) => {
    const one = await startCase(name, { compatible: true, refuses: true, model: "gpt-6.1-sol" });
    one.wire.play({ blocks: [commandCall("a", "ls")] }, hello);
    await one.say("Go");
    await one.decide({ a: "approve" });
    expect(one.wire.requests.filter(({ refused }) => refused).at(-1)?.path).toBe("/v1/chat/completions");
    const good = one.wire.requests.filter(({ refused }) => !refused);
    expect(good.map(({ path }) => path)).toEqual(["/v1/responses", "/v1/responses"]);
    const refusals = one.wire.requests.length - good.length;
    await goesOn(one);
    expect(one.wire.requests.filter(({ refused }) => refused)).toHaveLength(refusals);
  },
  ["chat"],
);

/** Features that a server rejects, how Vibey adapts the request, and that it does so only once. */
const lessons: readonly (readonly [string, Parameters<typeof startCase>[1], (body: Record<string, unknown>) => unknown])[] = [
  ["70. max_tokens becomes max_completion_tokens", { compatible: true }, (body) => ["max_tokens" in body, "max_completion_tokens" in body]],
  [
    "70. max_completion_tokens becomes max_tokens",
    { unknownFields: ["max_completion_tokens"] },
    (body) => ["max_completion_tokens" in body, "max_tokens" in body],
  ],
  [
    "71. no role of developer",
    { noDeveloper: true },
    (body) => [JSON.stringify(body).includes('"developer"'), JSON.stringify(body).includes('"system"')],
  ],
  ["71. no stream_options", { unknownFields: ["stream_options"] }, (body) => ["stream_options" in body, "messages" in body]],
];
for (const [title, options, read] of lessons) {
  onWires(
    `${title}: changed once, and remembered`,
    async (name) => {
      const one = await startCase(name, { ...options, refuses: true });
      one.wire.play(hello);
      await one.say("Go");
      expect(await one.shown()).toEqual(greeted);
      expect(one.wire.requests.map(({ refused }) => refused !== null)).toEqual([true, false]);
      expect(one.wire.requests.map(({ body }) => read(body as Record<string, unknown>))).toEqual([
        [true, expect.any(Boolean)],
        [false, true],
      ]);
      await goesOn(one);
    },
    ["chat"],
  );
}

onWires(
  "71. parallel_tool_calls is no field of ours, so a server need not know it",
  async (name) => {
    const one = await startCase(name, { unknownFields: ["parallel_tool_calls"] });
    one.wire.play({ blocks: [commandCall("a"), commandCall("b")] }, hello);
    await one.say("Go");
    await one.decide({ a: "approve", b: "approve" });
    await goesOn(one);
  },
  ["chat", "responses"],
);

onWires(
  "72. thinking that is bound to its conversation is never sent, so it can't be refused",
  async (name) => {
    const one = await startCase(name);
    one.wire.play({ blocks: [{ thinking: true }, { text: "Hello" }] });
    await one.say("Go");
    await one.edit((markdown) => markdown.replace("Hello", "Hello there"));
    expect(await goesOn(one)).toEqual([{ user: "Go" }, { assistant: "Hello there" }, { user: "What now, after 1?" }]);
  },
  ["messages", "responses"],
);

const bodies: readonly (readonly [string, string, string, string])[] = [
  ["plain text", "text/plain", "upstream connect error", "upstream connect error"],
  ["an error that is a text", "application/json", '{"error":"the model is loading"}', "the model is loading"],
  ["a code that is a number", "application/json", '{"error":{"message":"no such route","code":422}}', "no such route"],
  ["a list of one", "application/json", '[{"error":{"message":"not allowed here","code":400}}]', "not allowed here"],
  ["a detail", "application/json", '{"detail":[{"loc":["body"],"msg":"field required"}]}', "field required"],
  ["a page", "text/html", "<!doctype html><h1>Bad Gateway</h1>", "(422)"],
  ["nothing", "text/plain", "", "(422)"],
  ["JSON that is cut", "application/json", '{"error":{"mess', "(422)"],
];
for (const [what, contentType, raw, said] of bodies) {
  onWires(`73. an error body of ${what} is one readable line`, async (name) => {
    const { wire, ask } = await startAlone(name);
    wire.play({ raw, status: 422, contentType });
    const events = await ask();
    expect(endOf(events)).toBe("error bad-request");
    expect(lineOf(events)).toContain(said);
    expect(lineOf(events)).not.toMatch(/\n|undefined|\[object|<h1>/);
  });
}

onWires("73. a key that a server says back is not passed on", async (name) => {
  for (const failure of ["bad-request", "too-long", "billing"] satisfies Failure[]) {
    const { wire, ask } = await startAlone(name);
    wire.play({ failure, message: `Your key ${wire.key} is too long: context window` });
    expect(JSON.stringify(await ask())).not.toContain(wire.key);
  }
});
