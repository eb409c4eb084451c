/** UTF-16 units of a piece: at a line break behind the first number, or wherever the second one is reached. */
const usual = 512;
const most = 1_024;
/** UTF-16 units up to which a text is one piece. */
const short = 2_048;

export interface TextPiece {
  readonly text: string;
  /** It begins within a line. */
  readonly continued: boolean;
}

/**
 * A long text in pieces. The time in which a browser lays out a paragraph, and most of all one with characters that change its direction, grows
 * faster than the paragraph. Joined, the pieces are the text. `whole`: UTF-16 units up to which it is one.
 */
export function piecesOf(text: string, whole = text.length <= short && hasHeap(text) ? most : short): TextPiece[] {
  if (text.length <= whole) return [{ text, continued: false }];
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

/** Hundreds of marks on one letter: a browser shapes them together, in a time that grows with the square of their number. */
export const hasHeap = (text: string): boolean => text.length > most && /\p{M}{200}/u.test(text);

/** Characters that a browser shapes or orders together with those around them: marks, what joins or turns letters, and letters from right to left. */
const joined = /[\p{M}\p{Cf}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE]/gu;
const maxJoined = 256;

/** No more than `enough` are counted. */
function countJoined(text: string, enough: number): number {
  let count = 0;
  for (const _ of text.matchAll(joined)) if (++count > enough) break;
  return count;
}

/** Whether a text of that length has so many of them that it has to be shown in pieces to be laid out in little time. */
export const isSlow = (text: string): boolean => text.length > most && countJoined(text, maxJoined) > maxJoined;

/** What a letter that is joined or turned costs more than another one. */
const joinedCost = 40;
/** How many pieces of a text can be near the screen. */
const near = 40;

/** UTF-16 units that are laid out in the time of this piece, the `at`th one. What is far from the screen is not laid out. */
export const layoutUnits = (text: string, at: number): number =>
  text.length + (at < near ? joinedCost * countJoined(text, text.length) : 0);

/** The pieces of a text that `isSlow`. */
export const shortPiecesOf = (text: string): TextPiece[] => piecesOf(text, most);

function pieceEnd(text: string, from: number): number {
  if (text.length - from <= most) return text.length;
  const line = text.slice(from + usual, from + most).indexOf("\n");
  if (line >= 0) return from + usual + line + 1;
  const to = from + most;
  // Never between the two halves of a character.
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to - 1 : to;
}

/** Line breaks, counted character by character: to search for each takes ten times as long where there are many, or to split the text. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === 0x0a) count += 1;
  return count;
}

/** The element of a piece of a long text: out of sight it is neither laid out nor painted. */
export function pieceElement({ text, continued }: TextPiece, nodes: readonly (Node | string)[] = [text]): HTMLElement {
  const element = document.createElement("span");
  element.className = "piece";
  element.classList.toggle("continued", continued);
  // Wherever lines don't wrap, a piece that is within one would make many of them stand in sight.
  element.classList.toggle("wraps", !text.slice(0, -1).includes("\n"));
  element.append(...nodes);
  return element;
}
