import { layoutUnits, pieceElement, pieceEnd } from "./long-text.ts";
import { chargeLayout, hasTime, inNextFrame } from "./slices.ts";

/** A long text that an element shows in pieces, also while it grows. */
export interface Filling {
  /** Adds the rest of a text that begins with the one before. What is there stays. */
  readonly grow: (text: string) => void;
  readonly stop: () => void;
}

/** The number of pieces in a full group. Far out of view, the browser has only these groups to deal with in each frame. */
const groupSize = 32;

/** Replaces the content of `root`. `inSteps`: adds one piece at once, and the others as fast as the frames allow. */
export function fillWithPieces(root: HTMLElement, first: string, inSteps: boolean): Filling {
  let text = first;
  /** How much of the text is in the element, in UTF-16 units, and in how many pieces. */
  let [filled, count] = [0, 0];
  const mayGoOn = inSteps ? hasTime : () => true;
  let group = root;
  let cancel: (() => void) | null = null;

  function add() {
    if (count % groupSize === 0) {
      group = document.createElement("span");
      group.className = "pieces";
      root.append(group);
    }
    const end = pieceEnd(text, filled);
    const piece = text.slice(filled, end);
    group.append(pieceElement({ text: piece, continued: filled > 0 && text[filled - 1] !== "\n" }));
    chargeLayout(2, layoutUnits(piece, count));
    [filled, count] = [end, count + 1];
    group.classList.toggle("full", count % groupSize === 0);
  }
  function step() {
    cancel = null;
    const before = count;
    while (filled < text.length && (count === before || mayGoOn())) add();
    if (filled < text.length) cancel = inNextFrame(step);
  }

  root.replaceChildren();
  step();
  return {
    grow(next) {
      const last = group.lastElementChild;
      // The last piece ended where the text did.
      if (last !== null && filled === text.length) {
        [filled, count] = [filled - last.textContent.length, count - 1];
        last.remove();
        group.classList.remove("full");
        if (count % groupSize === 0) group.remove();
      }
      text = next;
      if (cancel === null) step();
    },
    stop: () => cancel?.(),
  };
}
