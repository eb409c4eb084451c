import { diffArrays } from "diff";
import * as t from "../texts/diff.ts";
import { maxEmptyLines } from "./cell.ts";

export interface Row {
  /** `gap`: lines left out; `text` says how many. */
  readonly kind: "add" | "remove" | "same" | "gap";
  readonly text: string;
  /** The line number: in the old text for a removed line, in the new text for any other. A gap has none. */
  readonly number?: number;
  /** The number of empty lines that this row stands for. */
  readonly empty?: number;
}

/** The number of edits after which two texts count as completely different. */
const bounds = { maxEditLength: 4_000 };

/** All rows of a unified diff by lines; null is a missing file. Texts too different to compare in time become all old lines, then all new lines. */
export const diffRows = (before: string | null, after: string | null): Row[] => numbered(rowsOf(before, after).rows, 1);

/** `first`: the number of the first line of both texts. */
function numbered(rows: readonly Row[], first: number): Row[] {
  let [old, now] = [first, first];
  return rows.map((row) => {
    const number = row.kind === "remove" ? old : now;
    if (row.kind !== "add") old++;
    if (row.kind !== "remove") now++;
    return { ...row, number };
  });
}

function rowsOf(before: string | null, after: string | null): { readonly rows: Row[]; readonly compared: boolean } {
  const [old, now] = before === null || after === null ? [ownLines(before), ownLines(after)] : [before.split("\n"), after.split("\n")];
  const row = (kind: Row["kind"]) => (text: string) => ({ kind, text });
  const changes = diffArrays(old, now, bounds);
  if (changes === undefined) return { rows: [...old.map(row("remove")), ...now.map(row("add"))], compared: false };
  const rows = changes.flatMap((change) => change.value.map(row(change.added ? "add" : change.removed ? "remove" : "same")));
  return { rows, compared: true };
}

/** The lines of a whole file. A line break at the end doesn't start another line. */
const ownLines = (text: string | null) => (text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The rows within `context` lines of a change. Rows left out between them become one gap. */
export function withContext(rows: readonly Row[], context: number): Row[] {
  const keep = new Uint8Array(rows.length);
  rows.forEach((row, index) => {
    if (row.kind === "add" || row.kind === "remove") keep.fill(1, Math.max(0, index - context), index + context + 1);
  });
  const result: Row[] = [];
  let left = 0;
  rows.forEach((row, index) => {
    if (keep[index] === 0) left++;
    else {
      if (left > 0) result.push(gap(left));
      left = 0;
      result.push(row);
    }
  });
  if (left > 0) result.push(gap(left));
  return result;
}

/** Many empty rows of one kind become one row that says how many there were. */
export function foldEmpty(rows: readonly Row[]): Row[] {
  const result: Row[] = [];
  for (let from = 0; from < rows.length; ) {
    const first = rows[from];
    if (first === undefined) break;
    let to = from + 1;
    if (isEmpty(first)) while (rows[to]?.kind === first.kind && isEmpty(rows[to])) to++;
    const run = rows.slice(from, to);
    if (run.length < maxEmptyLines) result.push(...run);
    else result.push({ ...first, text: run.map(({ text }) => text).join("\n"), empty: run.length });
    from = to;
  }
  return result;
}

const isEmpty = (row: Row | undefined) => row !== undefined && row.kind !== "gap" && /^[ \t]*$/.test(row.text);

const gap = (lines: number): Row => ({ kind: "gap", text: t.unchanged(lines) });

/** Adjacent rows of one kind, shown as one. */
export interface Run {
  readonly kind: Row["kind"];
  /** The lines of the run, joined. */
  readonly text: string;
  readonly rows: number;
  /** The number of its first line; left out if it isn't known. */
  readonly number?: number;
  /** The number of empty lines that the run stands for; it has no other lines. */
  readonly empty?: number;
}

/** A diff as it is shown. */
export interface Compared {
  /** Every row, and only the rows near a change. */
  readonly all: readonly Run[];
  readonly near: readonly Run[];
  /** False if the texts are too different, or too long to compare in time. Then all old lines come before all new lines. */
  readonly compared: boolean;
}

/** Lines of context around a change. */
const context = 3;
/** Up to this many rows, each row is its own run. A page can't hold an element for each of many thousands. */
const fewRows = 500;
/** The maximum number of rows in a run, and of UTF-16 units after which another run begins. */
const maxRun = { rows: 100, units: 4_096 } as const;

/** `first`: the number of the first line of both texts; null if it isn't known. */
export function compare(before: string | null, after: string | null, first: number | null): Compared {
  const { rows: plain, compared } = rowsOf(before, after);
  const rows = first === null ? plain : numbered(plain, first);
  return { all: runsOf(foldEmpty(rows)), near: runsOf(foldEmpty(withContext(rows, context))), compared };
}

/** The result when there is no time to compare: one run per text instead of a row per line. */
export function notCompared(before: string | null, after: string | null): Compared {
  const run = (kind: Row["kind"], text: string | null): Run[] => (text === null ? [] : [{ kind, text, rows: 1 }]);
  const all = [...run("remove", before), ...run("add", after)];
  return { all, near: all, compared: false };
}

function runsOf(rows: readonly Row[]): Run[] {
  if (rows.length <= fewRows) return rows.map((row) => ({ ...row, rows: row.empty ?? 1 }));
  const runs: { first: Row; lines: string[]; units: number }[] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    const isMore = last?.first.kind === row.kind && last.lines.length < maxRun.rows && last.units + row.text.length < maxRun.units;
    if (row.empty === undefined && isMore && last.first.empty === undefined) {
      last.lines.push(row.text);
      last.units += row.text.length;
    } else runs.push({ first: row, lines: [row.text], units: row.text.length });
  }
  return runs.map(({ first, lines }) => ({ ...first, text: lines.join("\n"), rows: first.empty ?? lines.length }));
}
