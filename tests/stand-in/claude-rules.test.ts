import { describe, expect, test } from "vitest";
import { realModels, refusedBody } from "./claude-rules.ts";

const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more });
const use = (id: string, more: object = {}) => ({ type: "tool_use", id, name: "run_command", input: {}, ...more });
const result = (id: string, more: object = {}) => ({ type: "tool_result", tool_use_id: id, content: "ok", ...more });
const tool = (more: object = {}) => ({ name: "run_command", description: "runs", input_schema: { type: "object" }, ...more });
const hi = user(text("hi"));
const mark = { cache_control: { type: "ephemeral" } };
const body = (more: object = {}) => ({ model: "claude-sonnet-5-5", max_tokens: 64_000, messages: [hi], ...more });
const talk = (...messages: unknown[]) => body({ messages });

/** A refused body, and the same body corrected. */
const rules: readonly (readonly [rule: string, bad: object, good: object, wording: string])[] = [
  ["an unknown field", body({ prompt: "x" }), body(), "Extra inputs are not permitted"],
  ["no model", body({ model: undefined }), body(), "model: Field required"],
  ["no max_tokens", body({ max_tokens: undefined }), body(), "max_tokens: Field required"],
  ["max_tokens of 0", body({ max_tokens: 0 }), body({ max_tokens: 1 }), "greater than or equal to 1"],
  ["too many tokens", body({ max_tokens: 128_001 }), body({ max_tokens: 128_000 }), "maximum allowed number of output tokens"],
  ["too many for haiku", body({ model: "claude-haiku-4-5", max_tokens: 64_001 }), body({ model: "claude-haiku-4-5" }), "64001 > 64000"],
  ["temperature", body({ temperature: 1 }), body({ model: "claude-sonnet-4-5", temperature: 1 }), "`temperature` is not supported"],
  ["top_p", body({ top_p: 1 }), body(), "`top_p` is not supported"],
  ["top_k", body({ top_k: 1 }), body(), "`top_k` is not supported"],
  [
    "manual thinking",
    body({ thinking: { type: "enabled", budget_tokens: 1024 } }),
    body({ thinking: { type: "adaptive" } }),
    "thinking.type.enabled",
  ],
  ["thinking off", body({ thinking: { type: "disabled" } }), body({ thinking: { type: "between_tools" } }), "thinking.type.disabled"],
  ["an empty system text", body({ system: [text("")] }), body({ system: [text("be brief")] }), "must be non-empty"],
  ["a blank system text", body({ system: [text(" \n")] }), body({ system: "be brief" }), "non-whitespace"],
  ["a bad tool name", body({ tools: [tool({ name: "run command" })] }), body({ tools: [tool()] }), "should match pattern"],
  ["two tools of one name", body({ tools: [tool(), tool()] }), body({ tools: [tool(), tool({ name: "b" })] }), "Tool names must be unique"],
  ["a tool without schema", body({ tools: [tool({ input_schema: undefined })] }), body({ tools: [tool()] }), "input_schema"],
  ["a schema of no object", body({ tools: [tool({ input_schema: { type: "string" } })] }), body({ tools: [tool()] }), "should be 'object'"],
  [
    "a choice without tools",
    body({ tool_choice: { type: "auto" } }),
    body({ tools: [tool()], tool_choice: { type: "auto" } }),
    "tool_choice",
  ],
  ["a forced tool", body({ tools: [tool()], tool_choice: { type: "any" } }), body({ tools: [tool()] }), "forced tool use"],
  [
    "five cache marks",
    talk(user(...[1, 2, 3, 4, 5].map(() => text("a", mark)))),
    talk(user(...[1, 2, 3, 4].map(() => text("a", mark)))),
    "Found 5",
  ],
  ["a mark of no kind", talk(user(text("a", { cache_control: { type: "x" } }))), talk(user(text("a", mark))), "should be 'ephemeral'"],
  ["no messages", talk(), talk(hi), "at least one message"],
  ["a system message", talk({ role: "system", content: "x" }, hi), talk(hi), 'Unexpected role "system"'],
  ["an unknown role", talk({ role: "tool", content: "x" }), talk(hi), 'Unexpected role "tool"'],
  ["a field of a message", talk({ ...hi, name: "x" }), talk(hi), "messages.0.name: Extra inputs"],
  ["an empty content", talk({ role: "user", content: [] }), talk(hi), "must have non-empty content"],
  ["an empty text", talk(user(text(""))), talk(hi), "text content blocks must be non-empty"],
  ["a blank text", talk(user(text(" \t\n"))), talk(hi), "must contain non-whitespace text"],
  ["a blank string", talk({ role: "user", content: " " }), talk({ role: "user", content: "hi" }), "must contain non-whitespace text"],
  ["an unknown block", talk(user({ type: "hologram" })), talk(hi), "does not match any of the expected tags"],
  [
    "a thinking block of nobody",
    talk(hi, assistant({ type: "thinking", thinking: "", signature: "x" }), hi),
    talk(hi, assistant(text("a")), hi),
    "Invalid `signature`",
  ],
  ["a user's call", talk(user(use("a"))), talk(hi, assistant(use("a")), user(result("a"))), "can only be in `assistant` messages"],
  [
    "an assistant's result",
    talk(hi, assistant(result("a")), hi),
    talk(hi, assistant(use("a")), user(result("a"))),
    "can only be in `user` messages",
  ],
  [
    "a bad id",
    talk(hi, assistant(use("a.b")), user(result("a.b"))),
    talk(hi, assistant(use("a_b")), user(result("a_b"))),
    "should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    "a long id",
    talk(hi, assistant(use("a".repeat(65))), user(result("a".repeat(65)))),
    talk(hi, assistant(use("a".repeat(64))), user(result("a".repeat(64)))),
    "at most 64",
  ],
  [
    "a bad name of a call",
    talk(hi, assistant(use("a", { name: "" })), user(result("a"))),
    talk(hi, assistant(use("a")), user(result("a"))),
    "tool_use.name",
  ],
  [
    "an input that is a list",
    talk(hi, assistant(use("a", { input: [] })), user(result("a"))),
    talk(hi, assistant(use("a")), user(result("a"))),
    "tool_use.input: Input should be a valid dictionary",
  ],
  [
    "an empty text in a result",
    talk(hi, assistant(use("a")), user(result("a", { content: [text("")] }))),
    talk(hi, assistant(use("a")), user(result("a", { content: "" }))),
    "must be non-empty",
  ],
  [
    "a call without result",
    talk(hi, assistant(use("a")), hi),
    talk(hi, assistant(use("a")), user(result("a"), text("hi"))),
    "without `tool_result` blocks immediately after: a.",
  ],
  [
    "one of two without result",
    talk(hi, assistant(use("a"), use("b")), user(result("a"))),
    talk(hi, assistant(use("a"), use("b")), user(result("a"), result("b"))),
    "immediately after: b.",
  ],
  ["a call at the very end", talk(hi, assistant(use("a"))), talk(hi, assistant(use("a")), user(result("a"))), "without `tool_result`"],
  [
    "text before the result",
    talk(hi, assistant(use("a")), user(text("x"), result("a"))),
    talk(hi, assistant(use("a")), user(result("a"), text("x"))),
    "without `tool_result`",
  ],
  ["a result of no call", talk(user(result("a"))), talk(hi), "unexpected `tool_use_id`"],
  [
    "a late result",
    talk(hi, assistant(use("a")), user(result("a")), assistant(text("b")), user(result("a"))),
    talk(hi, assistant(use("a")), user(result("a")), assistant(text("b")), hi),
    "unexpected `tool_use_id`",
  ],
  [
    "two results",
    talk(hi, assistant(use("a")), user(result("a"), result("a"))),
    talk(hi, assistant(use("a")), user(result("a"))),
    "must have a single result",
  ],
  [
    "an id twice",
    talk(hi, assistant(use("a"), use("a")), user(result("a"))),
    talk(hi, assistant(use("a"), use("b")), user(result("a"), result("b"))),
    "ids must be unique",
  ],
  [
    "an id twice in neighbours",
    talk(hi, assistant(use("a")), assistant(use("a")), user(result("a"))),
    talk(hi, assistant(use("a")), assistant(use("b")), user(result("a"), result("b"))),
    "ids must be unique",
  ],
  [
    "an id again in a later turn",
    talk(hi, assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))),
    talk(hi, assistant(use("a")), user(result("a")), assistant(use("b")), user(result("b"))),
    "stand-in",
  ],
  ["a prefill", talk(hi, assistant(text("I"))), talk(hi, assistant(text("I")), hi), "does not support assistant message prefill"],
  [
    "a prefill with a space behind",
    { ...talk(hi, assistant(text("I "))), model: "claude-sonnet-4-5" },
    { ...talk(hi, assistant(text("I"))), model: "claude-sonnet-4-5" },
    "trailing whitespace",
  ],
  ["a lone surrogate", talk(user(text("\ud800"))), talk(user(text("\u{1F600}"))), "not valid JSON"],
];

describe("what the Messages API refuses, and the same put right", () => {
  test.each(rules)("%s", (_rule, bad, good, wording) => {
    expect(refusedBody(JSON.stringify(bad), { models: realModels })).toMatchObject({
      status: 400,
      message: expect.stringContaining(wording),
    });
    expect(refusedBody(JSON.stringify(good), { models: realModels })).toBeNull();
  });

  test("an unknown model is a 404", () => {
    const refused = refusedBody(JSON.stringify(body({ model: "claude-sonnet-4-20250514" })), { models: realModels });
    expect(refused).toEqual({ status: 404, type: "not_found_error", message: "model: claude-sonnet-4-20250514" });
  });

  test("a body that is no JSON", () => {
    expect(refusedBody("{", { models: realModels })).toMatchObject({ status: 400, message: expect.stringContaining("not valid JSON") });
  });

  test("keys named cache_control in a call's input are data", () => {
    const marks = Object.fromEntries(["a", "b", "c", "d", "e"].map((key) => [key, mark]));
    expect(
      refusedBody(JSON.stringify(talk(hi, assistant(use("a", { input: marks })), user(result("a")))), { models: realModels }),
    ).toBeNull();
  });
});
