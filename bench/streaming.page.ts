/** A page that shows a growing text, either as Vibey shows an answer or as plain text. The benchmark drives it from outside. */
import { type GrowingText, growing, longer } from "../src/app/markdown/growing.ts";
import { createMarkdownView } from "../src/app/markdown/view.ts";
import { markdown, random } from "./corpus.ts";

export interface StreamingBench {
  /** Clears the view and shows a text of `bytes` bytes. Resolves when all of it is shown. */
  open(kind: "markdown" | "plain", bytes: number): Promise<void>;
  /** Adds `piecesAFrame` pieces in every frame. Resolves after `frames` frames. */
  grow(piecesAFrame: number, frames: number): Promise<void>;
  close(): void;
}
declare global {
  interface Window {
    streaming: StreamingBench;
  }
}

const next = random(6);
let whole = "";
while (whole.length < 600_000) whole += `${markdown(next)}\n\n`;
const pieces = whole.match(/\s*\S+/g) ?? [];

/** The least that a page showing text can do: a block for each paragraph; new text is appended to the last one. */
function plain(root: HTMLElement): Show {
  let last: Text | null = null;
  return (added) => {
    const [first = "", ...others] = added.split("\n\n");
    if (last === null) others.unshift(first);
    else last.appendData(first);
    for (const paragraph of others) {
      const block = document.createElement("div");
      last = document.createTextNode(paragraph);
      block.append(last);
      root.append(block);
    }
    return Promise.resolve();
  };
}

/** What the app does with new text. */
function markdownIn(root: HTMLElement): Show {
  const view = createMarkdownView(root);
  let text: GrowingText | null = null;
  return (added) => {
    text = text === null ? growing(added) : longer(text, added);
    return view(text, false);
  };
}

type Show = (added: string) => Promise<void>;
let show: Show = () => Promise.resolve();
let scroller: HTMLElement | null = null;
let at = 0;

window.streaming = {
  async open(kind, bytes) {
    scroller = document.createElement("div");
    scroller.style.cssText = "height: 600px; width: 720px; overflow: auto";
    const root = document.createElement("div");
    root.className = "prose";
    scroller.append(root);
    document.body.replaceChildren(scroller);
    if (kind === "plain") root.classList.add("plain");
    show = kind === "markdown" ? markdownIn(root) : plain(root);
    let first = "";
    for (at = 0; first.length < bytes; at += 1) first += pieces[at] ?? "";
    await show(first);
    scroller.scrollTop = scroller.scrollHeight;
  },
  grow: (piecesAFrame, frames) =>
    new Promise((resolve) => {
      let left = frames;
      const frame = () => {
        let added = "";
        for (let piece = 0; piece < piecesAFrame; piece += 1) added += pieces[at++ % pieces.length] ?? "";
        void show(added);
        if (scroller) scroller.scrollTop = scroller.scrollHeight;
        left -= 1;
        if (left === 0) resolve();
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    }),
  close: () => document.body.replaceChildren(),
};
