import { visible } from "../calls/visible.ts";
import * as t from "../texts/markdown.ts";
import { pieceElement, piecesOf } from "./long-text.ts";

/** UTF-16 units that are put on the screen in one step. */
export const plainStep = 8_192;

/**
 * Text that shows as it is written, since to read it as markdown would take too long. Characters that nothing shows of are named: a piece of a
 * thousand of them would have no width, and all of the text would be in sight.
 */
export function plainText(): { readonly element: HTMLElement; readonly append: (text: string) => void } {
  const element = document.createElement("div");
  const note = document.createElement("p");
  note.className = "note";
  note.textContent = t.plain;
  const plain = document.createElement("div");
  plain.className = "plain";
  element.append(note, plain);
  return { element, append: (text) => plain.append(...piecesOf(text).map((piece) => pieceElement(piece, [visible(piece.text)]))) };
}
