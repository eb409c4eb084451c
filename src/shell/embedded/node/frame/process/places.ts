import { columnBefore, type Moved } from "./edits.ts";

/** What was done to the text of a file, by its name: the last first, as characters put before its first line, or as changes of its lines. */
const changes = new Map<string, readonly (number | Moved)[]>();

export function textChanged(file: string, done: readonly (number | Moved)[]): void {
  changes.set(file, done);
}

/** The column that a place of the code that runs has in the file. */
export function columnInFile(file: string, line: number, column: number): number {
  let at = column;
  for (const change of changes.get(file) ?? [])
    at = typeof change !== "number" ? columnBefore(change, line, at) : line === 1 ? Math.max(1, at - change) : at;
  return at;
}
