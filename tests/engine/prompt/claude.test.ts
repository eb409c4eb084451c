import { describe, expect, test } from "vitest";
import type { Dialog } from "../../../src/dialog/model.ts";
import { claudeMessages } from "../../../src/engine/prompt/claude.ts";
import { limits } from "../../../src/protocol/limits.ts";
import { assistant, call, dialog, meta, ran, show, user } from "./notation.ts";

const missing = '"(The start of this dialog is missing.)"';
const failed = (error: string) => JSON.stringify({ success: false, error });

const examples: readonly (readonly [what: string, dialog: Dialog, messages: string[]])[] = [
  ["a first prompt", dialog(user("hi")), ['user: "hi"']],
  ["a second prompt", dialog(user("hi"), assistant("hello"), user("go on")), ['user: "hi"', 'assistant: "hello"', 'user: "go on"']],
  [
    "a call and its result",
    dialog(user("hi"), assistant("let me see", ran("a", { success: true, stdout: "f\n" }, { command: "ls" }))),
    ['user: "hi"', 'assistant: "let me see" + run_command[a]{"command":"ls"}', 'user: a = {"success":true,"stdout":"f\\n"}'],
  ],
  [
    "parallel calls, answered in call order in one message",
    dialog(user("hi"), assistant(ran("b", "2"), ran("a", "1"))),
    ['user: "hi"', "assistant: run_command[b]{} + run_command[a]{}", "user: b = 2 + a = 1"],
  ],
  [
    "calls one after the other are not parallel",
    dialog(user("hi"), assistant(ran("a", "1")), assistant(ran("b", "2")), assistant("done"), user("thanks")),
    [
      'user: "hi"',
      "assistant: run_command[a]{}",
      "user: a = 1",
      "assistant: run_command[b]{}",
      "user: b = 2",
      'assistant: "done"',
      'user: "thanks"',
    ],
  ],
  [
    "text after a call keeps its place",
    dialog(user("hi"), assistant("before", ran("a", "1"), "after")),
    ['user: "hi"', 'assistant: "before" + run_command[a]{} + "after"', "user: a = 1"],
  ],
  ["an empty dialog", dialog(), ['user: "Continue."']],
  [
    "a dialog that starts with the assistant",
    dialog(assistant("hello"), user("hi")),
    [`user: ${missing}`, 'assistant: "hello"', 'user: "hi"'],
  ],
  [
    "a dialog that ends on the assistant is no prefill",
    dialog(user("hi"), assistant("hello")),
    ['user: "hi"', 'assistant: "hello"', 'user: "Continue."'],
  ],
  [
    "neighbours of one role",
    dialog(user("a"), user("b"), assistant("c"), assistant("d"), user("e")),
    ['user: "a" + "b"', 'assistant: "c" + "d"', 'user: "e"'],
  ],
  [
    "a section stopped before its first token sends nothing",
    dialog(user("a"), assistant(meta("Stop", "aborted")), user("b")),
    ['user: "a" + "b"'],
  ],
  ["blank text is not sent", dialog(user("a"), assistant(" \t "), user(" \u0085 "), user("b")), ['user: "a" + "b"']],
  [
    "white space at the end of a partial answer",
    dialog(user("a"), assistant("half a \n"), user("b")),
    ['user: "a"', 'assistant: "half a"', 'user: "b"'],
  ],
  [
    "the question of a waiting dialog is its last line again",
    dialog(user("a"), assistant("I need to know", meta("Waiting", "red or blue?"), meta("Usage", "input=1")), user("red")),
    ['user: "a"', 'assistant: "I need to know\\n\\n> Waiting: red or blue?"', 'user: "red"'],
  ],
  [
    "a question alone",
    dialog(user("a"), assistant(meta("Waiting", "red?")), user("red")),
    ['user: "a"', 'assistant: "> Waiting: red?"', 'user: "red"'],
  ],
  [
    "no other metadata is sent",
    dialog(
      user("a", meta("Authorized", "run_command")),
      assistant("b", meta("Usage", "input=1"), "c", meta("Authorized", "write_file")),
      user("d"),
    ),
    ['user: "a"', 'assistant: "b\\n\\nc"', 'user: "d"'],
  ],
  ["nobody waits in a user's section", dialog(user("a", meta("Waiting", "x"))), ['user: "a"']],
  [
    "what stands before the first section is not sent",
    { ...dialog(user("a")), parts: [{ kind: "text", text: "<!-- old -->" }] },
    ['user: "a"'],
  ],
  [
    "a denied call, and the reason as a prompt",
    dialog(user("a"), assistant(call("x", { decision: "denied" })), user("too dangerous")),
    ['user: "a"', "assistant: run_command[x]{}", `user: x ! ${failed("The user denied this call. It was not run.")} + "too dangerous"`],
  ],
  [
    "one denied, one run",
    dialog(user("a"), assistant(call("x", { decision: "denied" }), ran("y", "ok"))),
    [
      'user: "a"',
      "assistant: run_command[x]{} + run_command[y]{}",
      `user: x ! ${failed("The user denied this call. It was not run.")} + y = ok`,
    ],
  ],
  [
    "a prompt while a call waits",
    dialog(user("a"), assistant(call("x")), user("never mind")),
    [
      'user: "a"',
      "assistant: run_command[x]{}",
      `user: x ! ${failed("This call was not run: the user has not decided yet.")} + "never mind"`,
    ],
  ],
  [
    "allowed, never started",
    dialog(user("a"), assistant(call("x", { decision: "approved" }))),
    [
      'user: "a"',
      "assistant: run_command[x]{}",
      `user: x ! ${failed("This call was not run: it was allowed, but the work stopped before it started.")}`,
    ],
  ],
  [
    "started, no result",
    dialog(user("a"), assistant(call("x", { decision: "approved", started: "t" }))),
    [
      'user: "a"',
      "assistant: run_command[x]{}",
      `user: x ! ${failed("interrupted: this may or may not have run, and its result is not known.")}`,
    ],
  ],
  [
    "a result that says that it failed is an error",
    dialog(user("a"), assistant(ran("x", { success: false, error: "no such file" }))),
    ['user: "a"', "assistant: run_command[x]{}", 'user: x ! {"success":false,"error":"no such file"}'],
  ],
  ["an empty result", dialog(user("a"), assistant(ran("x", ""))), ['user: "a"', "assistant: run_command[x]{}", "user: x = (no output)"]],
  [
    "input that was no object",
    dialog(user("a"), assistant(call("x", { input: { invalid: '{"comm' } }))),
    ['user: "a"', "assistant: run_command[x]{}", `user: x ! ${failed("This call was not run: its input was not one whole JSON object.")}`],
  ],
  [
    "ids that the wire refuses, or that were used before",
    dialog(user("a"), assistant(ran("functions.run:0", "1"), ran("0", "2"), ran("0", "3"), ran("call_3", "4"), ran("é".repeat(80), "5"))),
    [
      'user: "a"',
      "assistant: run_command[call_1]{} + run_command[0]{} + run_command[call_3]{} + run_command[call_4]{} + run_command[call_5]{}",
      "user: call_1 = 1 + 0 = 2 + call_3 = 3 + call_4 = 4 + call_5 = 5",
    ],
  ],
  [
    "names that the wire refuses",
    dialog(user("a"), assistant(call("x", { name: "run command!", decision: "denied" }), call("y", { name: "", decision: "denied" }))),
    [
      'user: "a"',
      "assistant: run_command_[x]{} + unknown[y]{}",
      `user: x ! ${failed("The user denied this call. It was not run.")} + y ! ${failed("The user denied this call. It was not run.")}`,
    ],
  ],
  ["a call in a user's section is not sent", dialog(user("a", call("x"))), ['user: "a"']],
  [
    "lone surrogates",
    dialog(user("a\ud800"), assistant(ran("x", "\udc00", { "\ud800": ["\ud800", "\u{1F600}"] }))),
    ['user: "a\ufffd"', 'assistant: run_command[x]{"\ufffd":["\ufffd","\u{1F600}"]}', "user: x = \ufffd"],
  ],
];

test.each(examples)("%s", (_what, given, messages) => {
  expect(show(claudeMessages(given))).toEqual(messages);
});

describe("a result longer than the limit", () => {
  test("goes whole up to the limit", () => {
    const whole = "x".repeat(limits.resultOnWire);
    expect(resultOf(whole)).toBe(whole);
  });

  test("loses its middle, keeps both ends, and says how to read the rest", () => {
    const cut = resultOf(`start${"x".repeat(limits.resultOnWire)}end`);
    expect(cut.length).toBeLessThanOrEqual(limits.resultOnWire);
    expect(cut.startsWith("startxxx")).toBe(true);
    expect(cut.endsWith("xxxend")).toBe(true);
    const left = Number(/\n\[(\d+) characters are left out here\..*head, tail or grep\.\]\n/.exec(cut)?.[1]);
    expect(left).toBe(limits.resultOnWire + 8 - cut.replace(/\n\[.*\]\n/, "").length);
  });

  test("is never cut inside a character", () => {
    for (const shift of ["", "a"]) {
      const cut = resultOf(shift + "\u{1F600}".repeat(limits.resultOnWire));
      expect(/\p{Surrogate}|\ufffd/u.test(cut)).toBe(false);
    }
  });
});

function resultOf(result: string): string {
  const block = claudeMessages(dialog(user("a"), assistant(ran("x", result)))).at(-1)?.content[0];
  return block?.type === "tool_result" && typeof block.content === "string" ? block.content : "";
}
