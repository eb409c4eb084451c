import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { limits } from "../../../protocol/limits.ts";

/** The changes of a text as a unified diff, cut to a length for the model. Null if they are unknown or too large to compare. */
export function shownChanges(path: string, before: string | null | undefined, now: string | null): string | null {
  if (before === undefined || now === null) return null;
  const patch = createTwoFilesPatch(before === null ? "/dev/null" : path, path, before ?? "", now, undefined, undefined, {
    context: 3,
    timeout: limits.diffMs,
    maxEditLength: limits.diffEdits,
    headerOptions: FILE_HEADERS_ONLY,
  });
  if (patch === undefined) return null;
  const text = patch.trimEnd();
  if (text.length <= limits.diffShown) return text;
  const end = text.lastIndexOf("\n", limits.diffShown);
  return `${text.slice(0, end > 0 ? end : limits.diffShown)}\n… cut here: read the file for the rest`;
}
