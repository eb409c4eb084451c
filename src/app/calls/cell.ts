/**
 * Foreign text for a decision, in lines and pieces: what would deceive an eye carries a mark in words. Together the sources are the
 * text, so what is copied is what stands there.
 */
import { characterTwins, countedBlanks, countedLines } from "../texts/characters.ts";
import { type Lookalike, lookalikes, type Reading } from "./lookalikes.ts";
import { type Segment, segments } from "./visible.ts";

export type Piece =
  | Segment
  /** Blanks whose number is told instead. */
  | { readonly kind: "blanks"; readonly source: string; readonly label: string }
  /** Text with a mark after it. */
  | { readonly kind: "marked"; readonly source: string; readonly label: string; readonly pieces: readonly Segment[] };

export interface Line {
  readonly number: number;
  readonly pieces: readonly Piece[];
  /** The line break that ends it, or "" at the end of the text. */
  readonly end: string;
}

/** Blanks from which a run is told in words: at a line's beginning, and within it. At a line's end every one is. */
const longest: Readonly<Record<Reading, { readonly first: number; readonly within: number }>> = {
  command: { first: 33, within: 3 },
  host: { first: 1, within: 1 },
  text: { first: 41, within: 41 },
};
/** Lines without a character, from which their number is told instead. */
export const maxEmptyLines = 4;

const emptyLines = new RegExp(String.raw`(?<=\n|^)(?:[ \t]*\n){${maxEmptyLines},}`, "g");

/** The lines of a text, the first of them with the number `first`. Many empty lines in a row become one, which says how many they were. */
export function lines(text: string, reading: Reading, first = 1): Line[] {
  const result: Line[] = [];
  let number = first;
  const add = (part: string) => {
    const own = part.split("\n");
    for (const [index, line] of own.entries()) {
      const isLast = index === own.length - 1;
      if (isLast && line === "") return;
      result.push({ number: number++, pieces: pieces(line, reading), end: isLast ? "" : "\n" });
    }
  };
  let from = 0;
  for (const { index, 0: run } of text.matchAll(emptyLines)) {
    add(text.slice(from, index));
    const count = run.split("\n").length - 1;
    result.push({ number, pieces: [{ kind: "blanks", source: run.slice(0, -1), label: countedLines(count) }], end: "\n" });
    number += count;
    from = index + run.length;
  }
  add(text.slice(from));
  return result;
}

/** The pieces of one line. */
export function pieces(line: string, reading: Reading): Piece[] {
  const marks: (Blanks | Lookalike)[] = [...blanks(line, reading), ...lookalikes(line, reading)];
  marks.sort((a, b) => a.from - b.from);
  const result: Piece[] = [];
  let from = 0;
  for (const mark of marks) {
    if (mark.from > from) for (const part of segments(line.slice(from, mark.from))) result.push(part);
    const source = line.slice(mark.from, mark.to);
    if (mark.twins !== undefined) result.push({ kind: "marked", source, label: labelOf(mark), pieces: segments(source) });
    else
      result.push({ kind: "blanks", source, label: countedBlanks(source.replaceAll("\t", "").length, source.replaceAll(" ", "").length) });
    from = mark.to;
  }
  if (from < line.length) for (const part of segments(line.slice(from))) result.push(part);
  return result;
}

/** Characters that a mark names; of more it says how many. */
const named = 3;

function labelOf({ twins }: Lookalike): string {
  const different = [...new Map(twins.map((twin) => [twin.character, twin])).values()];
  return characterTwins(different.slice(0, named), Math.max(0, different.length - named));
}

interface Blanks {
  readonly from: number;
  readonly to: number;
  readonly twins?: never;
}

function blanks(line: string, reading: Reading): Blanks[] {
  const { first, within } = longest[reading];
  const found: Blanks[] = [];
  for (const { index, 0: run } of line.matchAll(/[ \t]+/g)) {
    const to = index + run.length;
    const isLong = run.length >= (index === 0 ? first : within) || (reading !== "text" && index > 0 && run.includes("\t"));
    if (to === line.length || isLong) found.push({ from: index, to });
  }
  return found;
}
