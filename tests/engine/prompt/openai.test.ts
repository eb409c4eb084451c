import { describe, expect, test } from "vitest";
import type { Dialog } from "../../../src/dialog/model.ts";
import { type ChatMessage, chatMessages } from "../../../src/engine/prompt/openai-chat.ts";
import { type ResponsesItem, responsesInput } from "../../../src/engine/prompt/openai-responses.ts";
import { assistant, call, dialog, meta, ran, user } from "./notation.ts";

const missing = '"(The start of this dialog is missing.)"';
const failed = (error: string) => JSON.stringify({ success: false, error });
const denied = failed("The user denied this call. It was not run.");

/** A dialog, its messages for Chat Completions, and its items for Responses. */
const examples: readonly (readonly [what: string, dialog: Dialog, chat: string[], responses: string[]])[] = [
  ["a first prompt", dialog(user("hi")), ['user: "hi"'], ['user: "hi"']],
  [
    "a call and its result",
    dialog(user("hi"), assistant("let me see", ran("a", { success: true }, { command: "ls" }))),
    ['user: "hi"', 'assistant: "let me see" + run_command[a]{"command":"ls"}', 'a = {"success":true}'],
    ['user: "hi"', 'assistant: "let me see"', 'run_command[a]{"command":"ls"}', 'a = {"success":true}'],
  ],
  [
    "a call without text",
    dialog(user("hi"), assistant(ran("a", "1"))),
    ['user: "hi"', "assistant: run_command[a]{}", "a = 1"],
    ['user: "hi"', "run_command[a]{}", "a = 1"],
  ],
  [
    "parallel calls, answered in call order",
    dialog(user("hi"), assistant(ran("b", "2"), ran("a", "1"))),
    ['user: "hi"', "assistant: run_command[b]{} + run_command[a]{}", "b = 2", "a = 1"],
    ['user: "hi"', "run_command[b]{}", "run_command[a]{}", "b = 2", "a = 1"],
  ],
  [
    "text behind a call stands before it: the wires know no other order",
    dialog(user("hi"), assistant("before", ran("a", "1"), "after", ran("b", "2"))),
    ['user: "hi"', 'assistant: "before\\n\\nafter" + run_command[a]{} + run_command[b]{}', "a = 1", "b = 2"],
    ['user: "hi"', 'assistant: "before"', 'assistant: "after"', "run_command[a]{}", "run_command[b]{}", "a = 1", "b = 2"],
  ],
  ["an empty dialog", dialog(), ['user: "Continue."'], ['user: "Continue."']],
  [
    "a dialog that starts and ends with the assistant",
    dialog(assistant("hello")),
    [`user: ${missing}`, 'assistant: "hello"', 'user: "Continue."'],
    [`user: ${missing}`, 'assistant: "hello"', 'user: "Continue."'],
  ],
  [
    "neighbours of one role stay apart",
    dialog(user("a"), user("b"), assistant("c"), assistant("d"), user("e")),
    ['user: "a"', 'user: "b"', 'assistant: "c"', 'assistant: "d"', 'user: "e"'],
    ['user: "a"', 'user: "b"', 'assistant: "c"', 'assistant: "d"', 'user: "e"'],
  ],
  [
    "nothing to send",
    dialog(user("a"), assistant(" \t ", meta("Stop", "aborted")), user(" \u0085 "), user("b")),
    ['user: "a"', 'user: "b"'],
    ['user: "a"', 'user: "b"'],
  ],
  [
    "a denied call, and a prompt",
    dialog(user("a"), assistant(call("x", { decision: "denied" })), user("too dangerous")),
    ['user: "a"', "assistant: run_command[x]{}", `x = ${denied}`, 'user: "too dangerous"'],
    ['user: "a"', "run_command[x]{}", `x = ${denied}`, 'user: "too dangerous"'],
  ],
  [
    "ids of another provider",
    dialog(user("a"), assistant(ran("functions.run:0", "1"), ran("0", "2"), ran("0", "3"), ran("x".repeat(41), "4"))),
    [
      'user: "a"',
      "assistant: run_command[call_1]{} + run_command[0]{} + run_command[call_3]{} + run_command[call_4]{}",
      "call_1 = 1",
      "0 = 2",
      "call_3 = 3",
      "call_4 = 4",
    ],
    [
      'user: "a"',
      ...["call_1", "0", "call_3", "call_4"].map((id) => `run_command[${id}]{}`),
      "call_1 = 1",
      "0 = 2",
      "call_3 = 3",
      "call_4 = 4",
    ],
  ],
  [
    "an empty result, and input that was no object",
    dialog(user("a"), assistant(ran("x", ""), call("y", { input: { invalid: "{" }, decision: "denied" }))),
    ['user: "a"', "assistant: run_command[x]{} + run_command[y]{}", "x = (no output)", `y = ${denied}`],
    ['user: "a"', "run_command[x]{}", "run_command[y]{}", "x = (no output)", `y = ${denied}`],
  ],
];

describe.each(examples)("%s", (_what, given, chat, responses) => {
  test("on Chat Completions", () => expect(chatMessages(given).map(showMessage)).toEqual(chat));
  test("on Responses", () => expect(responsesInput(given).map(showItem)).toEqual(responses));
});

function showMessage(message: ChatMessage): string {
  if (message.role === "tool") return `${message.tool_call_id} = ${message.content}`;
  if (message.role === "user") return `user: ${JSON.stringify(message.content)}`;
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => `${name}[${id}]${json}`);
  return `assistant: ${[...(message.content === null ? [] : [JSON.stringify(message.content)]), ...calls].join(" + ")}`;
}

function showItem(item: ResponsesItem): string {
  if (item.type === "message") return `${item.role}: ${JSON.stringify(item.content)}`;
  return item.type === "function_call" ? `${item.name}[${item.call_id}]${item.arguments}` : `${item.call_id} = ${item.output}`;
}
