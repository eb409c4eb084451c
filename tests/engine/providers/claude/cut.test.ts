import { describe, expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { say, streamText } from "../../../stand-in/claude.ts";
import { manualTimers } from "../timers.ts";
import { bench, collect, messageOf, providerOn, summary, until } from "./setup.ts";

const reply = { blocks: [{ text: "Hello, world" }, { call: "run_command", id: "a", input: { command: "ls" } }, { text: "later" }] };
const upTo = (word: string) => {
  const text = streamText(reply);
  return Buffer.byteLength(text.slice(0, text.indexOf(word)));
};

const text = (said: string) => [{ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } }];
const opened = { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "1", name: "b", input: {} } };
const call = [
  opened,
  { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
  { type: "content_block_stop", index: 1 },
];
const reason = (stop_reason: string | null) => [{ type: "message_delta", delta: { stop_reason } }];

describe("a cut connection is interrupted: text and whole calls are kept, in their order", () => {
  test("in the text", async () => {
    const { api, provider } = await bench();
    api.play({ ...reply, faults: { cutAfterBytes: upTo('"run_command"') } });
    expect(summary(await collect(provider))).toEqual(['"Hello, world"', "interrupted"]);
  });

  test("in a call", async () => {
    const { api, provider } = await bench();
    api.play({ ...reply, faults: { cutAfterBytes: upTo('content_block_stop","index":1') } });
    expect(summary(await collect(provider))).toEqual(['"Hello, world"', "run_command[a]…", "interrupted"]);
  });

  test("behind a whole call", async () => {
    const { api, provider } = await bench();
    api.play({ ...reply, faults: { cutAfterBytes: upTo("event: message_delta") } });
    const events = await collect(provider);
    expect(summary(events)).toEqual(['"Hello, world"', 'run_command[a]{"command":"ls"}', '"later"', "interrupted"]);
    expect(messageOf(events)).toBe("The connection was lost before the response finished.");
  });

  test("a clean end without any sign of it", async () => {
    const { api, provider } = await bench();
    api.play({ ...reply, faults: { noEnd: true } });
    expect(summary(await collect(provider))).toEqual(['"Hello, world"', 'run_command[a]{"command":"ls"}', '"later"', "interrupted"]);
  });

  /** Some proxies send a stop reason without `message_stop` after it. */
  test.each<[string, readonly (readonly object[])[], readonly string[]]>([
    ["a reason, then nothing", [text("a"), call, reason("tool_use")], ['"a"', "b[1]{}", "end"]],
    ["a reason that is a limit", [text("a"), reason("max_tokens")], ['"a"', "max_tokens"]],
    ["no reason", [text("a"), call, reason(null)], ['"a"', "b[1]{}", "interrupted"]],
    ["an empty reason", [text("a"), call, reason("")], ['"a"', "b[1]{}", "interrupted"]],
    ["a reason with each piece, and a cut", [text("a"), reason("end_turn"), text("b")], ['"ab"', "interrupted"]],
    ["a reason with each piece", [text("a"), reason("end_turn"), text("b"), reason("end_turn")], ['"ab"', "end"]],
    ["a reason before its call is whole", [text("a"), [opened], reason("tool_use")], ['"a"', "b[1]…", "interrupted"]],
    ["an error behind the reason", [text("a"), reason("end_turn"), [{ type: "error", error: { message: "x" } }]], ['"a"', "end"]],
  ])("a clean end without message_stop: %s", async (_what, events, expected) => {
    const body = events.flat().map((event) => `data: ${JSON.stringify(event)}\n\n`);
    const provider = providerOn(async () => new Response(body.join(""), { headers: { "content-type": "text/event-stream" } }));
    expect(summary(await collect(provider))).toEqual(expected);
  });

  test("it is not asked again", async () => {
    const { api, provider } = await bench();
    api.play({ ...reply, faults: { cutAfterBytes: 200 } });
    await collect(provider);
    expect(api.requests.length).toBe(1);
  });
});

describe("a stalled stream is interrupted when the time is up, not before", () => {
  test("in the middle", async () => {
    const { api, provider, timers } = await bench();
    api.play({ ...reply, faults: { stallAfterBytes: upTo('"run_command"') } });
    const done = collect(provider);
    await until(() => timers.waiting.includes(limits.streamIdleMs));
    let over = false;
    void done.finally(() => {
      over = true;
    });
    timers.advance(limits.streamIdleMs - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    timers.advance(1);
    const events = await done;
    expect(summary(events)).toEqual(['"Hello, world"', "interrupted"]);
    expect(messageOf(events)).toContain("stalled");
    expect(await api.requests[0]?.left).toBe(true);
    expect(timers.waiting).toEqual([]);
  });

  test("before any answer: the official server is not waited for as long as one's own", async () => {
    for (const [official, ms] of [
      [true, limits.streamIdleMs],
      [undefined, limits.firstByteMs],
    ] as const) {
      const { api, provider, timers } = await bench(official ? { official } : {});
      api.play({ silence: true });
      const done = collect(provider);
      await until(() => timers.waiting.length > 0 && api.requests.length > 0);
      expect(timers.waiting).toEqual([ms]);
      timers.advance(ms);
      expect(summary(await done)).toEqual(["interrupted"]);
    }
  });

  test("bytes that say nothing count as life", async () => {
    const timers = manualTimers();
    const pieces = streamText(say("a"), { comments: true, pings: true }).match(/.{1,20}/gs) ?? [];
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      pull(controller) {
        const next = pieces.shift();
        if (next === undefined) return controller.close();
        // Almost the whole idle time passes before each piece. All pieces together take far longer.
        timers.advance(limits.streamIdleMs - 1);
        controller.enqueue(encoder.encode(next));
      },
    });
    const provider = providerOn(async () => new Response(body, { headers: { "content-type": "text/event-stream" } }), timers);
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });
});
