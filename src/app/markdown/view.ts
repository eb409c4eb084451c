import { blockNodes } from "./nodes.ts";
import { createMarkdownStream, definesLinks } from "./stream.ts";

/**
 * Shows a markdown text in an element. A text that begins with the one shown before costs only its open tail; any other is
 * shown anew. `complete`: nothing more comes.
 */
export function createMarkdownView(root: HTMLElement) {
  let shown = "";
  let wasComplete = true;
  let stream = createMarkdownStream();
  /** One element a block, so that a block can be replaced whatever its nodes are. */
  let slots: HTMLElement[] = [];
  let raws: string[] = [];

  function reset() {
    root.replaceChildren();
    stream = createMarkdownStream();
    slots = [];
    raws = [];
    shown = "";
  }

  function append(text: string): boolean {
    const step = stream.push(text);
    if (step === null) return false;
    step.blocks.forEach((token, offset) => {
      const index = step.from + offset;
      if (raws[index] === token.raw) return;
      let slot = slots[index];
      if (slot === undefined) {
        slot = document.createElement("div");
        slots[index] = slot;
        root.append(slot);
      }
      slot.replaceChildren(...blockNodes(token));
      raws[index] = token.raw;
    });
    const length = step.from + step.blocks.length;
    for (const slot of slots.splice(length)) slot.remove();
    raws.length = length;
    return true;
  }

  function showPlain(text: string) {
    const plain = document.createElement("div");
    plain.className = "plain";
    plain.textContent = text;
    root.replaceChildren(plain);
  }

  return (text: string, complete: boolean) => {
    const completes = complete && !wasComplete;
    wasComplete = complete;
    if (text === shown && !completes) return;
    const grows = text.startsWith(shown) && !(completes && definesLinks(text));
    if (!grows) reset();
    const added = text.slice(shown.length);
    shown = text;
    if (added !== "" && !append(added)) showPlain(text);
  };
}
