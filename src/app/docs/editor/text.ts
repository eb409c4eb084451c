import type { ChangeSet } from "@codemirror/state";
import { diffLines, splitLines } from "../../../fs/text/line-diff.ts";

/** A piece of a text that reads otherwise, by UTF-16 offsets of the old one. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** UTF-16 units that are compared line by line; a longer difference is one change. */
const maxComparedLength = 400_000;

/** How the lines of a text end. A text that mixes its ends keeps each of its carriage returns as a character. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text) ? "\r\n" : "\n";
}

/** What makes `after` of `before`, line by line, so that a cursor in a line which stays keeps its place. */
export function changesBetween(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++;
  const whole = { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
  // Within one line, or too much to compare.
  if (!before.slice(whole.from, whole.to).includes("\n") || !whole.insert.includes("\n")) return [whole];
  if (whole.to - whole.from + whole.insert.length > maxComparedLength) return [whole];
  // From the beginning of the first line that differs to the end of the last.
  const from = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  const lastBreak = before.indexOf("\n", whole.to);
  const to = lastBreak < 0 ? before.length : lastBreak + 1;
  const old = splitLines(before.slice(from, to));
  const fresh = splitLines(after.slice(from, after.length - (before.length - to)));
  const oldAt = offsets(old);
  return diffLines(old, fresh).map(({ oldStart, oldCount, newStart, newCount }) => ({
    from: from + (oldAt[oldStart] ?? 0),
    to: from + (oldAt[oldStart + oldCount] ?? 0),
    insert: fresh.slice(newStart, newStart + newCount).join(""),
  }));

  function offsets(lines: readonly string[]): number[] {
    const at = [0];
    for (const line of lines) at.push((at.at(-1) ?? 0) + line.length);
    return at;
  }
}

/** A text whose lines end in LF, with changes that were made to it: without putting together again what did not change. */
export function applied(text: string, changes: ChangeSet): string {
  const parts: string[] = [];
  let end = 0;
  changes.iterChanges((from, to, _fromNow, _toNow, insert) => {
    parts.push(text.slice(end, from), insert.toString());
    end = to;
  }, true);
  return parts.join("") + text.slice(end);
}
