import { diffArrays } from "diff";
import * as t from "../texts/diff.ts";

export interface Row {
  /** `gap`: lines left out, `text` says how many. */
  readonly kind: "add" | "remove" | "same" | "gap";
  readonly text: string;
}

/** Milliseconds and edits after which two texts count as wholly different. */
const bounds = { timeout: 200, maxEditLength: 4_000 };

/**
 * All rows of a unified diff by lines; null is a file that is not there. Texts too different to compare in time become: all of the
 * old, then all of the new.
 */
export function diffRows(before: string | null, after: string | null): Row[] {
  const [old, now] = before === null || after === null ? [ownLines(before), ownLines(after)] : [before.split("\n"), after.split("\n")];
  const row = (kind: Row["kind"]) => (text: string) => ({ kind, text });
  const changes = diffArrays(old, now, bounds);
  if (changes === undefined) return [...old.map(row("remove")), ...now.map(row("add"))];
  return changes.flatMap((change) => change.value.map(row(change.added ? "add" : change.removed ? "remove" : "same")));
}

/** The lines of a whole file: the break at its end begins no other one. */
const ownLines = (text: string | null) => (text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** The rows within `context` lines of a change; what is left out between them becomes one gap. */
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

const gap = (lines: number): Row => ({ kind: "gap", text: t.unchanged(lines) });
