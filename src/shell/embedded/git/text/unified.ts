import { decode } from "./bytes.ts";
import { diffLines, type LineChange, splitLines } from "../../../../fs/text/line-diff.ts";
import { fromBytes, toBytes } from "../../encoding.ts";

/** Splits the bytes into lines. Lines are compared as bytes, one character each. */
export function linesOf(bytes: Uint8Array): string[] {
  return splitLines(fromBytes(bytes, "latin1"));
}

/** A line of `linesOf` as text. */
export function shown(line: string): string {
  // oxlint-disable-next-line no-control-regex -- every byte of ASCII.
  return /^[\0-\x7f]*$/.test(line) ? line : decode(toBytes(line, "latin1"));
}

/** How lines are compared: `-w` and `-b` ignore white space. */
export type Compared = "as they are" | "without blanks" | "blanks as one";

function comparable(lines: readonly string[], as: Compared): readonly string[] {
  if (as === "as they are") return lines;
  return lines.map((line) => (as === "without blanks" ? line.replaceAll(/\s/g, "") : line.replaceAll(/[ \t\r\v\f]+/g, " ").trimEnd()));
}

/** Neighboring changes with the lines around them. */
export interface PlacedHunk {
  readonly changes: readonly LineChange[];
  /** The range of old lines shown, without the end. */
  readonly oldStart: number;
  readonly oldEnd: number;
  /** Whether its first line names the enclosing definition. */
  readonly heading: boolean;
}

/** The hunks of a unified diff, each with its "@@" line. */
export function unified(oldLines: readonly string[], newLines: readonly string[], context: number, as: Compared = "as they are"): string {
  const changes = diffLines(comparable(oldLines, as), comparable(newLines, as));
  return hunksOf(oldLines, newLines, changes, context)
    .map((hunk) => rangeText(oldLines, newLines, hunk))
    .join("");
}

/** Groups changes that are close to each other into hunks. */
export function hunksOf(
  oldLines: readonly string[],
  newLines: readonly string[],
  changes: readonly LineChange[],
  context: number,
): readonly PlacedHunk[] {
  const hunks: PlacedHunk[] = [];
  for (let at = 0; at < changes.length; ) {
    let end = at;
    while (end + 1 < changes.length && gap(changes[end], changes[end + 1]) <= 2 * context) end++;
    const [first, last] = [changes[at], changes[end]];
    if (first && last) {
      const oldLast = last.oldStart + last.oldCount;
      const newLast = last.newStart + last.newCount;
      hunks.push({
        changes: changes.slice(at, end + 1),
        oldStart: first.oldStart - Math.min(context, first.oldStart, first.newStart),
        oldEnd: oldLast + Math.min(context, oldLines.length - oldLast, newLines.length - newLast),
        heading: true,
      });
    }
    at = end + 1;
  }
  return hunks;
}

/** Splits a hunk into one per change; the lines between two changes are in both. */
export function splitHunk(hunk: PlacedHunk): readonly PlacedHunk[] {
  return hunk.changes.map((change, i) => {
    const before = hunk.changes[i - 1];
    return {
      changes: [change],
      oldStart: before ? before.oldStart + before.oldCount : hunk.oldStart,
      oldEnd: hunk.changes[i + 1]?.oldStart ?? hunk.oldEnd,
      heading: hunk.heading && i === 0,
    };
  });
}

function gap(a: LineChange | undefined, b: LineChange | undefined): number {
  return a && b ? b.oldStart - (a.oldStart + a.oldCount) : 0;
}

export function rangeText(oldLines: readonly string[], newLines: readonly string[], hunk: PlacedHunk): string {
  const { changes, oldStart, oldEnd } = hunk;
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return "";
  const newStart = first.newStart - (first.oldStart - oldStart);
  const newEnd = last.newStart + last.newCount + (oldEnd - last.oldStart - last.oldCount);
  const about = hunk.heading ? heading(oldLines, oldStart) : "";
  let text = `@@ -${range(oldStart, oldEnd - oldStart)} +${range(newStart, newEnd - newStart)} @@${about}\n`;
  let at = oldStart;
  let now = newStart;
  // If white space is ignored, git shows context lines from the new file.
  for (const change of changes) {
    for (; at < change.oldStart; at++) text += signed(" ", newLines[now++]);
    for (; at < change.oldStart + change.oldCount; at++) text += signed("-", oldLines[at]);
    for (; now < change.newStart + change.newCount; now++) text += signed("+", newLines[now]);
  }
  for (; at < oldEnd; at++) text += signed(" ", newLines[now++]);
  return text;
}

/** The lines of a range on both sides, with the signs of changed lines. */
export function lineTexts(
  oldLines: readonly string[],
  newLines: readonly string[],
  changes: readonly LineChange[],
  oldStart: number,
  oldEnd: number,
  newStart: number,
  newEnd: number,
): string {
  let text = "";
  let now = newStart;
  for (const change of changes) {
    for (; now < change.newStart; now++) text += signed(" ", newLines[now]);
    for (let at = Math.max(change.oldStart, oldStart); at < Math.min(change.oldStart + change.oldCount, oldEnd); at++)
      text += signed("-", oldLines[at]);
    for (; now < Math.min(change.newStart + change.newCount, newEnd); now++) text += signed("+", newLines[now]);
  }
  for (; now < newEnd; now++) text += signed(" ", newLines[now]);
  return text;
}

function range(start: number, count: number): string {
  return count === 1 ? String(start + 1) : `${count === 0 ? start : start + 1},${count}`;
}

function signed(sign: string, content: string | undefined): string {
  const text = shown(content ?? "");
  return text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
}

/** The last line above the hunk that looks like the start of a definition. */
function heading(lines: readonly string[], start: number): string {
  for (let i = start - 1; i >= 0; i--) {
    const text = lines[i] ?? "";
    if (/^[A-Za-z_$]/.test(text)) return ` ${shown(text.replace(/\n$/, "").slice(0, 80)).trimEnd()}`;
  }
  return "";
}

/** Counts the added and removed lines. */
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
