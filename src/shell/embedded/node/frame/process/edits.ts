/** Replaces a part of a text. The new text has no line breaks, except those of the text that it replaces. */
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

/** For each line, from 1: pairs of a column, from 1, and the number of characters that the text from that column on has moved. */
export type Moved = ReadonlyMap<number, readonly (readonly [column: number, by: number])[]>;

/** Returns how far the edits move the text behind them on its line. */
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
    // Any place in inserted text counts as the place of the insertion.
    list.push([column, column - (at - lineStart + 1)], [column + text.length, by]);
    moved.set(line, list);
  }
  return moved;
}

/** Returns the column that a place had before the edits. */
export function columnBefore(moved: Moved, line: number, column: number): number {
  const list = moved.get(line) ?? [];
  let at = -1;
  for (const [i, [from]] of list.entries()) if (from <= column) at = i;
  const found = list[at];
  if (found === undefined) return column;
  // The place is in inserted text.
  if (at % 2 === 0) return Math.max(1, found[0] - found[1]);
  return Math.max(1, column - found[1]);
}
