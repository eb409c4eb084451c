import { splitLines } from "./line-diff.ts";
import { mergeLines } from "./merge-lines.ts";

/** Both changes of `base`, merged line by line. Null if they differ in the same place. */
export function mergeTexts(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const labels = { ours: "ours", theirs: "theirs" };
  const merged = mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), labels);
  return merged.conflicts === 0 ? merged.lines.join("") : null;
}

type Lines = readonly string[];

/**
 * The lines of some kind that a merged text should have. The arguments are these lines in the base and its two sides, and in the merged text. A line
 * that one side only moved and the other side deleted is in the merged text, but must be gone. Null if both sides changed the lines and `merged` does
 * not have the changes of both.
 */
export function mergedLines(base: Lines, ours: Lines, theirs: Lines, merged: Lines): Lines | null {
  if (sameLines(theirs, base)) return ours;
  if (sameLines(ours, base)) return theirs;
  const count = (lines: Lines, line: string): number => lines.filter((one) => one === line).length;
  const all = new Set([...base, ...ours, ...theirs, ...merged]);
  return [...all].every((line) => count(merged, line) === count(ours, line) + count(theirs, line) - count(base, line)) ? merged : null;
}

export function sameLines(one: Lines, other: Lines): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
