import { layoutUnits, pieceElement, piecesOf } from "../markdown/long-text.ts";
import { chargeLayout, hasTime, inNextFrame } from "../markdown/slices.ts";

/**
 * Puts a long text into an element, piece by piece, as fast as the frames allow. Until the text is complete, the element contains a `.loading`.
 * Returns a function that stops it.
 */
export function fillInSteps(root: HTMLElement, text: string, nodes: (text: string) => readonly (Node | string)[]): () => void {
  const loading = document.createElement("span");
  loading.className = "loading";
  root.replaceChildren(loading);
  const pieces = piecesOf(text);
  let at = 0;
  let cancel: (() => void) | null = null;
  function step() {
    cancel = null;
    for (; at < pieces.length && hasTime(); at += 1) {
      const piece = pieces[at];
      if (piece === undefined) continue;
      const made = nodes(piece.text);
      loading.before(pieceElement(piece, made));
      chargeLayout(1 + made.length, layoutUnits(piece.text, at));
    }
    if (at < pieces.length) cancel = inNextFrame(step);
    else loading.remove();
  }
  step();
  return () => cancel?.();
}
