import { describe, expect, test } from "vitest";
import { refusedResponses } from "./openai-responses-rules.ts";
import { realModels } from "./openai-rule.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const call = (call_id: unknown, more: object = {}) => ({ type: "function_call", call_id, name: "run_command", arguments: "{}", ...more });
const output = (call_id: string, more: object = {}) => ({ type: "function_call_output", call_id, output: "ok", ...more });
const thought = (more: object = {}) => ({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VhbGVk", ...more });
const tool = (more: object = {}) => ({ type: "function", name: "run_command", parameters: { type: "object" }, strict: false, ...more });
const hi = user("hi");
const body = (more: object = {}) => ({ model: "gpt-6.1-sol", store: false, input: [hi], ...more });
const talk = (...input: unknown[]) => body({ input });
const strict = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const tooLong = "a".repeat(65);
const most = "a".repeat(64);

/** A refused body, and the same body corrected. */
const rules: readonly (readonly [rule: string, bad: object, good: object, wording: string])[] = [
  ["an unknown field", body({ prompt_text: "x" }), body(), "Unknown parameter: 'prompt_text'"],
  ["messages", body({ messages: [hi] }), body(), "has moved to 'input'"],
  ["max_tokens", body({ max_tokens: 99 }), body({ max_output_tokens: 99 }), "has moved to 'max_output_tokens'"],
  ["max_completion_tokens", body({ max_completion_tokens: 99 }), body({ max_output_tokens: 99 }), "has moved to 'max_output_tokens'"],
  ["reasoning_effort", body({ reasoning_effort: "low" }), body({ reasoning: { effort: "low" } }), "has moved to 'reasoning.effort'"],
  ["response_format", body({ response_format: {} }), body(), "has moved to 'text.format'"],
  ["no model", body({ model: undefined }), body(), "you must provide a model parameter"],
  ["an unknown model", body({ model: "gpt-5.3" }), body(), "The requested model 'gpt-5.3' does not exist."],
  ["a response that is stored", body({ store: true }), body(), "Store must be set to false"],
  ["one that is stored by default", body({ store: undefined }), body(), "Store must be set to false"],
  ["temperature", body({ temperature: 1 }), body({ model: "gpt-4o", temperature: 1 }), "'temperature' is not supported with this model"],
  ["too few tokens", body({ max_output_tokens: 15 }), body({ max_output_tokens: 16 }), "Expected a value >= 16"],
  ["too many tokens", body({ max_output_tokens: 128_001 }), body({ max_output_tokens: 128_000 }), "too large"],
  ["an unknown word about reasoning", body({ reasoning: { budget: 1 } }), body({ reasoning: {} }), "Unknown parameter: 'reasoning.budget'"],
  [
    "an effort that is none of them",
    body({ reasoning: { effort: "huge" } }),
    body({ reasoning: { effort: "high" } }),
    "Invalid value: 'huge'",
  ],
  [
    "no effort where there is always some",
    body({ reasoning: { effort: "none" } }),
    body({ model: "gpt-6-sol", reasoning: { effort: "none" } }),
    "'none'",
  ],
  ["an unknown include", body({ include: ["thoughts"] }), body({ include: ["reasoning.encrypted_content"] }), "Invalid value: 'thoughts'"],
  [
    "options of no stream",
    body({ stream_options: {} }),
    body({ stream: true, stream_options: { include_obfuscation: false } }),
    "'stream' is enabled",
  ],
  [
    "usage, which always comes",
    body({ stream: true, stream_options: { include_usage: true } }),
    body({ stream: true }),
    "stream_options.include_usage",
  ],
  ["empty instructions", body({ instructions: "" }), body({ instructions: "be brief" }), "stand-in"],
  ["no tool in tools", body({ tools: [] }), body({ tools: [tool()] }), "Invalid 'tools': empty array"],
  [
    "parallel calls of no tools",
    body({ parallel_tool_calls: true }),
    body({ tools: [tool()], parallel_tool_calls: true }),
    "'parallel_tool_calls'",
  ],
  [
    "a tool with a box around it",
    body({ tools: [{ type: "function", function: tool() }] }),
    body({ tools: [tool()] }),
    "Unknown parameter: 'tools[0].function'",
  ],
  [
    "a tool without name",
    body({ tools: [tool({ name: undefined })] }),
    body({ tools: [tool()] }),
    "Missing required parameter: 'tools[0].name'",
  ],
  ["a bad tool name", body({ tools: [tool({ name: "a b" })] }), body({ tools: [tool()] }), "does not match pattern"],
  ["a tool of another type", body({ tools: [tool({ type: "web_search" })] }), body({ tools: [tool()] }), "stand-in"],
  ["a tool without schema", body({ tools: [tool({ parameters: undefined })] }), body({ tools: [tool()] }), "parameters"],
  ["a tool that leaves strict open", body({ tools: [tool({ strict: undefined })] }), body({ tools: [tool()] }), "stand-in"],
  [
    "a strict schema that is open",
    body({ tools: [tool({ strict: true })] }),
    body({ tools: [tool({ strict: true, parameters: strict })] }),
    "additionalProperties",
  ],
  ["no input", body({ input: undefined }), body({ input: "hi" }), "Missing required parameter: 'input'"],
  ["an empty input", talk(), talk(hi), "Invalid 'input': empty array"],
  ["an empty text", talk(user("")), talk(hi), "stand-in"],
  ["a blank part", talk(user([{ type: "input_text", text: " " }])), talk(user([{ type: "input_text", text: "hi" }])), "stand-in"],
  ["an empty content", talk(user([])), talk(hi), "stand-in"],
  ["an unknown role", talk({ role: "tool", content: "x" }), talk(hi), "Invalid value: 'tool'"],
  ["an unknown item", talk({ type: "tool_result" }), talk(hi), "Invalid value: 'tool_result'"],
  [
    "a field of an item",
    talk(hi, call("a", { input: {} }), output("a")),
    talk(hi, call("a"), output("a")),
    "Unknown parameter: 'input[1].input'",
  ],
  [
    "an input part of the assistant",
    talk(hi, assistant([{ type: "input_text", text: "a" }]), hi),
    talk(hi, assistant([{ type: "output_text", text: "a" }]), hi),
    "Supported values are: 'output_text', 'refusal'",
  ],
  [
    "an output part of the user",
    talk(user([{ type: "output_text", text: "a" }])),
    talk(user([{ type: "input_text", text: "a" }])),
    "Supported values are: 'input_text'",
  ],
  [
    "an id of another kind",
    talk(hi, call("a", { id: "call_1" }), output("a")),
    talk(hi, call("a", { id: "fc_1" }), output("a")),
    "begins with 'fc'",
  ],
  ["a long id", talk(hi, call(tooLong), output(tooLong)), talk(hi, call(most), output(most)), "maximum length 64"],
  ["no id", talk(hi, call(undefined)), talk(hi, call("a"), output("a")), "Missing required parameter: 'input[1].call_id'"],
  ["a bad name of a call", talk(hi, call("a", { name: "a b" }), output("a")), talk(hi, call("a"), output("a")), "input[1].name"],
  [
    "arguments that are an object",
    talk(hi, call("a", { arguments: {} }), output("a")),
    talk(hi, call("a"), output("a")),
    "expected a string, but got an object",
  ],
  ["no arguments", talk(hi, call("a", { arguments: "" }), output("a")), talk(hi, call("a"), output("a")), "stand-in"],
  ["an output that says nothing", talk(hi, call("a"), output("a", { output: "" })), talk(hi, call("a"), output("a")), "stand-in"],
  ["a call without output", talk(hi, call("a"), hi), talk(hi, call("a"), output("a"), hi), "No tool output found for function call a."],
  ["a call at the very end", talk(hi, call("a")), talk(hi, call("a"), output("a")), "No tool output found for function call a."],
  [
    "one of two without output",
    talk(hi, call("a"), call("b"), output("a")),
    talk(hi, call("a"), call("b"), output("b"), output("a")),
    "function call b.",
  ],
  ["a word before the output", talk(hi, call("a"), hi, output("a")), talk(hi, call("a"), output("a"), hi), "No tool output found"],
  [
    "a call between a call and its output",
    talk(hi, call("a"), call("b"), output("a"), call("c"), output("b"), output("c")),
    talk(hi, call("a"), call("b"), output("a"), output("b"), call("c"), output("c")),
    "stand-in",
  ],
  ["an output of no call", talk(hi, output("a")), talk(hi), "No tool call found for function call output with call_id a."],
  ["two outputs", talk(hi, call("a"), output("a"), output("a")), talk(hi, call("a"), output("a")), "No tool call found"],
  [
    "an id twice",
    talk(hi, call("a"), output("a"), call("a"), output("a")),
    talk(hi, call("a"), output("a"), call("b"), output("b")),
    "stand-in",
  ],
  [
    "a thought with nothing behind it",
    talk(hi, thought(), hi),
    talk(hi, thought(), assistant("a"), hi),
    "without its required following item",
  ],
  [
    "a thought that was kept by nobody",
    talk(hi, thought({ encrypted_content: null }), assistant("a"), hi),
    talk(hi, thought(), assistant("a"), hi),
    "not persisted",
  ],
  [
    "a thought of no id",
    talk(hi, thought({ id: "x" }), assistant("a"), hi),
    talk(hi, thought(), call("a"), output("a")),
    "begins with 'rs'",
  ],
  ["a prefill", talk(hi, assistant("I")), talk(hi, assistant("I"), hi), "stand-in"],
  ["a lone surrogate", talk(user("\ud800")), talk(user("\u{1F600}")), "stand-in"],
];

describe("what Responses refuses, and the same put right", () => {
  test.each(rules)("%s", (_rule, bad, good, wording) => {
    expect(refused(bad)).toMatchObject({ type: "invalid_request_error", message: expect.stringContaining(wording) });
    expect(refused(good)).toBeNull();
  });

  test("a body that is no JSON", () => {
    expect(refusedResponses("{", { models: realModels })).toMatchObject({
      status: 400,
      message: expect.stringContaining("could not parse"),
    });
  });

  test("a message with its type, and a model that Chat Completions does not have", () => {
    expect(refused(talk({ type: "message", ...hi }, { type: "message", ...assistant("a") }, hi))).toBeNull();
    expect(refused(body({ model: "gpt-5.3-codex" }))).toBeNull();
  });
});

function refused(given: object) {
  return refusedResponses(JSON.stringify(given), { models: realModels });
}
