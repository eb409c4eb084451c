import * as t from "../texts/calls.ts";

/** A text of more lines or UTF-16 units than these shows its beginning until it is asked for all of it. */
const longest = { lines: 32, units: 6_000 };
const beginning = { lines: 20, units: 4_000 };

export interface Folded {
  /** What shows. */
  readonly beginning: string;
  /** "Show all 200 lines". */
  readonly all: string;
}

/** The beginning of a long text; null when it is short enough to be shown whole. */
export function folded(text: string): Folded | null {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines <= longest.lines && text.length <= longest.units) return null;
  let end = 0;
  for (let line = 0; line < beginning.lines && end >= 0; line++) end = text.indexOf("\n", end + (line === 0 ? 0 : 1));
  let cut = Math.min(end < 0 ? text.length : end, beginning.units);
  // Never between the two halves of a character.
  if ((text.charCodeAt(cut - 1) & 0xfc00) === 0xd800) cut--;
  return {
    beginning: text.slice(0, cut),
    all: lines > 1 ? t.allLines(lines) : t.allCharacters(text.length),
  };
}
