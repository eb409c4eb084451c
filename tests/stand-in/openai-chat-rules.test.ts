import { describe, expect, test } from "vitest";
import { refusedChat } from "./openai-chat-rules.ts";
import { realModels } from "./openai-rule.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, ...calls: object[]) => ({
  role: "assistant",
  content,
  ...(calls.length > 0 && { tool_calls: calls }),
});
const call = (id: unknown, more: object = {}, inner: object = {}) => ({
  id,
  type: "function",
  function: { name: "run_command", arguments: "{}", ...inner },
  ...more,
});
const result = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });
const tool = (inner: object = {}, more: object = {}) => ({
  type: "function",
  function: { name: "run_command", description: "runs", parameters: { type: "object" }, ...inner },
  ...more,
});
const hi = user("hi");
const body = (more: object = {}) => ({ model: "gpt-5.5", messages: [hi], ...more });
const talk = (...messages: unknown[]) => body({ messages });
const strict = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const tooLong = "a".repeat(41);
const most = "a".repeat(40);

/** A refused body, and the same body corrected. */
const rules: readonly (readonly [rule: string, bad: object, good: object, wording: string])[] = [
  ["an unknown field", body({ prompt: "x" }), body(), "Unrecognized request argument supplied: prompt"],
  ["no model", body({ model: undefined }), body(), "you must provide a model parameter"],
  ["a model of Responses only", body({ model: "gpt-5.3-codex" }), body(), "only supported in v1/responses"],
  [
    "max_tokens of a model that thinks",
    body({ max_tokens: 100 }),
    body({ max_completion_tokens: 100 }),
    "Use 'max_completion_tokens' instead",
  ],
  [
    "too many tokens",
    body({ max_completion_tokens: 128_001 }),
    body({ max_completion_tokens: 128_000 }),
    "max_tokens is too large: 128001",
  ],
  [
    "too many for an old model",
    body({ model: "gpt-4o", max_tokens: 16_385 }),
    body({ model: "gpt-4o", max_tokens: 16_384 }),
    "at most 16384",
  ],
  ["no token at all", body({ max_completion_tokens: 0 }), body({ max_completion_tokens: 1 }), "below minimum value"],
  ["half a token", body({ max_completion_tokens: 1.5 }), body({ max_completion_tokens: 1 }), "expected an integer"],
  [
    "both names",
    body({ model: "gpt-4o", max_tokens: 9, max_completion_tokens: 9 }),
    body({ max_completion_tokens: 9 }),
    "at the same time",
  ],
  ["temperature", body({ temperature: 0.5 }), body({ model: "gpt-4o", temperature: 0.5 }), "does not support 0.5 with this model"],
  ["top_p", body({ top_p: 0.5 }), body({ top_p: 1 }), "Unsupported value: 'top_p'"],
  ["two responses", body({ n: 2 }), body({ n: 1 }), "stand-in"],
  [
    "options of no stream",
    body({ stream_options: { include_usage: true } }),
    body({ stream: true, stream_options: { include_usage: true } }),
    "only allowed when 'stream' is enabled",
  ],
  [
    "an unknown option of the stream",
    body({ stream: true, stream_options: { usage: true } }),
    body({ stream: true, stream_options: { include_obfuscation: false } }),
    "Unknown parameter: 'stream_options.usage'",
  ],
  ["no tool in tools", body({ tools: [] }), body({ tools: [tool()] }), "Invalid 'tools': empty array"],
  ["tools that are no list", body({ tools: {} }), body({ tools: [tool()] }), "Invalid type for 'tools'"],
  ["129 tools", body({ tools: times(129) }), body({ tools: times(128) }), "array too long"],
  [
    "parallel calls of no tools",
    body({ parallel_tool_calls: true }),
    body({ tools: [tool()], parallel_tool_calls: true }),
    "'parallel_tool_calls'",
  ],
  ["a choice without tools", body({ tool_choice: "auto" }), body({ tools: [tool()], tool_choice: "auto" }), "'tool_choice'"],
  [
    "a flat tool",
    body({ tools: [{ type: "function", name: "a", parameters: {} }] }),
    body({ tools: [tool()] }),
    "Unknown parameter: 'tools[0].name'",
  ],
  [
    "a tool of no function",
    body({ tools: [{ type: "function" }] }),
    body({ tools: [tool()] }),
    "Missing required parameter: 'tools[0].function'",
  ],
  ["a tool of no type", body({ tools: [tool({}, { type: undefined })] }), body({ tools: [tool()] }), "Supported values are: 'function'"],
  ["a bad tool name", body({ tools: [tool({ name: "run command" })] }), body({ tools: [tool()] }), "does not match pattern"],
  [
    "a long tool name",
    body({ tools: [tool({ name: "a".repeat(65) })] }),
    body({ tools: [tool({ name: "a".repeat(64) })] }),
    "maximum length 64",
  ],
  ["two tools of one name", body({ tools: [tool(), tool()] }), body({ tools: [tool(), tool({ name: "b" })] }), "stand-in"],
  ["a tool without schema", body({ tools: [tool({ parameters: undefined })] }), body({ tools: [tool()] }), "parameters"],
  [
    "a schema of no object",
    body({ tools: [tool({ parameters: { type: "string" } })] }),
    body({ tools: [tool()] }),
    "schema must be a JSON Schema",
  ],
  [
    "a strict schema that is open",
    body({ tools: [tool({ strict: true })] }),
    body({ tools: [tool({ strict: true, parameters: strict })] }),
    "additionalProperties",
  ],
  [
    "a strict schema with a choice",
    body({ tools: [tool({ strict: true, parameters: { ...strict, required: [] } })] }),
    body({ tools: [tool({ strict: false, parameters: { ...strict, required: [] } })] }),
    "Missing 'a'",
  ],
  ["an effort that is none of them", body({ reasoning_effort: "huge" }), body({ reasoning_effort: "high" }), "Invalid value: 'huge'"],
  [
    "an effort of a model that does not think",
    body({ model: "gpt-4o", reasoning_effort: "low" }),
    body({ model: "gpt-4o" }),
    "Unsupported parameter",
  ],
  [
    "no effort where there is always some",
    body({ model: "gpt-6.1-sol", reasoning_effort: "none" }),
    body({ model: "gpt-6.1-sol" }),
    "does not support 'none'",
  ],
  [
    "tools with an effort",
    body({ tools: [tool()], reasoning_effort: "low" }),
    body({ tools: [tool()] }),
    "Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. Please use /v1/responses instead.",
  ],
  [
    "tools of a model that thinks by default",
    body({ model: "gpt-5.6-sol", tools: [tool()] }),
    body({ model: "gpt-5.6-sol", tools: [tool()], reasoning_effort: "none" }),
    "use /v1/responses or set reasoning_effort to 'none'",
  ],
  [
    "tools of a model that always thinks",
    body({ model: "gpt-6.1-sol", tools: [tool()] }),
    body({ model: "gpt-6.1-sol" }),
    "use /v1/responses",
  ],
  ["no messages", body({ messages: undefined }), body(), "Missing required parameter: 'messages'"],
  ["an empty list of messages", talk(), talk(hi), "Invalid 'messages': empty array"],
  ["an unknown role", talk({ role: "human", content: "x" }), talk(hi), "Invalid value: 'human'"],
  ["a field of a message", talk({ ...hi, time: "x" }), talk(hi), "Unknown parameter: 'messages[0].time'"],
  ["an empty text", talk(user("")), talk(hi), "stand-in"],
  ["a blank text", talk(user(" \n")), talk(hi), "stand-in"],
  ["no content", talk({ role: "user" }), talk(hi), "Missing required parameter: 'messages[0].content'"],
  ["a content of null", talk(user(null)), talk(hi), "Invalid type for 'messages[0].content'"],
  ["an empty content", talk(user([])), talk(user([{ type: "text", text: "hi" }])), "empty array"],
  ["an empty part", talk(user([{ type: "text", text: "" }])), talk(user([{ type: "text", text: "hi" }])), "stand-in"],
  ["a part of another wire", talk(user([{ type: "input_text", text: "hi" }])), talk(user([{ type: "text", text: "hi" }])), "stand-in"],
  ["an assistant that says nothing", talk(hi, assistant(null), hi), talk(hi, assistant("a"), hi), "expected a string, got null"],
  ["no call in tool_calls", talk(hi, { ...assistant("a"), tool_calls: [] }, hi), talk(hi, assistant("a"), hi), "tool_calls': empty array"],
  [
    "an empty text beside a call",
    talk(hi, assistant("", call("a")), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "stand-in",
  ],
  [
    "a long id",
    talk(hi, assistant(null, call(tooLong)), result(tooLong)),
    talk(hi, assistant(null, call(most)), result(most)),
    "maximum length 40",
  ],
  ["an empty id", talk(hi, assistant(null, call("")), result("")), talk(hi, assistant(null, call("a")), result("a")), "empty string"],
  [
    "an id that is a number",
    talk(hi, assistant(null, call(0)), result("0")),
    talk(hi, assistant(null, call("0")), result("0")),
    "expected a string, but got an integer",
  ],
  [
    "a call without type",
    talk(hi, assistant(null, call("a", { type: undefined })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "type'",
  ],
  [
    "a call with an index",
    talk(hi, assistant(null, call("a", { index: 0 })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "Unknown parameter",
  ],
  [
    "a bad name of a call",
    talk(hi, assistant(null, call("a", {}, { name: "" })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "function.name",
  ],
  [
    "arguments that are an object",
    talk(hi, assistant(null, call("a", {}, { arguments: {} })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "arguments': expected a string, but got an object instead",
  ],
  [
    "no arguments",
    talk(hi, assistant(null, call("a", {}, { arguments: "" })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "not valid JSON (stand-in)",
  ],
  [
    "arguments of a list",
    talk(hi, assistant(null, call("a", {}, { arguments: "[]" })), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "object (stand-in)",
  ],
  [
    "a call without result",
    talk(hi, assistant(null, call("a")), hi),
    talk(hi, assistant(null, call("a")), result("a"), hi),
    "did not have response messages: a",
  ],
  [
    "one of two without result",
    talk(hi, assistant(null, call("a"), call("b")), result("a"), hi),
    talk(hi, assistant(null, call("a"), call("b")), result("b"), result("a"), hi),
    "did not have response messages: b",
  ],
  [
    "a call at the very end",
    talk(hi, assistant(null, call("a"))),
    talk(hi, assistant(null, call("a")), result("a")),
    "did not have response messages",
  ],
  [
    "a word before the result",
    talk(hi, assistant(null, call("a")), hi, result("a")),
    talk(hi, assistant(null, call("a")), result("a"), hi),
    "did not have response messages: a",
  ],
  ["a result of no call", talk(hi, result("a")), talk(hi), "must be a response to a preceeding message with 'tool_calls'"],
  [
    "a late result",
    talk(hi, assistant(null, call("a")), result("a"), hi, result("a")),
    talk(hi, assistant(null, call("a")), result("a"), hi),
    "Duplicate value",
  ],
  [
    "a result without id",
    talk(hi, assistant(null, call("a")), { role: "tool", content: "x" }),
    talk(hi, assistant(null, call("a")), result("a")),
    "tool_call_id'",
  ],
  [
    "a result that says nothing",
    talk(hi, assistant(null, call("a")), result("a", "")),
    talk(hi, assistant(null, call("a")), result("a")),
    "stand-in",
  ],
  [
    "an id twice",
    talk(hi, assistant(null, call("a"), call("a")), result("a")),
    talk(hi, assistant(null, call("a")), result("a")),
    "Duplicate value",
  ],
  [
    "an id again in a later turn",
    talk(hi, assistant(null, call("a")), result("a"), assistant(null, call("a")), result("a")),
    talk(hi, assistant(null, call("a")), result("a"), assistant(null, call("b")), result("b")),
    "stand-in",
  ],
  ["a prefill", talk(hi, assistant("I")), talk(hi, assistant("I"), hi), "stand-in"],
  ["a lone surrogate", talk(user("\ud800")), talk(user("\u{1F600}")), "stand-in"],
];

describe("what Chat Completions refuses, and the same put right", () => {
  test.each(rules)("%s", (_rule, bad, good, wording) => {
    expect(refused(bad)).toMatchObject({ type: "invalid_request_error", message: expect.stringContaining(wording) });
    expect(refused(good)).toBeNull();
  });

  test("an unknown model is a 404", () => {
    expect(refused(body({ model: "gpt-5.3" }))).toMatchObject({ status: 404, code: "model_not_found" });
  });

  test("a body that is no JSON", () => {
    expect(refusedChat("{", { models: realModels })).toMatchObject({ status: 400, message: expect.stringContaining("could not parse") });
  });

  test("either role for the system, neighbours of one role, and an assistant who begins", () => {
    for (const role of ["system", "developer"]) expect(refused(talk({ role, content: "be brief" }, hi, hi))).toBeNull();
    expect(refused(talk(assistant("hello"), assistant("again"), hi))).toBeNull();
  });
});

describe("a server of the same kind", () => {
  test("knows fewer fields and roles", () => {
    const options = { models: realModels, unknownFields: ["stream_options", "max_completion_tokens"], noDeveloper: true } as const;
    const says = (more: object) => refusedChat(JSON.stringify(body(more)), options)?.message ?? "";
    expect(says({ stream: true, stream_options: {} })).toContain("stream_options");
    expect(says({ max_completion_tokens: 9 })).toContain("max_completion_tokens");
    expect(says({ max_tokens: 9 })).toBe("");
    expect(says({ messages: [{ role: "developer", content: "x" }] })).toContain(
      "Supported values are: 'system', 'user', 'assistant', 'tool'",
    );
  });
});

function times(count: number): object[] {
  return Array.from({ length: count }, (_, index) => tool({ name: `t${index}` }));
}

function refused(given: object) {
  return refusedChat(JSON.stringify(given), { models: realModels });
}
