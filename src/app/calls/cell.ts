/**
 * Foreign text for a decision, in lines and pieces. What could deceive the eye gets a mark in words. The sources of all pieces make up the text, so
 * that copying gives the exact text.
 */
import { characterTwins, countedBlanks, countedLines } from "../texts/characters.ts";
import { type Lookalike, lookalikes, type Reading } from "./lookalikes.ts";
import { type Segment, segments } from "./visible.ts";

export type Piece =
  | Segment
  /** Blanks, shown as their number. */
  | { readonly kind: "blanks"; readonly source: string; readonly label: string }
  /** Text followed by a mark. */
  | { readonly kind: "marked"; readonly source: string; readonly label: string; readonly pieces: readonly Segment[] };

export interface Line {
  readonly number: number;
  readonly pieces: readonly Piece[];
  /** The line break that ends it, or "" at the end of the text. */
  readonly end: string;
}

/** The length from which a run of blanks is shown in words: at the beginning of a line, and within it. At the end of a line, every run is. */
const longest: Readonly<Record<Reading, { readonly first: number; readonly within: number }>> = {
  command: { first: 33, within: 3 },
  host: { first: 1, within: 1 },
  text: { first: 41, within: 41 },
};
/** The number of empty lines in a row from which only their number is shown. */
export const maxEmptyLines = 4;

const emptyLines = new RegExp(String.raw`(?<=\n|^)(?:[ \t]*\n){${maxEmptyLines},}`, "g");

/** The lines of a text; the first has the number `first`. Many empty lines in a row become one line that says how many there were. */
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

/** The maximum number of characters that a mark names. If there are more, it says how many. */
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
