import { countBreaks, piecesOf } from "../markdown/long-text.ts";
import { type Line, lines, type Piece } from "./cell.ts";
import type { Reading } from "./lookalikes.ts";
import { maxElements, visible } from "./visible.ts";

/** A part of a long text, of at most about 1,000 UTF-16 units. */
export interface ExactPart {
  readonly text: string;
  /** The number of the line that it begins with or in. */
  readonly first: number;
  /** The number of line breaks in it. */
  readonly breaks: number;
  /** Whether it begins within a line. */
  readonly continued: boolean;
}

/** A long text in parts that a browser can lay out quickly. Joined, they are the text. `first`: the number of its first line. */
export function exactParts(text: string, first = 1): ExactPart[] {
  let number = first;
  return piecesOf(text).map((piece) => {
    const part = { ...piece, first: number, breaks: countBreaks(piece.text) };
    number += part.breaks;
    return part;
  });
}

/** The lines of a part. If too many pieces would need an element each, hidden characters are named within the text. */
export const partLines = (part: ExactPart, reading: Reading): Line[] => fewElements(lines(part.text, reading, part.first));

/** The same lines. If too many pieces would need an element each, hidden characters are named within the text. */
export function fewElements(found: Line[]): Line[] {
  const count = found.reduce((sum, { pieces }) => sum + pieces.length, 0);
  return count - found.length <= maxElements ? found : found.map((line) => ({ ...line, pieces: fewPieces(line.pieces, 0) }));
}

/** If there are more than `mostPieces`, adjacent pieces without a mark are joined. */
export function fewPieces(pieces: readonly Piece[], mostPieces = maxElements): readonly Piece[] {
  if (pieces.length <= mostPieces) return pieces;
  const result: Piece[] = [];
  let source = "";
  const end = () => {
    if (source !== "") result.push({ kind: "text", text: visible(source), source });
    source = "";
  };
  for (const piece of pieces) {
    if (piece.kind !== "blanks" && piece.kind !== "marked") source += piece.source;
    else {
      end();
      result.push(piece);
    }
  }
  end();
  return result;
}
