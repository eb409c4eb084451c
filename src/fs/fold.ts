import { joinBytes } from "./bytes.ts";
import type { FileRecord } from "./file-record.ts";

/** In bytes. Folding makes no larger piece, and leaves a piece of at least half this size alone. */
export const foldBytes = 256 * 1024;

/** In bytes. A piece up to this size is joined with whatever follows it. */
const smallBytes = 16 * 1024;

export interface StoredPiece {
  readonly n: number;
  readonly bytes: Uint8Array;
}

export interface Folded {
  readonly put: readonly StoredPiece[];
  /** Numbers of the pieces that are now part of another one, or were empty. */
  readonly drop: readonly number[];
  readonly foldedTo: number;
}

/**
 * Joins closed pieces of a file. `pieces` are all its pieces from `foldedTo` on. An open piece stays as it is, and pieces are not joined across it.
 *
 * Two neighbours are joined if the first is small, or at most twice as large as the second. So the number of times that a byte is rewritten grows
 * with the logarithm of `foldBytes`, not with the number of folds. Still, the unfinished part after `foldedTo`, which the next fold reads, is at most
 * `foldBytes` if nothing is open.
 */
export function fold(record: FileRecord, pieces: readonly StoredPiece[]): Folded {
  const open = new Set(record.open.map((piece) => piece.n));
  const put: StoredPiece[] = [];
  const drop: number[] = [];
  let foldedTo = record.foldedTo;
  let noneOpen = true;
  let groups: Group[] = [];

  const finish = (): void => {
    for (const { first, rest, size } of groups) {
      if (rest.length > 0) put.push({ n: first.n, bytes: joinBytes([first.bytes, ...rest.map((piece) => piece.bytes)]) });
      for (const piece of rest) drop.push(piece.n);
      if (noneOpen && isFull(size)) foldedTo = (rest.at(-1) ?? first).n + 1;
    }
    groups = [];
  };
  for (const piece of pieces) {
    if (open.has(piece.n)) {
      finish();
      noneOpen = false;
    } else if (piece.bytes.length === 0) {
      drop.push(piece.n);
    } else {
      groups.push({ first: piece, rest: [], size: piece.bytes.length });
      joinLast(groups);
    }
  }
  finish();
  return { put, drop, foldedTo };
}

/** Pieces that become one. */
interface Group {
  readonly first: StoredPiece;
  readonly rest: StoredPiece[];
  size: number;
}

function isFull(size: number): boolean {
  return size * 2 >= foldBytes;
}

function joinLast(groups: Group[]): void {
  for (let last = groups.at(-1), before = groups.at(-2); last && before; last = groups.at(-1), before = groups.at(-2)) {
    const close = before.size <= Math.max(2 * last.size, smallBytes);
    if (isFull(before.size) || !close || before.size + last.size > foldBytes) return;
    before.rest.push(last.first);
    for (const piece of last.rest) before.rest.push(piece);
    before.size += last.size;
    groups.pop();
  }
}
