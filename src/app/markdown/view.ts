import type { Token } from "marked";
import { type CodeBlock, codeBlock } from "./code.ts";
import { type GrowingText, since, whole } from "./growing.ts";
import { blockNodes } from "./nodes.ts";
import { patch } from "./patch.ts";
import { restOutOfSight } from "./rest.ts";
import { createMarkdownStream, definesLinks, lex } from "./stream.ts";

/** UTF-16 units of text after which the next block begins a new sheet. */
const sheetLength = 8_192;

/** Milliseconds without more text after which the cursor blinks. */
const waiting = 500;

/** A block on the screen: one element, so that it can be replaced whatever its nodes are. */
interface Slot {
  readonly element: HTMLElement;
  raw: string;
  /** The code in it. */
  code: CodeBlock[];
  /** It is nothing but one block of code, which can grow in its place as long as the line that opens it reads the same. */
  only: { readonly code: CodeBlock; readonly info: string } | null;
}

/**
 * Shows a markdown text in an element. A text that begins with the one shown before costs only its open tail; any other is shown anew. One that
 * grows comes as a `GrowingText`: as a string all of it would be put together in every frame. `complete`: nothing more comes. Until then a cursor
 * stands behind the last word.
 */
export function createMarkdownView(root: HTMLElement) {
  let shown: string | GrowingText = "";
  let wasComplete = true;
  let stream = createMarkdownStream();
  let slots: Slot[] = [];
  /** Where new slots come: what is on the screen is bound into sheets, each of which can rest as one. */
  let sheet: HTMLElement | null = null;
  let sheetStart = 0;
  /** Slots before this one stay as they are. */
  let closed = 0;
  const cursor = document.createElement("span");
  cursor.className = "cursor";
  cursor.ariaHidden = "true";
  let blinking: ReturnType<typeof setTimeout> | undefined;
  let grewAt = 0;

  /** An animation costs in every frame: the cursor moves on with the text, and blinks when it waits. */
  function holdStill() {
    grewAt = performance.now();
    if (blinking !== undefined) return;
    cursor.classList.add("still");
    blinking = setTimeout(blink, waiting);
  }
  function blink() {
    const left = grewAt + waiting - performance.now();
    blinking = left > 0 ? setTimeout(blink, left) : undefined;
    if (blinking === undefined) cursor.classList.remove("still");
  }

  function reset() {
    root.replaceChildren();
    stream = createMarkdownStream();
    slots = [];
    sheet = null;
    closed = 0;
    shown = "";
  }

  function append(text: string): boolean {
    const step = stream.push(text);
    if (step === null) return false;
    step.blocks.forEach((token, offset) => {
      const slot = (slots[step.from + offset] ??= newSlot());
      if (slot.raw === token.raw) return;
      slot.raw = token.raw;
      const block = codeOf(token);
      if (block !== null && slot.only?.info === block.info) return slot.only.code.update(block.text);
      slot.code = [];
      const nodes = blockNodes(token, (code, language) => {
        const made = codeBlock(code, language);
        slot.code.push(made);
        return made.element;
      });
      const [code] = slot.code;
      slot.only = block !== null && code !== undefined ? { code, info: block.info } : null;
      const wanted = document.createDocumentFragment();
      wanted.append(...nodes);
      return patch(slot.element, wanted, cursor);
    });
    for (const slot of slots.splice(step.from + step.blocks.length)) slot.element.remove();
    close(step.closed);
    return true;
  }
  function newSlot(): Slot {
    const element = document.createElement("div");
    if (sheet === null || isFull()) {
      sheet = document.createElement("div");
      sheetStart = slots.length;
      root.append(sheet);
    }
    sheet.append(element);
    return { element, raw: "", code: [], only: null };
  }
  const isFull = () => slots.slice(sheetStart).reduce((length, { raw }) => length + raw.length, 0) >= sheetLength;
  /** Slots before `end` are final: their code gets its colours, and a sheet that has only such rests. */
  function close(end: number) {
    for (let at = closed; at < end; at += 1) {
      const slot = slots[at];
      const next = slots[at + 1];
      for (const code of slot?.code ?? []) code.close();
      const full = slot?.element.parentElement;
      if (full && next && next.element.parentElement !== full) restOutOfSight(full);
    }
    closed = Math.max(closed, end);
  }

  function isAsWhole(text: string): boolean {
    const blocks = lex(text)?.filter((token) => token.type !== "space");
    // As plain text it is already.
    return blocks === undefined || (blocks.length === slots.length && blocks.every(({ raw }, at) => slots[at]?.raw === raw));
  }

  function showPlain(text: string) {
    const plain = document.createElement("div");
    plain.className = "plain";
    plain.textContent = text;
    root.replaceChildren(plain);
    slots = [];
    sheet = null;
  }

  return (text: string | GrowingText, complete: boolean) => {
    const completes = complete && !wasComplete;
    wasComplete = complete;
    if (text !== shown || completes) {
      const more = since(shown, text);
      const grows = more !== null && !(completes && definesLinks(whole(text)));
      if (!grows) reset();
      const added = grows ? more : whole(text);
      shown = text;
      if (added !== "" && !append(added)) showPlain(whole(text));
      // In rare texts a block that was taken for final goes on after all; whoever reads the whole sees it as it is.
      if (completes && grows && !isAsWhole(whole(text))) {
        reset();
        shown = text;
        if (!append(whole(text))) showPlain(whole(text));
      }
      holdStill();
    }
    if (complete) {
      close(slots.length);
      cursor.remove();
      clearTimeout(blinking);
      blinking = undefined;
    } else behindLastWord(slots.at(-1)?.element ?? root, cursor);
  };
}

/** What a token says that is nothing but a block of code. */
function codeOf(token: Token): { readonly text: string; readonly info: string } | null {
  return token.type === "code" && "text" in token
    ? { text: String(token.text), info: "lang" in token ? String(token.lang ?? "") : "" }
    : null;
}

/** Where text goes on, in the order of the page: the last of them has the last word. */
const flowing = "p, li, h3, h4, h5, h6, td, th, pre > code, .plain";

function behindLastWord(block: HTMLElement, cursor: HTMLElement) {
  const place = Array.from(block.querySelectorAll(flowing)).at(-1) ?? block;
  if (place.lastChild !== cursor) place.append(cursor);
}
