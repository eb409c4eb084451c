/** The length of a piece in UTF-16 units: it ends at the first line break after the first number, or at the second number. */
const usual = 512;
export const longestPiece = 1_024;
/** Texts of up to this many UTF-16 units are a single piece. */
const short = 2_048;

export interface TextPiece {
  readonly text: string;
  /** Whether it begins within a line. */
  readonly continued: boolean;
}

/**
 * A long text in pieces. The time to lay out a paragraph grows faster than its length, especially if it contains characters that change direction.
 * Joined, the pieces are the text.
 */
export function piecesOf(text: string): TextPiece[] {
  if (text.length <= (text.length <= short && hasHeap(text) ? longestPiece : short)) return [{ text, continued: false }];
  const pieces: TextPiece[] = [];
  let continued = false;
  for (let from = 0; from < text.length; ) {
    const to = pieceEnd(text, from);
    pieces.push({ text: text.slice(from, to), continued });
    continued = text.charCodeAt(to - 1) !== 0x0a;
    from = to;
  }
  return pieces;
}

/** Whether there are hundreds of marks on one letter. A browser shapes them together, in time that grows with the square of their number. */
export const hasHeap = (text: string): boolean => text.length > longestPiece && /\p{M}{200}/u.test(text);

/** Characters that a browser shapes or orders together with those around them: marks, joiners, direction marks, and right-to-left letters. */
const joined = /[\p{M}\p{Cf}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE]/gu;
const maxJoined = 256;

/** Counts only until the count exceeds `enough`. */
function countJoined(text: string, enough: number): number {
  let count = 0;
  for (const _ of text.matchAll(joined)) if (++count > enough) break;
  return count;
}

/** Whether a text of that length has so many of them that it must be shown in pieces to be laid out quickly. */
export const isSlow = (text: string): boolean => text.length > longestPiece && countJoined(text, maxJoined) > maxJoined;

/** The extra layout cost of such a character, in ordinary characters. */
const joinedCost = 40;
/** The number of pieces of a text that can be near the screen. */
const near = 40;

/** The layout cost of this piece (index `at`), in UTF-16 units. Pieces far from the screen aren't laid out. */
export const layoutUnits = (text: string, at: number): number =>
  text.length + (at < near ? joinedCost * countJoined(text, text.length) : 0);

/** Where the piece ends that begins at `from`. */
export function pieceEnd(text: string, from: number): number {
  if (text.length - from <= longestPiece) return text.length;
  const line = text.slice(from + usual, from + longestPiece).indexOf("\n");
  if (line >= 0) return from + usual + line + 1;
  const to = from + longestPiece;
  // Never splits a surrogate pair.
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to - 1 : to;
}

/**
 * The number of line breaks, counted character by character. With many line breaks, searching for each or splitting the text takes ten times as long.
 */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 0x0a) count += 1;
  return count;
}

/** The element of a piece of a long text. Out of view, it is neither laid out nor painted. */
export function pieceElement({ text, continued }: TextPiece, nodes: readonly (Node | string)[] = [text]): HTMLElement {
  const element = document.createElement("span");
  element.className = "piece";
  element.classList.toggle("continued", continued);
  // If lines don't wrap, a piece within a long line must: otherwise many pieces would be in view at once.
  element.classList.toggle("wraps", !text.slice(0, -1).includes("\n"));
  element.append(...nodes);
  return element;
}
