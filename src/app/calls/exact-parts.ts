import { countBreaks, piecesOf } from "../markdown/long-text.ts";
import { type Line, lines, type Piece } from "./cell.ts";
import type { Reading } from "./lookalikes.ts";
import { maxElements, visible } from "./visible.ts";

/** At most about 1,000 UTF-16 units of a long text. */
export interface ExactPart {
  readonly text: string;
  /** The number of the line that it begins with or in. */
  readonly first: number;
  /** The line breaks in it. */
  readonly breaks: number;
  /** It begins within a line. */
  readonly continued: boolean;
}

/** A long text in parts, each of which a browser lays out in little time. Joined, they are the text. `first`: the number of its first line. */
export function exactParts(text: string, first = 1): ExactPart[] {
  let number = first;
  return piecesOf(text).map((piece) => {
    const part = { ...piece, first: number, breaks: countBreaks(piece.text) };
    number += part.breaks;
    return part;
  });
}

/** The lines of a part. Where too many of their pieces would have an element each, hidden characters are named within the text. */
export const partLines = (part: ExactPart, reading: Reading): Line[] => fewElements(lines(part.text, reading, part.first));

/** The same lines, with hidden characters named within the text where too many of their pieces would have an element each. */
export function fewElements(found: Line[]): Line[] {
  const count = found.reduce((sum, { pieces }) => sum + pieces.length, 0);
  return count - found.length <= maxElements ? found : found.map((line) => ({ ...line, pieces: fewPieces(line.pieces, 0) }));
}

/** Where there are more than `mostPieces`, those in a row that have no mark become one. */
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
