import { diffLines } from "../../../fs/text/line-diff.ts";
import { shown } from "./text/unified.ts";

/** A line of the result, with the lines that parents have before it and the result lacks. */
interface Row {
  /** Each with a bit set of the parents that have it. */
  lost: { readonly line: string; parents: number }[];
  /** A bit set of the parents that lack this line; 0 in the row after the last line. */
  lacks: number;
  readonly line: string | null;
}

/** Lines of context around a change. */
const context = 3;

/**
 * git's combined diff (`diff --cc`): compares the result with several parents at once, with one column of signs per parent. Leaves out hunks in which
 * the result equals one of the parents. Returns "" if nothing is left.
 */
export function combinedHunks(parents: readonly (readonly string[])[], result: readonly string[]): string {
  const rows: Row[] = [...result, null].map((line) => ({ lost: [], lacks: 0, line }));
  for (const [n, parent] of parents.entries()) {
    const bit = 1 << n;
    for (const { oldStart, oldCount, newStart, newCount } of diffLines(parent, result)) {
      for (let i = newStart; i < newStart + newCount; i++) {
        const row = rows[i];
        if (row) row.lacks |= bit;
      }
      addLost(rows[newStart], parent.slice(oldStart, oldStart + oldCount), bit);
    }
  }
  const all = (1 << parents.length) - 1;
  const isChanged = (row: Row | undefined): boolean => row !== undefined && (row.lacks !== 0 || row.lost.length > 0);
  let text = "";
  for (let at = 0; at < rows.length; ) {
    if (!isChanged(rows[at])) {
      at++;
      continue;
    }
    let end = at + 1;
    for (let i = end; i < rows.length && i < end + 2 * context; i++) if (isChanged(rows[i])) end = i + 1;
    const first = Math.max(0, at - context);
    const last = Math.min(result.length, end + context);
    if (isInteresting(rows.slice(at, end), all)) text += hunk(rows, parents, first, last);
    at = end;
  }
  return text;
}

/** Adds the lines that one parent lost to those that others lost at the same place, and merges equal lines. */
function addLost(row: Row | undefined, lines: readonly string[], bit: number): void {
  if (!row || lines.length === 0) return;
  const before = row.lost;
  const merged: Row["lost"] = [];
  const own = before.map(({ line }) => line);
  let [a, b] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of diffLines(own, lines)) {
    for (; a < oldStart; a++, b++) merged.push({ line: lines[b] ?? "", parents: (before[a]?.parents ?? 0) | bit });
    for (; a < oldStart + oldCount; a++) merged.push({ line: own[a] ?? "", parents: before[a]?.parents ?? 0 });
    for (; b < newStart + newCount; b++) merged.push({ line: lines[b] ?? "", parents: bit });
  }
  for (; a < own.length; a++, b++) merged.push({ line: own[a] ?? "", parents: (before[a]?.parents ?? 0) | bit });
  row.lost = merged;
}

/** Whether the result differs from every parent in these rows. */
function isInteresting(rows: readonly Row[], all: number): boolean {
  let same = all;
  for (const { lacks, lost } of rows) {
    same &= ~lacks;
    for (const { parents } of lost) same &= ~parents;
  }
  return same === 0;
}

function hunk(rows: readonly Row[], parents: readonly (readonly string[])[], first: number, last: number): string {
  const shownRows = rows.slice(first, last + (last === rows.length - 1 ? 1 : 0));
  const ranges = parents.map((_, n) => {
    const bit = 1 << n;
    const count = (part: readonly Row[]): number =>
      part.reduce(
        (sum, row) => sum + row.lost.filter((one) => one.parents & bit).length + (row.line !== null && !(row.lacks & bit) ? 1 : 0),
        0,
      );
    const [before, inside] = [count(rows.slice(0, first)), count(shownRows)];
    return `-${inside === 0 ? before : before + 1},${inside}`;
  });
  const marks = "@".repeat(parents.length + 1);
  let text = `${marks} ${ranges.join(" ")} +${last === first ? first : first + 1},${last - first} ${marks}\n`;
  const write = (signs: string, line: string): void => {
    const whole = shown(line);
    text += whole.endsWith("\n") ? signs + whole : `${signs}${whole}\n${" ".repeat(parents.length)}\\ No newline at end of file\n`;
  };
  const signs = (bits: number, sign: string): string => parents.map((_, n) => (bits & (1 << n) ? sign : " ")).join("");
  for (const { lost, lacks, line } of shownRows) {
    for (const one of lost) write(signs(one.parents, "-"), one.line);
    if (line !== null) write(signs(lacks, "+"), line);
  }
  return text;
}
