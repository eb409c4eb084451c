import { wholeStart } from "./quote.ts";

/** How many UTF-16 units at either end of a text are searched for a sentence. */
const window = 600;
const END = /[.!?…。！？]["'”’)\]*`]*(?=\s|$)/gu;

/** The first sentence. If the first line ends earlier, the first line. */
export function firstSentence(text: string): string {
  const line = text.slice(0, window).trimStart().split("\n", 1)[0] ?? "";
  return line.slice(0, ends(line)[0]);
}

/** The last sentence of the last line. */
export function lastSentence(text: string): string {
  const line = wholeStart(text.slice(-window)).trimEnd().split("\n").at(-1) ?? "";
  const before = ends(line).findLast((end) => end < line.length);
  return line.slice(before).trim();
}

/** The offsets where the sentences of a line end. */
function ends(line: string): number[] {
  return Array.from(line.matchAll(END), (match) => match.index + match[0].length);
}
