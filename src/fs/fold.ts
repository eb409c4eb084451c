import { joinBytes } from "./bytes.ts";
import type { FileRecord } from "./plan.ts";

/** Bytes. Folding makes no piece that is larger, and leaves a piece of half this size or more as it is. */
export const foldBytes = 256 * 1024;

/** Bytes. Pieces up to this size are joined whatever follows them. */
const smallBytes = 16 * 1024;

export interface StoredPiece {
  readonly n: number;
  readonly bytes: Uint8Array;
}

export interface Folded {
  readonly put: readonly StoredPiece[];
  /** Numbers of the pieces that are now part of another, or were empty. */
  readonly drop: readonly number[];
  readonly foldedTo: number;
}

/**
 * Joins closed pieces of a file; `pieces` are all that it has from `foldedTo` on. An open piece stays what it is, and none
 * is joined across it.
 *
 * A piece is rewritten only together with at least as many bytes as it has, or while it is small. So a byte is
 * written a number of times that grows with the logarithm of `foldBytes`, not once for every turn that is folded.
 */
export function fold(record: FileRecord, pieces: readonly StoredPiece[]): Folded {
  const open = new Set(record.open.map((piece) => piece.n));
  const put: StoredPiece[] = [];
  const drop: number[] = [];
  let foldedTo = record.foldedTo;
  let noneOpen = true;
  let run: StoredPiece[] = [];

  const join = (bytesAfter: number): void => {
    for (const [first, ...rest] of groups(run, bytesAfter)) {
      const bytes = rest.length > 0 ? joinBytes([first.bytes, ...rest.map((piece) => piece.bytes)]) : first.bytes;
      if (rest.length > 0) put.push({ n: first.n, bytes });
      for (const piece of rest) drop.push(piece.n);
      if (noneOpen && isFull(bytes)) foldedTo = (rest.at(-1) ?? first).n + 1;
    }
    run = [];
  };
  for (const piece of pieces) {
    if (open.has(piece.n)) {
      join(0);
      noneOpen = false;
    } else if (isFull(piece.bytes)) {
      join(Number.POSITIVE_INFINITY);
      if (noneOpen) foldedTo = piece.n + 1;
    } else if (piece.bytes.length === 0) {
      drop.push(piece.n);
    } else {
      run.push(piece);
    }
  }
  join(0);
  return { put, drop, foldedTo };
}

function isFull(bytes: Uint8Array): boolean {
  return bytes.length * 2 >= foldBytes;
}

type Group = [first: StoredPiece, ...rest: StoredPiece[]];

/** Cuts a run of pieces, none of them full, into those that become one piece each; `bytesAfter` stand behind the run and never join it. */
function groups(run: readonly StoredPiece[], bytesAfter: number): Group[] {
  let start = run.length;
  let after = bytesAfter;
  for (const piece of run.toReversed()) {
    if (piece.bytes.length > Math.max(after, smallBytes)) break;
    after += piece.bytes.length;
    start--;
  }
  const all: Group[] = [];
  let size = 0;
  for (const [at, piece] of run.entries()) {
    const group = all.at(-1);
    if (!group || at <= start || size + piece.bytes.length > foldBytes) {
      all.push([piece]);
      size = 0;
    } else {
      group.push(piece);
    }
    size += piece.bytes.length;
  }
  return all;
}
