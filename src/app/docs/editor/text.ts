import type { ChangeSet } from "@codemirror/state";
import { diffLines, splitLines } from "../../../fs/text/line-diff.ts";

/** A replaced piece of a text, by UTF-16 offsets of the old text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** UTF-16 units that are compared line by line. A longer difference becomes one change. */
const maxComparedLength = 400_000;

/** The line break of a text. If a text mixes line breaks, its carriage returns are kept as characters. */
export function lineBreakOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text) ? "\r\n" : "\n";
}

/** The changes that turn `before` into `after`, line by line, so that a cursor in an unchanged line keeps its place. */
export function changesBetween(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++;
  const whole = { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
  // The change is within one line, or too long to compare.
  if (!before.slice(whole.from, whole.to).includes("\n") || !whole.insert.includes("\n")) return [whole];
  if (whole.to - whole.from + whole.insert.length > maxComparedLength) return [whole];
  // From the beginning of the first changed line to the end of the last.
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

/** Applies changes to a text with LF line ends, without building the unchanged parts again. */
export function applied(text: string, changes: ChangeSet): string {
  const parts: string[] = [];
  let end = 0;
  changes.iterChanges((from, to, _fromNow, _toNow, insert) => {
    parts.push(text.slice(end, from), insert.toString());
    end = to;
  }, true);
  return parts.join("") + text.slice(end);
}
