import { describe, expect, test } from "vitest";
import type { ProviderEvent } from "../../../../src/engine/providers/provider.ts";
import { type OpenAiTurn, say } from "../../../stand-in/openai.ts";
import { bench, chatModel, collect, request, responsesModel, summary } from "./setup.ts";

const usages = (events: readonly ProviderEvent[]) => events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
const call = (name: string, id: string, more: { input?: unknown; json?: string; open?: true } = {}) => ({ call: name, id, ...more });

/** What the server sends, and the resulting events, in both APIs. */
const replies: readonly (readonly [what: string, turn: OpenAiTurn, events: string[]])[] = [
  ["text", say("Hello, world. 👋 grüß dich"), ['"Hello, world. 👋 grüß dich"', "end"]],
  ["a call", { blocks: [call("run_command", "call_1", { input: { command: "ls" } })] }, ['run_command[call_1]{"command":"ls"}', "end"]],
  [
    "text, then a call",
    { blocks: [{ text: "Let me look." }, call("run_command", "a", { input: { command: "ls" } })] },
    ['"Let me look."', 'run_command[a]{"command":"ls"}', "end"],
  ],
  [
    "parallel calls",
    { blocks: [call("b", "1", { input: { x: 1 } }), call("a", "2", { input: { y: 2 } })] },
    ['b[1]{"x":1}', 'a[2]{"y":2}', "end"],
  ],
  [
    "text after a call keeps its place",
    { blocks: [{ text: "a" }, call("c", "1"), { text: "b" }, call("d", "2")] },
    ['"a"', "c[1]{}", '"b"', "d[2]{}", "end"],
  ],
  ["no input at all is {}", { blocks: [call("c", "1", { json: "" })] }, ["c[1]{}", "end"]],
  ["input that is no JSON", { blocks: [call("c", "1", { json: '{"command": "ls' })] }, ['c[1] invalid {"command": "ls', "end"]],
  ["input that is a list", { blocks: [call("c", "1", { json: "[1]" })] }, ["c[1] invalid [1]", "end"]],
  ["a tool that nobody offered", { blocks: [call("launch_rocket", "1")] }, ["launch_rocket[1]{}", "end"]],
  ["two calls of one id", { blocks: [call("c", "1"), call("d", "1")] }, ["c[1]{}", "d[1]{}", "end"]],
  ["nothing", { blocks: [] }, ["error empty"]],
  ["one empty text", say(""), ["error empty"]],
  ["a refusal", { blocks: [], refusal: "I can't do that." }, ['"I can\'t do that."', "refusal"]],
  [
    "a refusal midway",
    { blocks: [{ text: "Sure. " }, call("c", "1", { input: { x: 1 } })], refusal: "No." },
    ['"Sure. "', 'c[1]{"x":1}', '"No."', "refusal"],
  ],
  ["pieces of an unknown kind", { blocks: [{ unknown: true }, { text: "a" }] }, ['"a"', "end"]],
  ["comments", { ...say("a"), faults: { comments: true } }, ['"a"', "end"]],
  ["CRLF", { ...say("a"), faults: { crlf: true } }, ['"a"', "end"]],
  ["a clean end without any sign of it", { ...say("a"), faults: { noEnd: true } }, ['"a"', "interrupted"]],
  ["the same with a call", { blocks: [call("c", "1", { input: { x: 1 } })], faults: { noEnd: true } }, ['c[1]{"x":1}', "interrupted"]],
];

describe.each([chatModel, responsesModel])("%s", (model) => {
  const asking = request({ model });

  test.each(replies)("%s", async (_what, turn, expected) => {
    const { api, provider } = await bench({ official: true });
    api.play(turn);
    expect(summary(await collect(provider, { request: asking }))).toEqual(expected);
    expect(api.requests.map(({ refused }) => refused)).toEqual([null]);
    expect(api.requests[0]?.path).toBe(model === chatModel ? "/v1/chat/completions" : "/v1/responses");
  });

  test("one byte at a time", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({
      blocks: [{ text: "grüß 👋" }, call("c", "1", { input: { é: "👋" } })],
      faults: { pieceBytes: 1, crlf: true, comments: true },
    });
    expect(summary(await collect(provider, { request: asking }))).toEqual(['"grüß 👋"', 'c[1]{"é":"👋"}', "end"]);
  });

  test("usage counts cached tokens once", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({ ...say("a"), usage: { input: 7, cacheRead: 1000, output: 42 } });
    expect(usages(await collect(provider, { request: asking }))).toEqual([{ input: 1007, output: 42, cacheRead: 1000 }]);
  });

  test("no usage is none", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({ ...say("a"), usage: null, faults: {} });
    expect(usages(await collect(provider, { request: asking }))).toEqual([]);
  });
});

describe("how Chat Completions ends", () => {
  test.each([
    ["stop", ['"a"', "c[1]{}", "end"]],
    [null, ['"a"', "c[1]{}", "end"]],
    ["function_call", ['"a"', "c[1]{}", "end"]],
    ["tide", ['"a"', "c[1]{}", "end"]],
    ["length", ['"a"', "c[1]…", "max_tokens"]],
    ["MAX_TOKENS", ['"a"', "c[1]…", "max_tokens"]],
    ["sensitive", ['"a"', "c[1]…", "refusal"]],
    ["model_context_window_exceeded", ['"a"', "c[1]…", "context_window"]],
    ["network_error", ['"a"', "c[1]…", "interrupted"]],
    ["abort", ['"a"', "c[1]…", "interrupted"]],
    ["content_filter", ['"a"', "c[1]…", "refusal"]],
  ])("%s", async (stop, expected) => {
    const { api, provider } = await bench({ official: true });
    api.play({ blocks: [{ text: "a" }, call("c", "1")], stop });
    expect(summary(await collect(provider))).toEqual(expected);
  });

  test("a finish reason without [DONE] is an end", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({ ...say("a"), faults: { noDone: true } });
    expect(summary(await collect(provider))).toEqual(['"a"', "end"]);
  });
});

describe("how Responses ends", () => {
  test.each([
    ["completed", ['"a"', "c[1]{}", "end"]],
    ["incomplete max_output_tokens", ['"a"', "c[1]{}", "max_tokens"]],
    ["incomplete content_filter", ['"a"', "c[1]{}", "refusal"]],
    ["failed context_length_exceeded", ['"a"', "c[1]{}", "context_window"]],
    ["failed server_error", ['"a"', "c[1]{}", "error server"]],
  ])("%s", async (stop, expected) => {
    const { api, provider } = await bench({ official: true });
    api.play({ blocks: [{ text: "a" }, call("c", "1")], stop });
    expect(summary(await collect(provider, { request: request({ model: responsesModel }) }))).toEqual(expected);
  });

  test("a call that was not whole is not given", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({ blocks: [{ text: "a" }, call("c", "1", { open: true })] });
    expect(summary(await collect(provider, { request: request({ model: responsesModel }) }))).toEqual(['"a"', "c[1]…", "interrupted"]);
  });

  test("thinking", async () => {
    const { api, provider } = await bench({ official: true });
    api.play({ blocks: [{ thinking: true }, { text: "a" }] });
    expect(summary(await collect(provider, { request: request({ model: responsesModel }) }))).toEqual(["thinking", '"a"', "end"]);
  });
});
