import type { FileStat } from "./files.ts";

/**
 * The record of a path. The content is the pieces `id, 0` to `id, next - 1`, in order. A number may be missing, because folding leaves gaps and empty
 * pieces are not stored. The record has everything that an append or a patch needs, so neither reads a piece.
 */
export interface FileRecord extends FileStat {
  /** Never reused: a path that is written again gets a new id. */
  readonly id: number;
  /** The number of the next piece. */
  readonly next: number;
  /** Everything before this piece is folded. No open piece is before it. */
  readonly foldedTo: number;
  readonly open: readonly OpenPiece[];
}

export interface OpenPiece {
  readonly label: string;
  readonly n: number;
  readonly size: number;
}
