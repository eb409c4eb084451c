import type { Dialog } from "../../../dialog/model.ts";
import { sectionAt, sectionCount } from "../../../dialog/sections.ts";
import { metaOf } from "./queries.ts";

/** The last readable value of the line with this key. `most`: how many of the latest sections are searched. */
export function lastRead<T>(dialog: Dialog, key: string, read: (value: string) => T | null, most = Infinity): T | null {
  const count = sectionCount(dialog);
  for (let at = count - 1; at >= Math.max(0, count - most); at--) {
    const section = sectionAt(dialog, at);
    const line = section && metaOf(section).findLast((each) => each.key === key);
    const found = line ? read(line.value) : null;
    if (found !== null) return found;
  }
  return null;
}
