import { piecesOf } from "../markdown/long-text.ts";

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
    const part = { ...piece, first: number, breaks: piece.text.split("\n").length - 1 };
    number += part.breaks;
    return part;
  });
}
