/**
 * A text as its author wrote it: every line break and every character stays. Two additions change no character: addresses become links, and fenced
 * blocks show as code.
 */
import { codeBlock } from "./code.ts";
import { safeLink } from "./links.ts";
import { layoutUnits, pieceElement, piecesOf } from "./long-text.ts";
import { chargeLayout, hasTime, inNextFrame, layoutElements } from "./slices.ts";
import { type Written, writtenBlocks, writtenLinks } from "./written-blocks.ts";

/** Shows the text in an element, as fast as the frames allow. The returned function shows another text. */
export function createWrittenView(root: HTMLElement) {
  let shown: string | null = null;
  let cancel: (() => void) | null = null;

  return (text: string): void => {
    if (text === shown) return;
    shown = text;
    cancel?.();
    root.replaceChildren();
    const blocks = writtenBlocks(text).flatMap((block): (() => HTMLElement)[] =>
      block.kind === "code" ? [() => code(block)] : textParts(block.text),
    );
    let at = 0;
    function step() {
      cancel = null;
      for (; at < blocks.length && (hasTime() || at === 0); at += 1) {
        const made = blocks[at]?.();
        if (made === undefined) continue;
        root.append(made);
        chargeLayout(layoutElements(made), layoutUnits(made.textContent, at));
      }
      if (at < blocks.length) cancel = inNextFrame(step);
    }
    step();
  };
}

function code({ text, info }: Written & { readonly kind: "code" }): HTMLElement {
  const made = codeBlock(text, info);
  made.close();
  return made.element;
}

function textParts(text: string): (() => HTMLElement)[] {
  const pieces = piecesOf(text);
  return pieces.map((piece) => () => {
    const element = pieces.length === 1 ? document.createElement("div") : pieceElement(piece, []);
    element.classList.add("written");
    element.append(...writtenLinks(piece.text).map(({ text: part, isLink }) => (isLink ? link(part) : part)));
    return element;
  });
}

function link(address: string): Node | string {
  const safe = safeLink(address);
  if (safe === null || safe.kind === "own" || safe.veiled === true) return address;
  const made = document.createElement("a");
  made.href = safe.href;
  made.target = "_blank";
  made.rel = "noopener noreferrer";
  made.dir = "ltr";
  made.textContent = address;
  return made;
}
