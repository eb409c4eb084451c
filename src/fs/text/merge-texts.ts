import { splitLines } from "./line-diff.ts";
import { mergeLines } from "./merge-lines.ts";

/** Both changes of `base`, line by line; null when they touch the same place and differ there. */
export function mergeTexts(base: string, ours: string, theirs: string): string | null {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const labels = { ours: "ours", theirs: "theirs" };
  const merged = mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), labels);
  return merged.conflicts === 0 ? merged.lines.join("") : null;
}

type Lines = readonly string[];

/**
 * Which lines of a kind a merged text should have, when its two sides and their base have these, and it has `merged`. Where one side has only moved
 * such a line and the other has taken it away, the merged text has it in its new place; here it is gone. Null: both sides have changed the lines,
 * and `merged` are not those of both.
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
