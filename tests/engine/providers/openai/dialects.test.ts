import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ProviderEvent } from "../../../../src/engine/providers/provider.ts";
import { createCutter } from "../../../../src/engine/providers/rechunk.ts";
import { testMemory } from "../memory.ts";
import { fake, streaming } from "./fake.ts";
import { collect, providerOn, summary } from "./setup.ts";

/**
 * Streams that servers were seen to send, each reduced to what is unusual about it, and the resulting events. Each stream is a file
 * in `dialects/`.
 */
const dialects: readonly (readonly [file: string, events: readonly string[], usage: readonly [input: number, output: number] | null])[] = [
  ["ollama-thinking", ["thinking", 'run_command[call_a]{"command":"ls"}', "end"], [9, 4]],
  ["ollama-one-index", ['b[call_a]{"x":1}', 'b[call_b]{"x":2}', "end"], null],
  ["lm-studio", ['"Look: "', 'run_command[0]{"command":"ls"}', "end"], null],
  ["vllm", ["thinking", 'b[chatcmpl-tool-1]{"x":1}', "c[chatcmpl-tool-2]{}", "end"], [9, 7]],
  ["llama-cpp", ['"grüß 👋"', "end"], [9, 2]],
  ["openrouter", ["thinking", '"a"', "end"], [9, 4]],
  ["copilot", ["thinking", '"a"', "end"], [9, 4]],
  ["openrouter-error", ['"a"', "error bad-request"], null],
  ["openrouter-error-counted", ['"a"', "error bad-request"], [9, 4]],
  ["openrouter-error-with-words", ['"ab"', "error bad-request"], [9, 4]],
  ["responses-failed", ['"a"', "error bad-request"], [9, 4]],
  ["groq", ['b[call_1]{"x":1}', "b[call_2]{}", "end"], [9, 4]],
  ["groq-error", ['"a"', "error bad-request"], null],
  ["groq-no-input", ["b[call_1]{}", "c[call_2]{}", "end"], [9, 4]],
  ["mistral", ["thinking", '"a"', 'b[D681PevKs]{"x":1}', 'b[D681PevKt]{"x":2}', "end"], [9, 4]],
  ["gemini", ['b[]{"x":1}', 'b[]{"x":2}', "end"], [9, 4]],
  ["xai", ["thinking", '"a"', "b[call_1]{}", "end"], [9, 4]],
  ["azure", ['"a"', "refusal"], null],
  ["no-reason", ['"a"', 'b[]{"x":1}', "end"], null],
  ["no-done", ['"ab"', "end"], null],
  ["name-repeated", ['run_command[call_a]{"a":{}}', "end"], null],
  ["several-choices", ['"yes"', "end"], null],
  ["same-id", ['b[0]{"x":1}', 'b[0]{"x":2}', 'c[0]{"x":3}', "end"], null],
  ["minimax", ["thinking", '"a"', 'b[call_1]{"x":1}', "end"], [9, 4]],
  ["message-at-the-end", ['"a"', 'b[call_1]{"x":1}', "end"], null],
  ["moonshot", ['"a"', "end"], [9, 4]],
  ["gemini-thinking", ['"a"', "end"], [9, 4]],
  ["deepseek-busy", ["thinking", '"a"', "b[call_1]…", "interrupted"], [9, 4]],
  ["vllm-error", ['"a"', "error server"], null],
  ["arguments-as-values", ['b[1]{"x":1}', "b[2] invalid [1]", "b[3]{}", "end"], null],
  ["perplexity", ['"Hello, world"', "end"], [9, 4]],
  ["messages-as-pieces", ['"Hello, world"', "end"], null],
  ["messages-so-far", ['"Hello, world"', "b[1]{}", "end"], null],
  ["calls-so-far", ['"a"', 'b[]{"x":1}', 'b[]{"x":2}', "end"], null],
  ["calls-so-far-counted", ['b[]{"x":1}', 'b[]{"x":2}', "end"], null],
  ["calls-missing-from-pieces", ['b[1]{"x":1}', 'c[2]{"x":2}', "end"], null],
  ["calls-as-pieces", ['b[]{"x":1}', 'b[]{"x":2}', 'c[1]{"x":3}', "end"], null],
  ["reason-with-each-piece", ['"ab"', 'b[call_1]{"x":1}', "end"], null],
  ["reason-with-each-thought", ["thinking", '"a"', "thinking", '"b"', "end"], null],
  ["reason-with-each-piece-error", ['"a"', "b[call_1]{}", "error server"], null],
  ["gemini-malformed-call", ['"Let me write it."', "b[call_1]{}", "interrupted"], null],
  ["gemini-recitation", ['"a"', "refusal"], null],
  ["messages-as-lists", ['"abcd"', "end"], null],
  ["input-once-more", ['b[call_1]{"x":1}', "end"], null],
  ["one-index-no-input", ["a[call_a]{}", 'b[]{"x":1}', "end"], null],
  ["responses", ["thinking", '"a"', 'b[call_1]{"x":1}', "end"], [9, 4]],
  ["responses-llama-cpp", ['"a"', 'b[fc_1]{"x":1}', 'b[fc_2]{"x":1}', "end"], [9, 4]],
  ["responses-two-messages", ['"I looked.\\n\\n## Result\\nIt is done."', "end"], null],
  ["responses-at-the-end", ['"a"', 'b[call_1]{"x":1}', "end"], null],
];

const read = (file: string) => readFileSync(new URL(`dialects/${file}.txt`, import.meta.url));

function answering(file: string, pieces: () => Uint8Array[]) {
  const memory = testMemory();
  if (file.startsWith("responses")) memory.write("https://llm.example gpt-5.5", { wire: "responses" });
  return providerOn(fake(() => streaming(...pieces())).fetch, { memory });
}

describe.each(dialects)("%s", (file, expected, usage) => {
  const bytes = read(file);

  test("whole, with CRLF, and with nothing but CR", async () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const written = Buffer.from(bytes.toString().replaceAll("\n", end));
      const events = await collect(answering(file, () => [written]));
      expect(summary(events)).toEqual(expected);
      // `cost.test.ts` tests what servers report besides these counts.
      const counted = lastUsage(events);
      expect(counted && [counted.input, counted.output]).toEqual(usage);
    }
  });

  test("one byte at a time", async () => {
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(summary(await collect(answering(file, () => single)))).toEqual(expected);
  });

  test("cut at every byte, the SDK is given the same events", () => {
    const whole = eventsOf(bytes);
    for (let at = 0; at <= bytes.length; at++) expect(eventsOf(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
  });

  test("in pieces of 64 KB, with long comments in between", async () => {
    const long = Buffer.from(bytes.toString().replaceAll("\n\n", `\n\n: ${"x".repeat(50_000)}\n\n`));
    const pieces = Array.from({ length: Math.ceil(long.length / 65_536) }, (_, at) => long.subarray(at * 65_536, (at + 1) * 65_536));
    expect(summary(await collect(answering(file, () => pieces)))).toEqual(expected);
  });
});

/** JSON instead of a stream. */
test.each<[string, object, readonly string[]]>([
  [
    "a whole response",
    {
      object: "chat.completion",
      choices: [
        {
          message: { role: "assistant", content: "a", tool_calls: [{ id: "1", function: { name: "b", arguments: '{"x":1}' } }] },
          finish_reason: "tool_calls",
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4 },
    },
    ['"a"', 'b[1]{"x":1}', "end"],
  ],
  ["one that gives no reason", { choices: [{ message: { content: "a" }, finish_reason: null }] }, ['"a"', "end"]],
  ["one whose reason is empty", { choices: [{ message: { content: "a" }, finish_reason: "" }] }, ['"a"', "end"]],
  ["one that is cut short", { choices: [{ message: { content: "a" }, finish_reason: "length" }] }, ['"a"', "max_tokens"]],
  [
    "one that failed",
    {
      choices: [{ message: { content: "a" }, finish_reason: "error", error: { code: 400, message: "x" } }],
      usage: { prompt_tokens: 9, completion_tokens: 4 },
    },
    ['"a"', "error bad-request"],
  ],
  ["one with nothing in it", { choices: [] }, ["error empty"]],
])("%s as JSON", async (_what, body, expected) => {
  expect(summary(await collect(providerOn(fake(() => Response.json(body)).fetch)))).toEqual(expected);
});

test("a whole response of Responses as JSON", async () => {
  const output = [
    { type: "reasoning", summary: [] },
    { type: "message", content: [{ type: "output_text", text: "a" }] },
    { type: "function_call", call_id: "1", name: "b", arguments: "{}", status: "completed" },
  ];
  const memory = testMemory();
  memory.write("https://llm.example gpt-5.5", { wire: "responses" });
  const server = fake(() => Response.json({ object: "response", status: "completed", error: null, output }));
  expect(summary(await collect(providerOn(server.fetch, { memory })))).toEqual(['"a"', "b[1]{}", "end"]);
});

/** The events that the SDK gets to decode. */
function eventsOf(...pieces: readonly Uint8Array[]): string[] {
  const cutter = createCutter();
  const events: string[] = [];
  for (const piece of pieces) {
    cutter.push(piece);
    for (let event = cutter.next(); event !== null; event = cutter.next()) events.push(Buffer.from(event).toString());
  }
  const rest = cutter.rest();
  return rest === null ? events : [...events, Buffer.from(rest).toString()];
}

function lastUsage(events: readonly ProviderEvent[]) {
  return events.flatMap((event) => (event.type === "usage" ? [event.usage] : [])).at(-1) ?? null;
}
