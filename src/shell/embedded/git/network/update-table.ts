import { shortOid } from "../revision.ts";
import type { Oid } from "../store/model.ts";

/** A line that `fetch` or `push` prints. */
export interface UpdateRow {
  /** " ": fast-forward; "+": forced; "*": new; "-": removed; "!": rejected; "=": unchanged; "t": a changed tag. */
  readonly flag: " " | "+" | "*" | "-" | "!" | "=" | "t";
  readonly summary: string;
  readonly from: string;
  /** Null: a single column, as for refs that `push` removes. */
  readonly to: string | null;
  readonly why: string;
}

/** The width of the summary in columns: two short hashes and the dots between them. */
const summaryWidth = 17;

/** Aligns the names, as `fetch` does. */
export function fetchRows(rows: readonly UpdateRow[]): string {
  const width = Math.max(
    10,
    ...rows.filter((row) => row.to !== null && 25 + row.from.length + (row.to?.length ?? 0) < 80).map((row) => row.from.length),
  );
  return rows.map((row) => line(row, row.from.padEnd(width), "  ")).join("");
}

export function pushRows(rows: readonly UpdateRow[]): string {
  return rows.map((row) => line(row, row.from, " ")).join("");
}

function line({ flag, summary, to, why }: UpdateRow, from: string, gap: string): string {
  const ends = why === "" ? "" : `${gap}(${why})`;
  return ` ${flag} ${summary.padEnd(summaryWidth)} ${from}${to === null ? "" : ` -> ${to}`}${ends}\n`;
}

export function steps(from: Oid, to: Oid, forced: boolean): string {
  return `${shortOid(from)}${forced ? "..." : ".."}${shortOid(to)}`;
}

/** Returns "main" for "refs/heads/main". */
export function prettyRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");
}
