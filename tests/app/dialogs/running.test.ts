import { describe, expect, test } from "vitest";
import { beginning, spokenSeconds } from "../../../src/app/calls/elapsed.ts";
import { hostWords } from "../../../src/app/calls/network.ts";
import { lastLines, plainOutput } from "../../../src/app/calls/terminal.ts";
import { afterOutput } from "../../../src/app/dialogs/running.ts";
import type { OutputView } from "../../../src/protocol/index.ts";

const esc = "\u001b";

test.each([
  ["plain\ntext\n", "plain\ntext\n"],
  [`${esc}[31mred${esc}[0m and ${esc}[1;38;5;12mmore${esc}[m`, "red and more"],
  [`${esc}]0;a title\u0007shell${esc}]8;;https://a.example${esc}\\link${esc}]8;;${esc}\\`, "shelllink"],
  [`${esc}(Bcharset${esc}7`, "charset"],
  ["a line\r\nanother\r\r\n", "a line\nanother\n"],
  ["10 %\r50 %\r100 %\n", "100 %\n"],
  ["longer line\rshort", "shortr line"],
  ["tyop\b\bpo", "typo"],
  [`cut ${esc}[3`, "cut "],
  [`cut ${esc}`, "cut "],
  [`cut ${esc}]0;tit`, "cut "],
  ["\b\bx", "x"],
  ["😀\rok", "ok"],
])("what a terminal would show of %j", (text, shown) => {
  expect(plainOutput(text)).toBe(shown);
});

test.each([
  ["a\nb\nc", 2, "b\nc"],
  ["a\nb\nc\n", 2, "b\nc\n"],
  ["a\nb\nc", 3, "a\nb\nc"],
  ["a\nb\nc", 9, "a\nb\nc"],
  ["\n\n\n", 2, "\n\n"],
  ["", 3, ""],
])("the last lines of %j, %i of them", (text, count, shown) => {
  expect(lastLines(text, count)).toBe(shown);
});

describe("output that comes", () => {
  type Piece = readonly ["stdout" | "stderr" | "progress", string, string?];
  const after = (...pieces: readonly Piece[]) =>
    pieces.reduce<OutputView | null>(
      (output, [stream, text, callId = "1"]) => afterOutput(output, { type: "output", version: 0, callId, stream, text }),
      null,
    );
  test("both streams stand in one text, as they came", () => {
    expect(after(["stdout", "a"], ["stderr", "b"], ["stdout", "c"])).toEqual({ callId: "1", text: "abc", progress: null });
  });
  test("progress is one line of its own, and can be taken back", () => {
    expect(after(["stdout", "a"], ["progress", "10 %"], ["progress", "20 %"])).toEqual({ callId: "1", text: "a", progress: "20 %" });
    expect(after(["progress", "10 %"], ["progress", ""])?.progress).toBeNull();
  });
  test("another command's output is forgotten", () => {
    expect(after(["stdout", "a"], ["progress", "10 %"], ["stdout", "b", "2"])).toEqual({ callId: "2", text: "b", progress: null });
  });
  test("the last 20,000 characters are kept, none of them half", () => {
    expect(after(["stdout", "a".repeat(19_999)], ["stdout", "bc"])?.text).toBe(`${"a".repeat(19_998)}bc`);
    expect(after(["stdout", "😀"], ["stdout", "a".repeat(19_999)])?.text).toBe("a".repeat(19_999));
  });
});

test.each([
  [0, null],
  [9, null],
  [10, 10],
  [29, 10],
  [45, 30],
  [61, 60],
  [119, 60],
  [130, 120],
])("after %i s those who listen were last told of %s", (seconds, told) => {
  expect(spokenSeconds(seconds)).toBe(told);
});
test.each([
  ["2026-11-22T10:00:00.000Z", -4_000],
  ["2026-11-22T10:00:05.000Z", 1_000],
  ["2026-11-22T10:00:05.001Z", null],
  ["yesterday", null],
  [null, null],
])("a command that was started at %s began at %s", (started, began) => {
  expect(beginning(started, 1_000, Date.parse("2026-11-22T10:00:05.000Z"))).toBe(began);
});

test.each([
  [[], [], null],
  [["a.example"], [], "Commands can connect to a.example."],
  [["a.example", "b.example"], ["c.example:8443"], "Commands can connect to a.example and b.example, but not to c.example:8443."],
  [["a", "b", "c", "d"], [], "Commands can connect to a, b and 2 more."],
  [[], ["a"], "Commands can't connect to a."],
])("hosts in a line: %j, not %j", (allowed, refused, words) => {
  expect(hostWords({ allowed, refused })).toBe(words);
});
