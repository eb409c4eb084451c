// Decorations that draw text differently from how it is written. Each needs an element of its own, so their number is a line's cost.
import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import type { Decoration } from "@codemirror/view";
import { expect, test } from "vitest";
import { draw } from "../../../../src/app/docs/editor/live/live.ts";
import { hidden, lines } from "../../../../src/app/docs/editor/live/looks.ts";
import { markdown } from "../../../../src/app/docs/editor/syntax/markdown.ts";

function drawn(text: string): (readonly [Decoration, number, number])[] {
  const begun = EditorState.create({ doc: text, extensions: [markdown] });
  ensureSyntaxTree(begun, text.length, 1e9);
  // Only the next state contains the finished tree.
  const { state } = begun.update({});
  const found: [Decoration, number, number][] = [];
  draw({ state, hasFocus: false, visibleRanges: [{ from: 0, to: text.length }] }).between(0, text.length, (from, to, decoration) => {
    found.push([decoration, from, to]);
  });
  return found;
}
const stretches = (text: string, of: Decoration) =>
  drawn(text).flatMap(([decoration, from, to]) => (decoration === of ? [[from, to]] : []));

test.each([
  ["> a", [[0, 2]]],
  ["> > a", [[0, 4]]],
  [">>>a", [[0, 3]]],
  [`${"> ".repeat(40)}a`, [[0, 80]]],
])("the marks of %j are hidden in one stretch", (text, expected) => {
  expect(stretches(text, hidden)).toEqual(expected);
});

test("marks that touch in different lines stay apart", () => {
  expect(stretches("> > a\n> > b", hidden)).toEqual([
    [0, 4],
    [6, 10],
  ]);
});

test("a line in quotes within quotes is drawn as a quote once, and lines behind them are too", () => {
  const text = `${">".repeat(30)} a\n> > b\n\nc\n\n> d\n`;
  expect(stretches(text, lines.quote).map(([from = 0]) => text.slice(from).split("\n")[0])).toEqual([
    `${">".repeat(30)} a`,
    "> > b",
    "> d",
  ]);
});

test("what is drawn grows with the lines and not with their marks", () => {
  const text = Array.from({ length: 50 }, (_, depth) => `${">".repeat(depth + 1)} a\n\n`).join("");
  expect(drawn(text).length).toBeLessThan(4 * 50 + 50);
});

test("signs that stand for something are not made one", () => {
  expect(drawn("- - a").filter(([decoration]) => decoration.spec.widget !== undefined)).toHaveLength(2);
});
