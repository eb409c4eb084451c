import { visible } from "../calls/visible.ts";
import * as t from "../texts/markdown.ts";
import { pieceElement, piecesOf } from "./long-text.ts";

/** UTF-16 units that are added to the page in one step. */
export const plainStep = 8_192;

/**
 * Text that shows as written, because parsing it as Markdown would take too long. Invisible characters are named: a piece of a thousand of them would
 * have no width, so the whole text would be in view.
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
