import { shortOid } from "../revision.ts";
import type { Oid } from "../store/model.ts";

/** One line of what `fetch` and `push` print. */
export interface UpdateRow {
  /** " ": fast-forward; "+": forced; "*": new; "-": gone; "!": not done; "=": as it was; "t": a tag that changed. */
  readonly flag: " " | "+" | "*" | "-" | "!" | "=" | "t";
  readonly summary: string;
  readonly from: string;
  /** null: one column, as for what `push` removes. */
  readonly to: string | null;
  readonly why: string;
}

/** Columns of the summary: two short hashes and what is between them. */
const summaryWidth = 17;

/** `fetch` aligns the names of a table. */
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

/** "main" of "refs/heads/main". */
export function prettyRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");
}
