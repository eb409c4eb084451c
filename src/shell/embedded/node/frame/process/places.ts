import { columnBefore, type Moved } from "./edits.ts";

/** The changes of each file's text, the last one first: a number of characters put before its first line, or changes within lines. */
const changes = new Map<string, readonly (number | Moved)[]>();

export function textChanged(file: string, done: readonly (number | Moved)[]): void {
  changes.set(file, done);
}

/** Converts a column of the running code to the column in the file. */
export function columnInFile(file: string, line: number, column: number): number {
  let at = column;
  for (const change of changes.get(file) ?? [])
    at = typeof change !== "number" ? columnBefore(change, line, at) : line === 1 ? Math.max(1, at - change) : at;
  return at;
}
