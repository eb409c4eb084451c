import { createRoot } from "solid-js";
import { expect, test } from "vitest";
import { createEdits, fieldText, inputOf } from "../../../src/app/calls/edits.ts";
import { decisionBody } from "../../../src/app/calls/decisions.ts";
import type { CallView } from "../../../src/protocol/index.ts";

test.each([
  ["nothing typed", {}, { command: "ls", seconds: 5 }],
  ["a text", { command: "ls -l" }, { command: "ls -l", seconds: 5 }],
  ["a text that reads like JSON stays a text", { command: "true" }, { command: "true", seconds: 5 }],
  ["a text that is empty", { command: "" }, { command: "", seconds: 5 }],
  ["a number", { seconds: "7" }, { command: "ls", seconds: 7 }],
  ["a list in place of a number: the tool says what it takes", { seconds: "[1]" }, { command: "ls", seconds: [1] }],
  ["no JSON", { seconds: "7 s" }, null],
  ["a field that the call has not", { other: "x" }, { command: "ls", seconds: 5 }],
])("%s", (_, fields, input) => {
  expect(inputOf({ command: "ls", seconds: 5 }, new Map(Object.entries(fields)))).toEqual(input);
});

test.each([
  ["CRLF on every line", "a\r\nb\r\n", "a\nbc\nd\n", "a\r\nbc\r\nd\r\n"],
  ["CRLF, and no end of the last line", "a\r\nb", "a\nc", "a\r\nc"],
  ["LF", "a\nb\n", "a\nc\n", "a\nc\n"],
  ["one line", "a", "a\nb", "a\nb"],
  ["mixed line ends", "a\r\nb\n", "a\nc\n", "a\nc\n"],
])(
  "a text with %s that was changed in a field keeps CRLF where every line had it; typed back it is unchanged",
  (_, original, typed, expected) => {
    // A textarea uses only LF.
    const back = original.replaceAll("\r\n", "\n");
    const withText = (text: string) => inputOf({ text: original }, new Map([["text", text]]));
    expect([withText(typed), withText(back)]).toEqual([{ text: expected }, { text: original }]);
  },
);

test("a field shows a text as it is and anything else as JSON, which reads back as the same", () => {
  const input = { text: 'a "b"\n', list: [1, { a: null }], yes: true, nothing: null };
  const fields = new Map(Object.entries(input).map(([name, value]) => [name, fieldText(value)]));
  expect(inputOf(input, fields)).toEqual(input);
  expect(fields.get("text")).toBe('a "b"\n');
});

test("edits belong to a call as it was shown; the same arguments again are no change; broken ones are neither", () => {
  createRoot((dispose) => {
    const call = { id: "a", hash: "1", input: { command: "ls", seconds: 5 } } as unknown as CallView;
    const edits = createEdits();
    edits.toggle(call);
    expect([edits.isOpen(call), edits.changed(call)]).toEqual([true, null]);
    edits.type(call, "command", "pwd");
    // Fields that are rebuilt show the edited input.
    expect([edits.changed(call), edits.text(call, "command")]).toEqual([{ command: "pwd", seconds: 5 }, "pwd"]);
    expect(edits.isOpen({ ...call, hash: "2" })).toBe(false);
    edits.type(call, "command", "ls");
    expect(edits.changed(call)).toBe(null);
    edits.type(call, "seconds", "5 s");
    expect([edits.isBroken(call), edits.changed(call), edits.text(call, "seconds")]).toEqual([true, null, "5 s"]);
    edits.toggle(call);
    expect([edits.isOpen(call), edits.isBroken(call)]).toEqual([false, false]);
    dispose();
  });
});

test("the decision names the arguments that stand in place of the agent's, and nothing where there are none", () => {
  const decided = [{ call: { id: "a", hash: "1" }, choice: "approve" as const }];
  expect(decisionBody("d", decided, [], "", [], { a: { command: "ls" } })).toMatchObject({
    changes: { a: { command: "ls" } },
    hashes: { a: "1" },
  });
  expect("changes" in decisionBody("d", decided)).toBe(false);
});

test("a call in whose fields nothing was typed is not read: it can be a megabyte, and is asked about in many places", () => {
  createRoot((dispose) => {
    const unreadable = {
      toJSON() {
        throw new Error("it was read");
      },
    };
    const call = { id: "a", hash: "1", input: { command: "ls", other: unreadable } } as unknown as CallView;
    const edits = createEdits();
    expect([edits.changed(call), edits.isBroken(call)]).toEqual([null, false]);
    edits.toggle(call);
    expect([edits.changed(call), edits.isBroken(call)]).toEqual([null, false]);
    edits.type(call, "command", "pwd");
    expect(edits.changed(call)).toEqual({ command: "pwd", other: unreadable });
    expect(edits.changed(call)).toBe(edits.changed(call));
    dispose();
  });
});

test("a number typed as a text is a change", () => {
  createRoot((dispose) => {
    const call = { id: "a", hash: "1", input: { seconds: 5 } } as unknown as CallView;
    const edits = createEdits();
    edits.toggle(call);
    edits.type(call, "seconds", '"5"');
    expect(edits.changed(call)).toEqual({ seconds: "5" });
    dispose();
  });
});
