// The pure functions behind a message's screen: folding, finding, line numbers of the file, dropped files, pieces of code.
import { createLowlight } from "lowlight";
import json from "highlight.js/lib/languages/json";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallView, MessageView } from "../../../src/protocol/index.ts";
import { collapseLines } from "../../../src/app/calls/collapse-lines.ts";
import { freeName, quoted, textOf } from "../../../src/app/dialogs/attach.ts";
import { messagesWith } from "../../../src/app/dialogs/find.ts";
import { messageLines } from "../../../src/app/dialogs/message-lines.ts";
import { waitsFor } from "../../../src/app/dialogs/waits.ts";
import { lex } from "../../../src/app/markdown/lex.ts";
import { pieces } from "../../../src/app/markdown/pieces.ts";

const lines = (count: number, width = 5) => Array.from({ length: count }, (_, n) => `${n}`.padEnd(width, "x")).join("\n");

describe("a long text", () => {
  test.each([
    ["", null],
    [lines(32), null],
    ["x".repeat(6_000), null],
    [lines(33), "Show all 33 lines"],
    [`${lines(200)}\n`, "Show all 200 lines"],
    ["x".repeat(6_001), "Show all 6,001 characters"],
  ])("%# is folded when it is too long", (text, all) => {
    expect(collapseLines(text)?.all ?? null).toBe(all);
  });
  const numbered = (from: number, to: number) =>
    lines(200)
      .split("\n")
      .slice(from - 1, to)
      .join("\n");
  test("shows its two ends, whole lines of them, and how many lines are between", () => {
    expect(collapseLines(lines(200))).toMatchObject({
      head: numbered(1, 8),
      tail: numbered(185, 200),
      tailLine: 185,
      hidden: "176 lines hidden",
    });
    expect(collapseLines(`${lines(200)}\n`)).toMatchObject({ tail: `${numbered(185, 200)}\n`, hidden: "176 lines hidden" });
  });
  test("never shows half of a character", () => {
    const cut = collapseLines(`${"x".repeat(1_999)}😀${"x".repeat(4_000)}😀${"x".repeat(2_999)}`);
    expect(cut).toMatchObject({ head: "x".repeat(1_999), tail: `😀${"x".repeat(2_999)}`, hidden: "4,002 characters hidden" });
  });
  test("law: it begins and ends as it does, and what is hidden is said", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "😀", "b".repeat(500)), { maxLength: 80 }), (parts) => {
        const text = parts.join("");
        const cut = collapseLines(text);
        if (cut === null) return;
        const { head, tail, tailLine } = cut;
        expect([text.startsWith(head), text.endsWith(tail)]).toEqual([true, true]);
        expect(head.length + tail.length).toBeLessThan(text.length);
        expect(text.slice(0, text.length - tail.length).split("\n").length).toBe(tailLine);
        expect(`${head}${tail}`.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("the lines of a message", () => {
  const file = "# Dialog\n> Format: 1\n\n## User\n> Time: t\n\nhello\n\\## User\n\n## Assistant\n> Time: t - u\n\nhi\n";
  test.each([
    [0, { from: 4, to: 8 }],
    [1, { from: 10, to: 13 }],
    [2, null],
  ])("%i", (index, expected) => expect(messageLines(file, index)).toEqual(expected));
});

describe("finding", () => {
  const call: CallView = {
    id: "a",
    tool: "run_command",
    input: { command: "grep -r Needle ." },
    state: "finished",
    started: null,
    allowedBy: "human",
    result: { success: true, stdout: "haystack\n" },
    hash: "",
    before: null,
  };
  const message = (...parts: MessageView["parts"]): MessageView => ({
    role: "assistant",
    start: null,
    end: null,
    provider: null,
    model: null,
    parts,
    usage: null,
    usageCumulative: null,
    stop: null,
  });
  const all = [message({ kind: "text", text: "A needle here." }), message({ kind: "call", call }), message()];
  test.each([
    ["needle", [0, 1]],
    ["HAYSTACK", [1]],
    ["nowhere", []],
    ["", []],
  ])("%j is in %j", (words, expected) => expect(messagesWith(all, words)).toEqual(expected));
});

describe("a file that is dropped", () => {
  test("is quoted so that nothing in it ends the quote", () => {
    expect(quoted("a.js", "let a;\r\n")).toBe("`a.js`:\n\n```js\nlet a;\n```");
    expect(quoted("a.js", "\n")).toBe("`a.js` is empty.");
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "```", "~~~", "\n", "a", "````js\n"), { maxLength: 20 }), (parts) => {
        const text = parts.join("").replace(/\n+$/, "");
        fc.pre(text.trim() !== "");
        const lexed = lex(quoted("x.md", text));
        const code = lexed.kind === "lexed" ? lexed.tokens.filter((token) => token.type === "code") : [];
        expect(code.map((token) => ("text" in token ? token.text : null))).toEqual([text]);
      }),
    );
  });
  test.each([
    ["a.csv", [], "a.csv"],
    ["a.csv", ["A.csv"], "a-2.csv"],
    ["a.csv", ["a.csv", "a-2.csv"], "a-3.csv"],
    ["../../vibey/doc-main.md", [], "-..-vibey-doc-main.md"],
    ["...", [], "file"],
    ["no ending", ["no ending"], "no ending-2"],
  ])("%j beside %j is %j", (name, taken, expected) => expect(freeName(name, new Set(taken))).toBe(expected));
  test("is text only when all of it is", () => {
    const bytes = (...values: number[]) => new Uint8Array(values).buffer;
    expect([textOf(bytes(0x68, 0xc3, 0xa4)), textOf(bytes(0xff)), textOf(bytes(0x68, 0))]).toEqual(["hä", null, null]);
  });
});

test("pieces of code, joined, are the code; few kinds of them", () => {
  const lowlight = createLowlight({ json });
  expect(pieces(lowlight.highlight("json", '{"a": 1}'))).toContainEqual({ text: "1", kind: "literal" });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("{", "}", '"', "a", ":", "1", "\n", "<", "&", " ") }), (code) => {
      expect(
        pieces(lowlight.highlight("json", code))
          .map(({ text }) => text)
          .join(""),
      ).toBe(code);
    }),
  );
});

describe("what a waiting dialog waits for", () => {
  const last = (stop: string | null, waiting = false): MessageView => ({
    role: "assistant",
    start: null,
    end: null,
    provider: null,
    model: null,
    parts: waiting ? [{ kind: "meta", lines: [{ key: "Waiting", value: "Which colour?" }] }] : [],
    usage: null,
    usageCumulative: null,
    stop,
  });
  test.each([
    [last("interrupted"), "interrupted"],
    [last("aborted"), "stopped"],
    [last("error overloaded"), "failed"],
    [last("max_tokens", true), "word"],
    [last(null, true), "question"],
    [last(null), "word"],
    [undefined, "word"],
  ])("%# is what the list says", (message, expected) => expect(waitsFor([], message)).toBe(expected));
});
