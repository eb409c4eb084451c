import type { Dialog } from "../format/model.ts";
import { sectionAt, sectionCount } from "../format/sections.ts";
import { metaOf } from "./queries.ts";

/** The last section's line with this key whose value can be read. */
export function lastRead<T>(dialog: Dialog, key: string, read: (value: string) => T | null): T | null {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    const line = section && metaOf(section).findLast((each) => each.key === key);
    const found = line ? read(line.value) : null;
    if (found !== null) return found;
  }
  return null;
}
