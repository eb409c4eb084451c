import { expect } from "vitest";
import { limits } from "../../src/protocol/limits.ts";
import type { WireEvent } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { commandCall, goesOn, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";
import { endOf, lineOf, startAlone, until, words } from "./provider.ts";

const reply: WireReply = { blocks: [{ text: "Grüße \u{1F600}, line one\nline two" }, commandCall("a", "ls")] };
const plain = ['"Grüße \u{1F600}, line one\\nline two"', 'run_command[a] {"command":"ls"}', "end"];
const stream = "text/event-stream";

/** Different spellings of the same events. */
const spellings: readonly (readonly [string, (body: string) => string])[] = [
  ["CRLF", (body) => body.replaceAll("\n", "\r\n")],
  ["CR alone", (body) => body.replaceAll("\n", "\r")],
  ["a byte order mark", (body) => `\ufeff${body}`],
  ["no space behind data:", (body) => body.replaceAll("data: ", "data:")],
  ["data in several lines", (body) => body.replace(/^data: (\{"[^"]*":"[^"]*"),/gm, "data: $1\ndata: ,")],
  ["fields that nobody knows", (body) => body.replaceAll("data: ", "id: 7\nretry: 9\nweather: clear\ndata: ")],
  ["empty lines between events", (body) => body.replaceAll("\n\n", "\n\n\n\n")],
];
for (const [title, spell] of spellings) {
  onWires(`39. ${title}: the same response`, async (name) => {
    const { wire, ask } = await startAlone(name);
    const written = spell(wire.body(reply));
    expect(written).not.toBe(wire.body(reply));
    wire.play({ raw: written, contentType: stream });
    expect(words(await ask())).toEqual(plain);
  });
}

onWires("40. comments are no part of the response", async (name) => {
  const { wire, ask } = await startAlone(name);
  wire.play({ ...reply, faults: { comments: true } });
  expect(words(await ask())).toEqual(plain);
});

onWires("40. comments count as life", async (name) => {
  const waits: (() => void)[] = [];
  const { wire, world, ask } = await startAlone(name, {
    fetch: async () => {
      const pieces =
        wire
          .body(reply)
          .replace(/^/, ": keep-alive\n\n".repeat(5))
          .match(/[\s\S]{1,30}/g) ?? [];
      const body = new ReadableStream({
        pull(controller) {
          const next = pieces.shift();
          if (next === undefined) return controller.close();
          for (const wait of waits) wait();
          controller.enqueue(new TextEncoder().encode(next));
        },
      });
      return new Response(body, { headers: { "content-type": stream } });
    },
  });
  // Almost the whole timeout passes before each piece; together they take far longer than the timeout.
  waits.push(() => world.timers.advance(limits.streamIdleMs - 1));
  expect(words(await ask())).toEqual(plain);
});

onWires(
  "40. a ping is no part of the response",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    wire.play({ ...reply, faults: { edit: (events) => events.flatMap((event) => [{ type: "ping" }, event]) } });
    expect(words(await ask())).toEqual(plain);
  },
  ["messages"],
);

onWires(
  "41. no lines that name events: the same response",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    wire.play({ raw: wire.body(reply).replace(/^event: .*\n/gm, ""), contentType: stream });
    expect(words(await ask())).toEqual(plain);
  },
  ["messages", "responses"],
);

onWires("42. events of an unknown kind are skipped", async (name) => {
  const { wire, ask } = await startAlone(name);
  wire.play({ ...reply, faults: { unknownEvents: true } });
  expect(words(await ask())).toEqual(plain);
});

onWires("42. blocks of an unknown kind are skipped", async (name) => {
  const one = await startCase(name);
  one.wire.play({ blocks: [{ unknown: true }, { text: "Hello" }, { unknown: true }] });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", "Hello"]);
  await goesOn(one);
});

onWires("43. a page instead of a stream: an error that says what came", async (name) => {
  const one = await startCase(name);
  one.wire.play({ raw: "<!doctype html><title>Sign in</title>", contentType: "text/html; charset=utf-8" });
  await one.say("Go");
  expect(await one.shown()).toEqual(["user:", "Go", "assistant:", expect.stringMatching(/^Stop: error .*text\/html/)]);
  await goesOn(one);
});

onWires("43. JSON of something else instead of a stream: an error, never an empty answer", async (name) => {
  for (const raw of ['{"status":"ok"}', "[]", "null", '"hello"']) {
    const { wire, ask } = await startAlone(name);
    wire.play({ raw, contentType: "application/json" });
    const events = await ask();
    expect(endOf(events)).toBe("error protocol");
    expect(lineOf(events)).toContain("application/json");
  }
});

/** A complete response in each wire's format without streaming. */
const whole = {
  messages: {
    type: "message",
    role: "assistant",
    content: [
      { type: "text", text: "Hello" },
      { type: "tool_use", id: "a", name: "run_command", input: { command: "ls" } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 10, output_tokens: 5 },
  },
  chat: {
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          content: "Hello",
          tool_calls: [{ id: "a", type: "function", function: { name: "run_command", arguments: '{"command":"ls"}' } }],
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  },
  responses: {
    object: "response",
    status: "completed",
    output: [
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello" }] },
      { type: "function_call", call_id: "a", name: "run_command", arguments: '{"command":"ls"}', status: "completed" },
    ],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  },
};
onWires("43. a whole response instead of a stream is taken", async (name) => {
  const one = await startCase(name, { main: "> Authorized: run_command\n" });
  one.wire.play({ raw: JSON.stringify(whole[name]), contentType: "application/json" }, { blocks: [{ text: "Done." }] });
  await one.say("Go");
  expect((await one.shown()).slice(2)).toEqual([
    "assistant:",
    "Hello",
    expect.stringMatching(/^run_command\[a\] \{"command":"ls"\} approved -> /),
    "assistant:",
    "Done.",
  ]);
  expect(one.commands).toEqual(["ls"]);
});

onWires("44. a second start doubles nothing", async (name) => {
  const { wire, ask } = await startAlone(name);
  const twice = (events: readonly WireEvent[]) =>
    events.flatMap((event, index) => (index === 0 || index === 2 ? [events[0] ?? event, event] : [event]));
  wire.play({ ...reply, faults: { edit: twice } });
  expect(words(await ask())).toEqual(plain);
});

onWires(
  "45. no [DONE] behind the reason to stop",
  async (name) => {
    const { wire, ask } = await startAlone(name);
    wire.play({ raw: wire.body(reply).replace("data: [DONE]\n\n", ""), contentType: stream });
    expect(words(await ask())).toEqual(plain);
  },
  ["chat"],
);

onWires("45. a connection that stays open behind the end is not waited for", async (name) => {
  const { wire, world, ask } = await startAlone(name);
  const bytes = Buffer.byteLength(wire.body(reply).replace("data: [DONE]\n\n", ""));
  wire.play({ ...reply, faults: { stallAfterBytes: bytes } });
  let over = false;
  const events = ask().finally(() => {
    over = true;
  });
  let waited = 0;
  await until(() => {
    if (over) return true;
    const [soonest] = world.timers.waiting;
    // Advance only short waits, which start after everything has arrived. Before that the wait is the stream's timeout.
    if (soonest !== undefined && soonest < limits.streamIdleMs) {
      waited += soonest;
      world.timers.advance(soonest);
    }
    return false;
  });
  expect(words(await events)).toEqual(plain);
  expect(waited).toBeLessThan(limits.streamIdleMs);
});
