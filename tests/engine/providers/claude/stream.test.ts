import { describe, expect, test } from "vitest";
import type { ProviderEvent } from "../../../../src/engine/providers/provider.ts";
import { type Faults, type Reply, say, streamText } from "../../../stand-in/claude.ts";
import { bench, collect, providerOn, summary } from "./setup.ts";

const usages = (events: readonly ProviderEvent[]) => events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));

/** What the server sends, and the resulting events. */
const replies: readonly (readonly [what: string, reply: Reply & { readonly faults?: Faults }, events: string[]])[] = [
  ["text", say("Hello, world. 👋 grüß dich"), ['"Hello, world. 👋 grüß dich"', "end"]],
  [
    "a call",
    { blocks: [{ call: "run_command", id: "toolu_1", input: { command: "ls" } }] },
    ['run_command[toolu_1]{"command":"ls"}', "end"],
  ],
  [
    "text, then a call",
    { blocks: [{ text: "Let me look." }, { call: "run_command", id: "a", input: { command: "ls" } }] },
    ['"Let me look."', 'run_command[a]{"command":"ls"}', "end"],
  ],
  [
    "parallel calls",
    {
      blocks: [
        { call: "b", id: "1", input: { x: 1 } },
        { call: "a", id: "2", input: { y: 2 } },
      ],
    },
    ['b[1]{"x":1}', 'a[2]{"y":2}', "end"],
  ],
  [
    "text after a call keeps its place",
    { blocks: [{ text: "a" }, { call: "c", id: "1" }, { text: "b" }, { call: "d", id: "2" }] },
    ['"a"', "c[1]{}", '"b"', "d[2]{}", "end"],
  ],
  ["no input at all is {}", { blocks: [{ call: "c", id: "1", json: "" }] }, ["c[1]{}", "end"]],
  ["input that is no JSON", { blocks: [{ call: "c", id: "1", json: '{"command": "ls' }] }, ['c[1] invalid {"command": "ls', "end"]],
  ["input that is a list", { blocks: [{ call: "c", id: "1", json: "[1]" }] }, ["c[1] invalid [1]", "end"]],
  ["input that is null is {}", { blocks: [{ call: "c", id: "1", json: "null" }] }, ["c[1]{}", "end"]],
  ["a tool that nobody offered", { blocks: [{ call: "launch_rocket", id: "1" }] }, ["launch_rocket[1]{}", "end"]],
  ["a call without a name", { blocks: [{ call: "", id: "" }] }, ["[]{}", "end"]],
  [
    "two calls of one id",
    {
      blocks: [
        { call: "c", id: "1" },
        { call: "d", id: "1" },
      ],
    },
    ["c[1]{}", "d[1]{}", "end"],
  ],
  ["calls though the reason is end_turn", { blocks: [{ call: "c", id: "1" }], stop: "end_turn" }, ["c[1]{}", "end"]],
  ["calls though there is no reason", { blocks: [{ call: "c", id: "1" }], stop: null }, ["c[1]{}", "end"]],
  ["a reason that is not known yet", { ...say("a"), stop: "tide" }, ['"a"', "end"]],
  ["stop_sequence", { ...say("a"), stop: "stop_sequence" }, ['"a"', "end"]],
  ["max_tokens keeps the text", { ...say("half a"), stop: "max_tokens" }, ['"half a"', "max_tokens"]],
  [
    "max_tokens keeps what is whole",
    {
      blocks: [{ text: "a" }, { call: "c", id: "1", input: { x: 1 } }, { text: "b" }, { call: "d", id: "2", json: '{"x":' }],
      stop: "max_tokens",
    },
    ['"a"', 'c[1]{"x":1}', '"b"', "d[2]…", "max_tokens"],
  ],
  [
    "max_tokens before the first word of a call's input",
    { blocks: [{ text: "a" }, { call: "c", id: "1" }], stop: "max_tokens" },
    ['"a"', "c[1]…", "max_tokens"],
  ],
  ["a refusal with no content", { blocks: [], stop: "refusal" }, ["refusal"]],
  ["a refusal midway", { blocks: [{ text: "Sure" }, { call: "c", id: "1" }], stop: "refusal" }, ['"Sure"', "c[1]…", "refusal"]],
  [
    "a full context window",
    { blocks: [{ text: "a" }, { call: "c", id: "1" }], stop: "model_context_window_exceeded" },
    ['"a"', "c[1]…", "context_window"],
  ],
  ["a pause", { ...say("a"), stop: "pause_turn" }, ['"a"', "interrupted"]],
  ["a call that was never closed", { blocks: [{ text: "a" }, { call: "c", id: "1", open: true }] }, ['"a"', "c[1]…", "interrupted"]],
  ["nothing", { blocks: [] }, ["error empty"]],
  ["one empty text", say(""), ["error empty"]],
  ["thinking before the answer", { blocks: [{ thinking: true }, { text: "a" }] }, ["thinking", '"a"', "end"]],
  ["thinking alone", { blocks: [{ thinking: true }] }, ["thinking", "error empty"]],
  ["blocks of an unknown kind", { blocks: [{ unknown: true }, { text: "a" }] }, ['"a"', "end"]],
  ["events of an unknown kind", { ...say("a"), faults: { unknownEvents: true } }, ['"a"', "end"]],
  ["pings", { ...say("a"), faults: { pings: true } }, ['"a"', "end"]],
  ["comments", { ...say("a"), faults: { comments: true } }, ['"a"', "end"]],
  ["CRLF", { ...say("a"), faults: { crlf: true } }, ['"a"', "end"]],
  ["message_start twice", { ...say("Hello"), faults: { secondStart: true } }, ['"Hello"', "end"]],
  ["no line that names the event", { ...say("a"), faults: { noEventLines: true } }, ['"a"', "end"]],
];

describe("over HTTP", () => {
  test.each(replies)("%s", async (_what, reply, expected) => {
    const { api, provider } = await bench();
    api.play(reply);
    expect(summary(await collect(provider))).toEqual(expected);
    expect(api.requests[0]?.refused).toBeNull();
  });

  test("one byte at a time", async () => {
    const { api, provider } = await bench();
    api.play({
      blocks: [{ text: "grüß 👋" }, { call: "c", id: "1", input: { é: "👋" } }],
      faults: { pieceBytes: 1, crlf: true, pings: true, comments: true },
    });
    expect(summary(await collect(provider))).toEqual(['"grüß 👋"', 'c[1]{"é":"👋"}', "end"]);
  });

  test("a server that keeps the connection open after the end", async () => {
    const { api, provider } = await bench();
    const whole = Buffer.byteLength(streamText(say("a")));
    api.play({ ...say("a"), faults: { stallAfterBytes: whole } });
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
    expect(await api.requests[0]?.left).toBe(true);
  });

  test("a server that does not stream", async () => {
    const { api, provider } = await bench();
    const message = {
      type: "message",
      content: [
        { type: "text", text: "a" },
        { type: "tool_use", id: "1", name: "c", input: { x: 1 } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    api.play({ raw: JSON.stringify(message), contentType: "application/json" });
    const events = await collect(provider);
    expect(summary(events)).toEqual(['"a"', 'c[1]{"x":1}', "end"]);
    expect(usages(events).at(-1)).toEqual({ input: 3, output: 4 });
  });

  test.each<[string, unknown, readonly string[], readonly string[]]>([
    ["input at the start as text", '{"x":1}', [], ['c[1]{"x":1}', "end"]],
    ["input at the start that is a list", [1], [], ["c[1] invalid [1]", "end"]],
    ["input at the start that is no JSON", "ls", [], ["c[1] invalid ls", "end"]],
    ["nothing at the start, as text", "", ['{"x":', "1}"], ['c[1]{"x":1}', "end"]],
    ["pieces, which count more", '{"x":2}', ['{"x":', "1}"], ['c[1]{"x":1}', "end"]],
    ["null", null, [], ["c[1]{}", "end"]],
  ])("a call with %s", async (_what, input, pieces, expected) => {
    const provider = streaming(
      new TextEncoder().encode(
        [
          { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "1", name: "c", input } },
          ...pieces.map((partial_json) => ({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json } })),
          { type: "content_block_stop", index: 0 },
          { type: "message_stop" },
        ]
          .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(""),
      ),
    );
    expect(summary(await collect(provider))).toEqual(expected);
  });

  test.each([
    ["ab", ["ab", "ab"], "abab"],
    ["ab", ["", "ab", "c"], "abc"],
    ["ab", ["c", "ab"], "abcab"],
    ["", ["ab", "ab"], "abab"],
  ])("a text that starts with %j, and its pieces %j", async (start, pieces, said) => {
    const provider = streaming(
      new TextEncoder().encode(
        [
          { type: "content_block_start", index: 0, content_block: { type: "text", text: start } },
          ...pieces.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
          { type: "message_stop" },
        ]
          .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(""),
      ),
    );
    expect(summary(await collect(provider))).toEqual([JSON.stringify(said), "end"]);
  });

  test("a call whose whole input comes at its start", async () => {
    const { api, provider } = await bench();
    const start = { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "1", name: "c", input: { x: 1 } } };
    const events = [
      { type: "message_start", message: {} },
      start,
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ];
    api.play({
      raw: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
      contentType: "text/event-stream",
    });
    expect(summary(await collect(provider))).toEqual(['c[1]{"x":1}', "end"]);
  });
});

describe("usage", () => {
  test("counts cached tokens as input", async () => {
    expect((await usageOf({ ...say("a"), usage: { input: 7, cacheWrite: 100, cacheRead: 1000, output: 42 } })).at(-1)).toEqual({
      input: 1107,
      output: 42,
      cacheRead: 1000,
      cacheWrite: 100,
    });
  });

  test("overwrites, never adds", async () => {
    expect(await usageOf({ ...say("a"), usage: { input: 10, output: 5 } })).toEqual([
      { input: 10, output: 1 },
      { input: 10, output: 5 },
    ]);
  });

  test("is not there when the server reports none", async () => {
    expect(await usageOf({ ...say("a"), usage: null })).toEqual([]);
  });

  test("is not there when it is no number", async () => {
    expect(await usageOf({ ...say("a"), usage: { input: Number.NaN, output: -1 } })).toEqual([]);
  });

  test("of a stopped response is what the start said", async () => {
    const { api, provider } = await bench();
    api.play({ ...say("Hello, world"), faults: { cutAfterBytes: 600 } });
    expect(usages(await collect(provider))).toEqual([{ input: 10, output: 1 }]);
  });
});

/** The shortest stream that contains everything, so that every cut can be tried. */
const lines = [
  { type: "message_start" },
  { type: "content_block_start", index: 0, content_block: { type: "thinking" } },
  { type: "content_block_start", index: 1, content_block: { type: "text" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "ü👋" } },
  { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "1", name: "c" } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"é":' } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "1}" } },
  { type: "content_block_stop", index: 2 },
  { type: "content_block_delta", index: 3, delta: { type: "text_delta", text: "b" } },
].map((event) => `event: ${event.type}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`);
const last = 'event: message_stop\r\ndata: {"type":"message_stop"}\r\n\r\n';
const cutBytes = new TextEncoder().encode(`: hello\n\n${lines.join("")}`);
const bytes = new TextEncoder().encode(`: hello\n\n${lines.join("")}${last}`);

describe("cut at every byte", { timeout: 60_000 }, () => {
  test("into two pieces, the response is the same", async () => {
    for (let at = 0; at <= bytes.length; at++) {
      const events = await collect(streaming(bytes.slice(0, at), bytes.slice(at)));
      expect(summary(events)).toEqual(["thinking", '"ü👋"', 'c[1]{"é":1}', '"b"', "end"]);
    }
  });

  test("and ended there, what was whole is given, in order, and no character is broken", async () => {
    const seen = new Set<string>();
    for (let at = 0; at <= cutBytes.length; at++) {
      const events = await collect(streaming(cutBytes.slice(0, at)));
      const words = summary(events);
      expect(["interrupted", "error empty", "error protocol"]).toContain(words.at(-1));
      seen.add(words.slice(0, -1).join(" "));
    }
    expect([...seen]).toEqual([
      "",
      "thinking",
      'thinking "ü👋"',
      'thinking "ü👋" c[1]…',
      'thinking "ü👋" c[1]{"é":1}',
      'thinking "ü👋" c[1]{"é":1} "b"',
    ]);
  });
});

function streaming(...parts: Uint8Array<ArrayBuffer>[]) {
  return providerOn(async () => {
    const body = new ReadableStream({
      pull(controller) {
        const next = parts.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
}

async function usageOf(reply: Reply) {
  const { api, provider } = await bench();
  api.play(reply);
  return usages(await collect(provider));
}
