import { countBreaks } from "../markdown/long-text.ts";
import * as t from "../texts/calls.ts";

/** A text with more lines or UTF-16 units than these shows only its two ends, until the reader asks for all of it. */
const longest = { lines: 32, units: 6_000 };
/** The tail is longer, because the end of an output says more: what failed, and how many did. */
const head = { lines: 8, units: 2_000 };
const tail = { lines: 16, units: 3_000 };

export interface CollapsedLines {
  readonly head: string;
  readonly tail: string;
  /** The number of the line that `tail` begins with or in. */
  readonly tailLine: number;
  /** "176 lines hidden". */
  readonly hidden: string;
  /** "Show all 200 lines". */
  readonly all: string;
}

/** The two ends of a long text; null if it is short enough to be shown whole. */
export function collapseLines(text: string): CollapsedLines | null {
  const lines = countLines(text);
  if (lines <= longest.lines && text.length <= longest.units) return null;
  const end = headEnd(text);
  const start = Math.max(tailStart(text), end);
  // If both ends are whole lines, the line breaks between them are left out.
  const isWhole = text[end] === "\n" && text[start - 1] === "\n" && end + 1 < start;
  return {
    head: text.slice(0, end),
    tail: text.slice(start),
    tailLine: countBreaks(text.slice(0, start)) + 1,
    hidden: isWhole ? t.linesHidden(countLines(text.slice(end + 1, start))) : t.charactersHidden(start - end),
    all: lines > 1 ? t.allLines(lines) : t.allCharacters(text.length),
  };
}

function headEnd(text: string): number {
  let end = -1;
  for (let line = 0; line < head.lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) break;
  }
  return border(text, end < 0 || end > head.units ? head.units : end);
}

function tailStart(text: string): number {
  let start = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < tail.lines && start > 0; line++) start = text.lastIndexOf("\n", start - 1);
  return border(text, Math.max(start + 1, text.length - tail.units));
}

/** Never splits a surrogate pair. */
const border = (text: string, at: number) => ((text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at);

const countLines = (text: string) => (text === "" ? 0 : countBreaks(text) + (text.endsWith("\n") ? 0 : 1));
