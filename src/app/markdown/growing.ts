/** A piece that has reached this many UTF-16 units gets no more text; the next text begins a new piece. */
const pieceLength = 1_024;

/** The pieces shared by texts that grew out of one another. They only grow. */
interface Pieces {
  readonly texts: string[];
  /** Where each piece begins in the text. */
  readonly starts: number[];
  length: number;
}

/**
 * A text that grows at its end. It is immutable: appending returns another text that shares its pieces. The appended part can be read without
 * joining either text, because joining a long text costs more than showing what was added.
 */
export interface GrowingText {
  readonly pieces: Pieces;
  /** In UTF-16 units. Anything after that in the pieces belongs to a text that grew out of this one. */
  readonly length: number;
}

export const growing = (text: string): GrowingText => ({
  pieces: { texts: [text], starts: [0], length: text.length },
  length: text.length,
});

/** The text with `more` at its end. */
export function longer(text: GrowingText, more: string): GrowingText {
  if (text.length !== text.pieces.length) return longer(growing(whole(text)), more);
  const { pieces } = text;
  const last = pieces.texts.length - 1;
  if (pieces.length - (pieces.starts[last] ?? 0) < pieceLength) pieces.texts[last] += more;
  else {
    pieces.starts.push(pieces.length);
    pieces.texts.push(more);
  }
  pieces.length += more.length;
  return { pieces, length: pieces.length };
}

/** The part of `text` after all of `before`; null if `text` does not begin with it. */
export function since(before: GrowingText | string, text: GrowingText | string): string | null {
  if (typeof before !== "string" && typeof text !== "string" && before.pieces === text.pieces) {
    return before.length <= text.length ? from(text, before.length) : null;
  }
  const [old, now] = [whole(before), whole(text)];
  // Not `startsWith`, which compares character by character.
  return now.slice(0, old.length) === old ? now.slice(old.length) : null;
}

export const whole = (text: GrowingText | string): string => (typeof text === "string" ? text : from(text, 0));

function from({ pieces, length }: GrowingText, start: number): string {
  let first = pieces.starts.length - 1;
  while (first > 0 && (pieces.starts[first] ?? 0) > start) first -= 1;
  const begins = pieces.starts[first] ?? 0;
  const [text = "", ...others] = pieces.texts.slice(first);
  return `${text}${others.join("")}`.slice(start - begins, length - begins);
}
