/** A code block: its text, a button that copies all of it, and a button that shows the rest if it is long. */
import * as t from "../texts/markdown.ts";
import { type Filling, fillWithPieces, samePrefix } from "./filling.ts";
import { highlight } from "./highlight.ts";
import { countBreaks, isSlow } from "./long-text.ts";
import type { Piece } from "./pieces.ts";

/** A block with more lines or UTF-16 units than these shows only its beginning until the reader asks for all of it. */
const longest = { lines: 32, units: 20_000 } as const;
const beginning = { lines: 20, units: 4_000 } as const;
/** Code with up to this many UTF-16 units is colored. Longer code would need more nodes than a frame can create. */
const colourful = 20_000;
/** Blocks of at least this many lines get line numbers, unless they are in pieces: the height of a piece out of view isn't exact. */
const numbered = 10;
/** Invisible characters that change the direction of the text around them: code may run in another order than it seems. */
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
/** Milliseconds for which the button says that it has copied. */
const saying = 2_000;

export interface CodeBlock {
  readonly element: HTMLElement;
  /** Called as the block grows while it is being written. */
  readonly update: (text: string) => void;
  /** Called when nothing more comes. */
  readonly close: () => void;
}

export function codeBlock(first: string, info: string): CodeBlock {
  const language = /^[\w+#-]{1,32}/.exec(info.trim())?.[0].toLowerCase() ?? "";
  let text = first;
  let lines = count(text);
  let whole = false;
  let closed = false;

  const code = document.createElement("code");
  const pre = document.createElement("pre");
  // Scrollable content must be reachable with the keyboard.
  pre.tabIndex = 0;
  pre.setAttribute("aria-label", language === "" ? t.code : t.codeIn(language));
  pre.setAttribute("role", "group");
  pre.append(code);
  const element = document.createElement("div");
  element.className = "code";
  const head = document.createElement("div");
  head.className = "code-head";
  const name = document.createElement("span");
  name.textContent = language;
  name.ariaHidden = "true";
  const status = document.createElement("span");
  status.className = "unseen";
  status.role = "status";
  const copy = button(t.copy, "copy");
  copy.ariaLabel = t.copyCode;
  head.append(name, copy, status);
  element.append(head, pre);
  let all: HTMLButtonElement | null = null;
  /** Null while the code is a single text, or colored. */
  let filling: Filling | null = null;
  let warned = false;

  const isFolded = () => !whole && (lines > longest.lines || text.length > longest.units);
  const shown = () => (isFolded() ? text.slice(0, beginning.units).split("\n", beginning.lines).join("\n") : text);

  const unfolds = () => (lines > 1 ? t.showAll(lines) : t.showAllCharacters(text.length));

  function show() {
    const now = shown();
    filling?.stop();
    filling = needsPieces(now) ? fillWithPieces(code, now, whole) : null;
    if (filling === null) code.replaceChildren(now);
    element.classList.toggle("folded", isFolded());
    number();
    if (isFolded() && all === null) {
      all = button("", "show-all");
      all.addEventListener("click", unfold);
      element.append(all);
    }
    if (all !== null) all.textContent = unfolds();
    if (closed) void colour();
  }
  function number() {
    const shownLines = isFolded() ? count(shown()) : lines;
    if (shownLines < numbered || text.length > longest.units || filling !== null) delete pre.dataset["numbers"];
    else if (pre.dataset["numbers"]?.endsWith(`\n${shownLines}`) !== true)
      pre.dataset["numbers"] = Array.from({ length: shownLines }, (_, index) => index + 1).join("\n");
  }
  function warn(more: string) {
    if (warned || !turning.test(more)) return;
    warned = true;
    const note = document.createElement("p");
    note.className = "small";
    note.textContent = t.turned;
    head.after(note);
  }
  function unfold() {
    whole = true;
    all?.remove();
    all = null;
    show();
    pre.focus({ preventScroll: true });
  }
  async function colour() {
    const now = shown();
    if (language === "" || now.length > colourful || isSlow(now)) return;
    const pieces = await highlight(language, now);
    if (pieces !== null && now === shown()) code.replaceChildren(...pieces.map(node));
  }
  async function copyAll() {
    const said = await navigator.clipboard.writeText(text).then(
      () => t.copied,
      () => t.notCopied,
    );
    copy.textContent = said;
    status.textContent = said;
    setTimeout(() => {
      copy.textContent = t.copy;
      status.textContent = "";
    }, saying);
  }
  copy.addEventListener("click", () => void copyAll());
  show();
  warn(text);

  return {
    element,
    update(next) {
      if (next === text) return;
      const before = text;
      const grown = next.slice(0, text.length) === text ? next.slice(text.length) : null;
      const wasFolded = isFolded();
      lines = grown === null ? count(next) : lines + count(grown) - 1;
      text = next;
      warn(grown ?? next);
      // Only what is new is changed, so that a selection and the scroll position of a wide line stay.
      if (wasFolded !== isFolded()) show();
      else if (filling !== null && !wasFolded && needsPieces(text))
        filling.change(text, grown === null ? samePrefix(before, text) : before.length);
      else if (grown === null) show();
      else if (wasFolded) all?.replaceChildren(unfolds());
      else {
        // The cursor may follow the text. Colored code has more than one text node.
        const end = closed ? null : code.firstChild;
        if (!(end instanceof Text) || needsPieces(text)) return show();
        end.appendData(grown);
        number();
      }
    },
    close() {
      if (closed) return;
      closed = true;
      void colour();
    },
  };
}

const needsPieces = (text: string): boolean => text.length > longest.units || isSlow(text);
const count = (text: string): number => countBreaks(text) + 1;

function button(words: string, className: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `quiet small ${className}`;
  made.textContent = words;
  return made;
}

function node({ text, kind }: Piece): Node {
  if (kind === null) return document.createTextNode(text);
  const made = document.createElement("span");
  made.className = `code-${kind}`;
  made.textContent = text;
  return made;
}
