import type { FileStat } from "./files.ts";

/**
 * What a path leads to. The content is the pieces `id, 0` to `id, next - 1` in that order; a number may be missing (folding
 * leaves gaps, empty pieces are not stored). Everything that an append or a patch needs stands here, so that neither reads a piece.
 */
export interface FileRecord extends FileStat {
  /** Never used again: a path that is written again gets a new one. */
  readonly id: number;
  /** The number of the next piece. */
  readonly next: number;
  /** Folding has nothing to do before this piece. No open piece stands before it. */
  readonly foldedTo: number;
  readonly open: readonly OpenPiece[];
}

export interface OpenPiece {
  readonly label: string;
  readonly n: number;
  readonly size: number;
}
