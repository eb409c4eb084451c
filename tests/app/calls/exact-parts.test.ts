// A long text to approve, in parts: the number of elements is limited, and nothing is left out.
import { expect, test } from "vitest";
import { exactParts, fewElements, fewPieces, partLines } from "../../../src/app/calls/exact-parts.ts";
import { lines as linesOf, type Piece, pieces as piecesOf } from "../../../src/app/calls/cell.ts";
import { maxElements, visible } from "../../../src/app/calls/visible.ts";

const repeat = (unit: string, length: number) => unit.repeat(length / unit.length);

const texts: readonly (readonly [string, string])[] = [
  ["letters after overrides", repeat("\u202Ea", 20_000)],
  ["overrides and their ends", repeat("\u202Ea\u202C", 21_000)],
  ["different hidden characters", repeat("\u200B\u2066", 20_000)],
  ["words from right to left", repeat("\u05D0 a ", 20_000)],
  ["the same in lines", repeat("\u05D0 a\u202Eb\u202C\n", 21_000)],
];

const source = (pieces: readonly Piece[]) => pieces.map((piece) => piece.source).join("");
const shown = (pieces: readonly Piece[]) =>
  pieces
    .map((piece) =>
      piece.kind === "text" ? piece.text : piece.kind === "code" || piece.kind === "rtl" ? visible(piece.source) : piece.source,
    )
    .join("");

test.each(texts)("no part of %s has more elements than the limit, beside its lines", (_, text) => {
  for (const part of exactParts(text)) {
    const lines = partLines(part, "command");
    expect(lines.flatMap(({ pieces }) => pieces).length - lines.length).toBeLessThanOrEqual(maxElements);
  }
});

test.each(texts)("nothing of %s is lost, and what is hidden has its name", (_, text) => {
  const lines = exactParts(text).flatMap((part) => partLines(part, "command"));
  // `toBe` on the texts would print all of them.
  expect(lines.map(({ pieces, end }) => source(pieces) + end).join("") === text).toBe(true);
  expect(lines.map(({ pieces, end }) => shown(pieces) + end).join("") === visible(text)).toBe(true);
});

test("a part with few of them has an element for each", () => {
  const [part] = exactParts(`rm \u202Ea\u202C ${"b".repeat(3_000)}`);
  if (part === undefined) throw new Error("a text has a part");
  expect(partLines(part, "command").flatMap(({ pieces }) => pieces.map(({ kind }) => kind))).toEqual([
    "text",
    "code",
    "text",
    "code",
    "text",
  ]);
});

test("what deceives keeps its mark where hidden characters have none", () => {
  const [part] = exactParts(`${"\u202Ea".repeat(400)}   b${"c".repeat(3_000)}`);
  if (part === undefined) throw new Error("a text has a part");
  expect(partLines(part, "command").flatMap(({ pieces }) => pieces.map(({ kind }) => kind))).toEqual(["text", "blanks", "text"]);
});

test.each(texts)("neither do the lines of a command, nor a row of a diff, that is too short to come in parts: %s", (_, text) => {
  const short = text.slice(0, 8_000);
  const found = fewElements(linesOf(short, "command"));
  expect(found.flatMap(({ pieces }) => pieces).length - found.length).toBeLessThanOrEqual(maxElements);
  const row = short.replaceAll("\n", "");
  expect(fewPieces(piecesOf(row, "text")).length).toBeLessThanOrEqual(maxElements);
  expect(source(fewPieces(piecesOf(row, "text"))) === row).toBe(true);
});
