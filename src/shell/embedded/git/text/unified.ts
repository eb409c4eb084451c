import { decode } from "./bytes.ts";
import { diffLines, type LineChange, splitLines } from "../../../../fs/text/line-diff.ts";
import { fromBytes, toBytes } from "../../encoding.ts";

/** Lines are compared as bytes, one character each. */
export function linesOf(bytes: Uint8Array): string[] {
  return splitLines(fromBytes(bytes, "latin1"));
}

/** A line of `linesOf` as text. */
export function shown(line: string): string {
  // oxlint-disable-next-line no-control-regex -- every byte of ASCII.
  return /^[\0-\x7f]*$/.test(line) ? line : decode(toBytes(line, "latin1"));
}

/** Lines as they are compared: `-w` and `-b` leave white space out of account. */
export type Compared = "as they are" | "without blanks" | "blanks as one";

function comparable(lines: readonly string[], as: Compared): readonly string[] {
  if (as === "as they are") return lines;
  return lines.map((line) => (as === "without blanks" ? line.replaceAll(/\s/g, "") : line.replaceAll(/[ \t\r\v\f]+/g, " ").trimEnd()));
}

/** The hunks of a unified diff, each with its "@@" line. */
export function unified(oldLines: readonly string[], newLines: readonly string[], context: number, as: Compared = "as they are"): string {
  const changes = diffLines(comparable(oldLines, as), comparable(newLines, as));
  let text = "";
  for (let at = 0; at < changes.length; ) {
    let end = at;
    while (end + 1 < changes.length && gap(changes[end], changes[end + 1]) <= 2 * context) end++;
    text += hunk(oldLines, newLines, changes.slice(at, end + 1), context);
    at = end + 1;
  }
  return text;
}

function gap(a: LineChange | undefined, b: LineChange | undefined): number {
  return a && b ? b.oldStart - (a.oldStart + a.oldCount) : 0;
}

function hunk(oldLines: readonly string[], newLines: readonly string[], changes: readonly LineChange[], context: number): string {
  const first = changes[0];
  const last = changes.at(-1);
  if (!first || !last) return "";
  const before = Math.min(context, first.oldStart, first.newStart);
  const oldStart = first.oldStart - before;
  const newStart = first.newStart - before;
  const oldLast = last.oldStart + last.oldCount;
  const newLast = last.newStart + last.newCount;
  const after = Math.min(context, oldLines.length - oldLast, newLines.length - newLast);
  const oldEnd = oldLast + after;
  const newEnd = newLast + after;
  let text = `@@ -${range(oldStart, oldEnd - oldStart)} +${range(newStart, newEnd - newStart)} @@${heading(oldLines, oldStart)}\n`;
  let at = oldStart;
  let now = newStart;
  // Where blanks are left out of account, git shows what the new file has.
  for (const change of changes) {
    for (; at < change.oldStart; at++) text += signed(" ", newLines[now++]);
    for (; at < change.oldStart + change.oldCount; at++) text += signed("-", oldLines[at]);
    for (; now < change.newStart + change.newCount; now++) text += signed("+", newLines[now]);
  }
  for (; at < oldEnd; at++) text += signed(" ", newLines[now++]);
  return text;
}

function range(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

function signed(sign: string, content: string | undefined): string {
  const text = shown(content ?? "");
  return text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
}

/** The last line above the hunk that starts like a definition. */
function heading(lines: readonly string[], start: number): string {
  for (let i = start - 1; i >= 0; i--) {
    const text = lines[i] ?? "";
    if (/^[A-Za-z_$]/.test(text)) return ` ${shown(text.replace(/\n$/, "").slice(0, 80)).trimEnd()}`;
  }
  return "";
}

/** How many lines were added and removed. */
export function countChanges(
  oldLines: readonly string[],
  newLines: readonly string[],
  as: Compared = "as they are",
): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const change of diffLines(comparable(oldLines, as), comparable(newLines, as))) {
    added += change.newCount;
    removed += change.oldCount;
  }
  return { added, removed };
}
