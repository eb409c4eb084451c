/** A part of a text that is replaced. No text put in has a line end, but where it takes the place of one. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const inOrder = (edits: readonly Edit[]): readonly Edit[] => edits.toSorted((a, b) => a.at - b.at || a.end - b.end);

export function edited(code: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of inOrder(edits)) {
    parts.push(code.slice(at, edit.at), edit.text);
    at = edit.end;
  }
  parts.push(code.slice(at));
  return parts.join("");
}

/** By line, from 1: from which column on, from 1, how many characters more there are than in the text before. */
export type Moved = ReadonlyMap<number, readonly (readonly [column: number, by: number])[]>;

/** How far the edits move what stands behind them on its line. */
export function movedBy(code: string, edits: readonly Edit[]): Moved {
  const moved = new Map<number, [number, number][]>();
  let line = 1;
  let lineStart = 0;
  let seen = 0;
  let by = 0;
  for (const { at, end, text } of inOrder(edits)) {
    for (let next = code.indexOf("\n", seen); next >= 0 && next < at; next = code.indexOf("\n", seen)) {
      [line, lineStart, seen, by] = [line + 1, next + 1, next + 1, 0];
    }
    if (text.includes("\n") || text.length === end - at) continue;
    const list = moved.get(line) ?? [];
    const column = at - lineStart + 1 + by;
    by += text.length - (end - at);
    // What was put in stands for the place where it was put in.
    list.push([column, column - (at - lineStart + 1)], [column + text.length, by]);
    moved.set(line, list);
  }
  return moved;
}

/** The column that a place had before the edits. */
export function columnBefore(moved: Moved, line: number, column: number): number {
  const list = moved.get(line) ?? [];
  let at = -1;
  for (const [i, [from]] of list.entries()) if (from <= column) at = i;
  const found = list[at];
  if (found === undefined) return column;
  // Inside of what was put in.
  if (at % 2 === 0) return Math.max(1, found[0] - found[1]);
  return Math.max(1, column - found[1]);
}
