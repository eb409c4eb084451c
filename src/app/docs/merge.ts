import { mergedLines, mergeTexts, sameLines } from "../../fs/text/merge-texts.ts";
import type { FileRef } from "../model/route.ts";
import { mainDoc } from "./names.ts";

/** Whether a line of main may give agents permissions or limit them. Matches more lines than those that do. */
const mayBeLaw = (line: string) => /^[^a-z]*(?:authorized|revoked|limit|schedule)\b/i.test(line);
const lawsIn = (text: string) => text.split("\n").filter(mayBeLaw);

/**
 * Merges both changes of `base`, line by line. Null if they differ in the same place. For main, also null if a line that one side removed would come
 * back because the other side has moved it: agents may move such lines.
 */
export function mergeFile(file: FileRef | null, base: string, ours: string, theirs: string): string | null {
  const merged = mergeTexts(base, ours, theirs);
  if (merged === null || file?.kind !== "doc" || file.name !== mainDoc) return merged;
  const laws = lawsIn(merged);
  const wanted = mergedLines(lawsIn(base), lawsIn(ours), lawsIn(theirs), laws);
  return wanted !== null && sameLines(wanted, laws) ? merged : null;
}
