import * as fc from "fast-check";
import { Lexer, type Token, type Tokens } from "marked";
import { expect, test } from "vitest";
import { locateDialog } from "../../../../src/dialog/lines.ts";
import type { Dialog, Section } from "../../../../src/dialog/model.ts";
import { serialiseDialog } from "../../../../src/dialog/serialise.ts";
import { limits } from "../../../../src/protocol/limits.ts";
import { foldPoints, groupCommands } from "../../../../src/engine/prompt/summary/group-points.ts";
import { pointsOf } from "../../../../src/engine/prompt/summary/points.ts";
import type { Point } from "../../../../src/engine/prompt/summary/point.ts";
import { cut, quoted } from "../../../../src/engine/prompt/summary/quote.ts";
import { summaryText } from "../../../../src/engine/prompt/summary/summary.ts";
import { hostileDialog, hostileFile, hostileText } from "../../../dialog/hostile.ts";
import { assistant, call, dialog, ran, user } from "../notation.ts";

const id = "20261121-201100-game";
const filename = `dialog-${id}-done.md`;
const target = new RegExp(`^vibey/${filename}#L(\\d+)(?:-L(\\d+))?$`);
const told = (file: string) => summaryText({ dialogId: id, filename, file, prompt: "Go on." });
const bytes = (text: string) => new TextEncoder().encode(text).length;
const runs = { numRuns: 300 };

/** Markdown that would have an effect if it were not quoted. */
const markdown = fc.array(
  fc.oneof(
    fc.constantFrom(
      ..."[a](b) [lines 1–2](x#L1) ](y) ![i](j) <b> </script> # ## - * ** _ __ ~~ ` `` ``` | --- https://a.b http:// www.a.b a@b.c mailto:a@b.c &lt; \\ \\[ > 1. [x]: <!-- “ ” \u202e \u2066 \ud83d 😀 \n \r \u2028 \t".split(
        " ",
      ),
      " ",
      "\n",
      "\n\n",
      "    ",
    ),
    hostileText,
  ),
  { maxLength: 12 },
);
const words = markdown.map((list) => list.join(""));
const part = fc.oneof(
  words,
  words.map((text) => call("c", { input: { command: text, path: text, prompt: text }, decision: "denied" })),
  fc.tuple(words, words, fc.constantFrom("run_command", "write_file", "edit_file", "launch_agent")).map(([text, other, name]) => {
    const result = { success: text.length % 2 === 0, error: other, stderr: text, launched: { dialogId: other } };
    return call("d", { name, input: { command: text, path: text, prompt: text }, decision: "approved", started: "t", result });
  }),
);
const section: fc.Arbitrary<Section> = fc.oneof(
  words.map((text) => user(text)),
  fc.array(part, { maxLength: 4 }).map((parts) => assistant(...parts)),
);
const markdownDialog: fc.Arbitrary<Dialog> = fc
  .tuple(fc.array(section, { maxLength: 5 }), fc.option(words))
  .map(([sections, from]) => ({ ...dialog(...sections), ...(from === null ? {} : { head: [{ key: "Continued from", value: from }] }) }));
const anyFile = fc.oneof(markdownDialog.map(serialiseDialog), hostileFile(serialiseDialog), hostileDialog.map(serialiseDialog));

function* walk(tokens: readonly Token[]): Iterable<Token> {
  for (const token of tokens) {
    yield token;
    yield* walk("tokens" in token && token.tokens ? token.tokens : []);
    if (token.type === "list") yield* walk(token.items as Token[]);
  }
}

test("whatever the dialog says, the only links of its summary are Vibey's, to lines that are there, one at the end of each point", () => {
  fc.assert(
    fc.property(anyFile, (file) => {
      const blocks = new Lexer({ gfm: true }).lex(told(file)).filter(({ type }) => type !== "space");
      const { total } = locateDialog(file);
      const lists = blocks.filter(({ type }) => type === "list");
      expect(lists.length).toBeLessThanOrEqual(1);
      const wild = Array.from(walk(blocks), ({ type }) => type).filter((type) =>
        ["html", "heading", "image", "def", "table", "blockquote", "em", "strong", "del", "br", "hr"].includes(type),
      );
      expect(wild).toEqual([]);
      const items = lists.flatMap((list) => (list.type === "list" ? (list.items as Token[]) : []));
      for (const item of items) expect(Array.from(walk([item])).filter(({ type }) => type === "list")).toEqual([]);
      const links = Array.from(walk(blocks)).flatMap((token) => (token.type === "link" ? [token as Tokens.Link] : []));
      expect(links.length).toBe(items.length + blocks.filter(({ type }) => type === "code").length);
      for (const link of links) {
        const [, from = 0, to = from] = (target.exec(link.href) ?? []).map(Number);
        expect(from).toBeGreaterThanOrEqual(1);
        expect(Number.isNaN(to) ? from : to).toBeGreaterThanOrEqual(from);
        expect(Number.isNaN(to) ? from : to).toBeLessThanOrEqual(total);
      }
      for (const item of items) expect(item.raw).toMatch(/\]\([^\s()]+\)\n?$/);
    }),
    runs,
  );
});

test("a summary has its limits, whatever the dialog", () => {
  fc.assert(
    fc.property(anyFile, (file) => {
      expect(bytes(told(file))).toBeLessThanOrEqual(limits.summaryBytes);
    }),
    { numRuns: 300 },
  );
});

const wide = "漢字".repeat(5_000);
test.each([
  ["many messages", dialog(...Array.from({ length: 3_000 }, (_, at) => user(`message ${at}`)))],
  [
    "many steps",
    dialog(...Array.from({ length: 3_000 }, (_, at) => assistant(`step ${at}`, ran(`c${at}`, { success: true }, { command: `ls ${at}` })))),
  ],
  ["many denials", dialog(...Array.from({ length: 3_000 }, (_, at) => assistant(call(`c${at}`, { decision: "denied" }))))],
  [
    "wide words",
    dialog(
      ...Array.from({ length: 500 }, () => [user(wide), assistant(wide, ran("c", { success: false, error: wide, stderr: wide }))]).flat(),
    ),
  ],
  ["many parallel calls", dialog(assistant(...Array.from({ length: 3_000 }, (_, at) => call(`c${at}`))))],
])("a large dialog's summary has its limits and says enough: %s", (_name, given) => {
  const text = told(serialiseDialog(given));
  const lines = text.split("\n").filter((line) => line.startsWith("- "));
  expect(lines.length).toBeLessThanOrEqual(limits.summaryPoints);
  expect(lines.length).toBeGreaterThan(4);
  expect(bytes(text)).toBeLessThanOrEqual(limits.summaryBytes);
});

test("what is folded is counted, and stands on lines of what it was folded into", () => {
  fc.assert(
    fc.property(markdownDialog, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 3_000 }), (given, most, room) => {
      const found = pointsOf(locateDialog(serialiseDialog(given)));
      const folded = foldPoints(groupCommands(found), { points: most, bytes: room }, ({ text }) => bytes(text));
      const within = ({ lines }: Point, whole: Point) => whole.lines.from <= lines.from && lines.to <= whole.lines.to;
      for (const point of found) expect(folded.some((whole) => within(point, whole))).toBe(true);
      expect(sumOf(folded)).toEqual(sumOf(found));
      const starts = folded.map(({ lines }) => lines.from);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }),
    runs,
  );
});

function sumOf(points: readonly Point[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { counts } of points) for (const [kind, count] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

test("a quotation is one line of whole characters, and not longer than it may be", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 40 }), (text, longest) => {
      expect(quoted(text, longest)).toMatch(/^“[^\p{Cc}\p{Cs}\u2028\u2029“”]*”$/u);
      expect(cut(text, longest).length).toBeLessThanOrEqual(Math.max(1, longest));
    }),
    runs,
  );
});

const many = (count: number, text: (nth: number) => string) => Array.from({ length: count }, (_, nth) => text(nth)).join("");
const block = (tool: string, nth: number, input: string, rest: string) =>
  `\n---\nTool request: ${tool} [c${nth}]\n\n    ${input}\n${rest}\n---\n`;
const written = `\nDecision: approved\nStarted: t\nResult:\n\n    {"success": true}\n`;
test.each([
  ["texts", many(50_000, (nth) => `\ntext ${nth}\n\n> Note: x\n`)],
  [
    "calls before long words",
    `${many(30_000, (nth) => block("x", nth, "{}", ""))}\n## User\n\n${"x".repeat(10_000_000)}\n\n> Note: x\n\ny\n`,
  ],
  ["changed files", many(150_000, (nth) => block("write_file", nth, `{"path": "f${nth}"}`, written))],
  ["stops", `\n${"> Stop: x\n".repeat(150_000)}`],
])("one section may have any number of parts: %s", (_name, parts) => {
  expect(bytes(told(`# Dialog\n> Format: 1\n\n## Assistant\n${parts}`))).toBeLessThanOrEqual(limits.summaryBytes);
});

test("the summary of 25 MB is made in linear time", () => {
  const big = dialog(
    ...Array.from({ length: 25_000 }, (_, at) =>
      assistant(`step ${at}`, ran(`c${at}`, { success: true, stdout: "x".repeat(800) }, { command: `cat ${at}` })),
    ),
  );
  const file = serialiseDialog(big);
  expect(file.length).toBeGreaterThan(25_000_000);
  expect(bytes(told(file))).toBeLessThanOrEqual(limits.summaryBytes);
});
