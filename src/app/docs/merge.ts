import { mergedLines, mergeTexts, sameLines } from "../../fs/text/merge-texts.ts";
import type { FileRef } from "../model/route.ts";
import { mainDoc } from "./names.ts";

/** A line of main that may give agents leave or hold them back. More lines than do so are taken for one. */
const mayBeLaw = (line: string) => /^[^a-z]*(?:authorized|revoked|limit|schedule)\b/i.test(line);
const lawsIn = (text: string) => text.split("\n").filter(mayBeLaw);

/**
 * Both changes of `base`, line by line; null when they touch the same place and differ there. Of main also when a line that one side took away would
 * be there again because the other has moved it: agents may move such lines.
 */
export function mergeFile(file: FileRef | null, base: string, ours: string, theirs: string): string | null {
  const merged = mergeTexts(base, ours, theirs);
  if (merged === null || file?.kind !== "doc" || file.name !== mainDoc) return merged;
  const laws = lawsIn(merged);
  const wanted = mergedLines(lawsIn(base), lawsIn(ours), lawsIn(theirs), laws);
  return wanted !== null && sameLines(wanted, laws) ? merged : null;
}
