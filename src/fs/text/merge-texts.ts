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
