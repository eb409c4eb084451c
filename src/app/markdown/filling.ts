import { layoutUnits, longestPiece, pieceElement, pieceEnd } from "./long-text.ts";
import { chargeLayout, hasTime, inNextFrame } from "./slices.ts";

/** A long text that an element shows in pieces, also while it changes. */
export interface Filling {
  /** Shows another text, which begins with the same `same` UTF-16 units. Their pieces stay, and so does a selection in them. */
  readonly change: (text: string, same: number) => void;
  readonly stop: () => void;
}

interface Shown {
  readonly element: HTMLElement;
  readonly text: Text;
  readonly from: number;
}

/** The number of pieces in a full group. Far out of view, the browser has only these groups to deal with in each frame. */
const groupSize = 32;

/** Replaces the content of `root`. `inSteps`: adds one piece at once, and the others as fast as the frames allow. */
export function fillWithPieces(root: HTMLElement, first: string, inSteps: boolean): Filling {
  let text = first;
  const pieces: Shown[] = [];
  /** How much of the text is in the element, in UTF-16 units. */
  let filled = 0;
  const mayGoOn = inSteps ? hasTime : () => true;
  let cancel: (() => void) | null = null;

  function add() {
    const end = pieceEnd(text, filled);
    const node = document.createTextNode(text.slice(filled, end));
    const element = pieceElement({ text: node.data, continued: filled > 0 && text[filled - 1] !== "\n" }, [node]);
    const last = pieces.length % groupSize === 0 ? null : (pieces.at(-1)?.element.parentElement ?? null);
    const group = last ?? root.appendChild(document.createElement("span"));
    group.append(element);
    chargeLayout(2, layoutUnits(node.data, pieces.length));
    pieces.push({ element, text: node, from: filled });
    group.className = pieces.length % groupSize === 0 ? "pieces full" : "pieces";
    filled = end;
  }
  function remove({ element }: Shown) {
    const group = element.parentElement;
    element.remove();
    if (group?.childElementCount === 0) group.remove();
    else if (group) group.className = "pieces";
  }
  /** Adds pieces at least up to `least`, so that nothing disappears for a frame. */
  function step(least = 0) {
    cancel = null;
    const before = pieces.length;
    while (filled < text.length && (filled < least || pieces.length === before || mayGoOn())) add();
    if (filled < text.length) cancel = inNextFrame(() => step());
  }

  root.replaceChildren();
  step();
  return {
    change(next, same) {
      const least = Math.min(filled, next.length);
      text = next;
      // Where a piece ends depends on the next `longestPiece` units. All pieces from the first one that may now end elsewhere are built again.
      const cut = pieces.findIndex(({ from }) => from + longestPiece > same);
      if (cut >= 0) {
        const [piece, ...others] = pieces.splice(cut);
        for (const each of others) remove(each);
        if (piece !== undefined && piece.from < text.length) {
          pieces.push(piece);
          filled = pieceEnd(text, piece.from);
          replaceText(piece.text, text.slice(piece.from, filled));
          piece.element.classList.toggle("wraps", !piece.text.data.slice(0, -1).includes("\n"));
        } else if (piece !== undefined) {
          remove(piece);
          filled = piece.from;
        }
      }
      cancel?.();
      step(least);
    },
    stop: () => cancel?.(),
  };
}

/** Changes only what differs, so that a selection in the rest stays. */
function replaceText(node: Text, text: string): void {
  const same = samePrefix(node.data, text);
  if (same < node.length) node.deleteData(same, node.length - same);
  if (same < text.length) node.appendData(text.slice(same));
}

/** The number of UTF-16 units with which both texts begin. */
export function samePrefix(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}
