import { type CodeBlock, codeBlock } from "./code.ts";
import { type GrowingText, since, whole } from "./growing.ts";
import { lexedLength, type Links } from "./lex.ts";
import { blockNodes } from "./nodes.ts";
import type { Part, PlainPart } from "./parts.ts";
import { patch } from "./patch.ts";
import { plainStep, plainText } from "./plain.ts";
import { read } from "./read.ts";
import { readAway } from "./read-away.ts";
import type { ReadAnswer } from "./read-worker.ts";
import { restOutOfSight } from "./rest.ts";
import { chargeLayout, hasTime, inNextFrame, layoutElements } from "./slices.ts";
import { grow, newStream, take } from "./stream.ts";

/** UTF-16 units of text after which the next block begins a new sheet. */
const sheetLength = 8_192;

/** Milliseconds without more text until the cursor blinks. */
const waiting = 500;

/**
 * UTF-16 units. `next`: how much waiting text is parsed next. `here`: how much the page parses itself, for at most `hereMs` milliseconds, before the
 * worker gets it. `block`: a longer block is never parsed. `whole`: how long a complete text may be to be parsed once more as a whole.
 */
const limits = { next: 2_048, here: 4_096, hereMs: 4, block: 65_536, whole: 262_144 } as const;

/** The number of too slow blocks after which the rest of a text is plain text. */
const maxFailures = 2;
/** How often the text before such a block is parsed separately. */
const maxSplits = 10;

/** A block on the screen: a single element, so that it can be replaced whatever its nodes are. */
interface Slot {
  readonly element: HTMLElement;
  raw: string;
  /** What it was created from; see `shapeOf`. */
  shape: string;
  /** The pass over the text in which it was created. */
  pass: number;
  /** The code blocks in it. */
  code: CodeBlock[];
  /** Set if it is nothing but a code block, which can grow in place while its opening line reads the same. */
  only: { readonly code: CodeBlock; readonly info: string } | null;
}

/** Parts on their way to the screen; the first of them goes to slot `at`. */
interface Coming {
  parts: Part[];
  at: number;
  /** Called when all parts are there; null: more parts come. */
  end: (() => void) | null;
}

/**
 * Shows a Markdown text in an element. If the text begins with the one shown before, only its open tail is processed; any other text is shown from
 * the start. A growing text is passed as a `GrowingText`, because a string would be built from all of it in every frame. `complete`: nothing more
 * comes. Until then, a cursor follows the last word.
 *
 * A long text is shown in steps, as fast as the frames allow; a short one at once. Resolves when all of it is there, or another text has come.
 */
export function createMarkdownView(root: HTMLElement) {
  let shown: string | GrowingText = "";
  let isComplete = true;
  let stream = newStream();
  let slots: Slot[] = [];
  /** The sheet for new slots: a group of blocks that the browser skips as a whole while it is out of view. */
  let sheet: HTMLElement | null = null;
  let sheetStart = 0;
  /** Slots before this one stay as they are. */
  let closed = 0;

  /** The part of the text that is not parsed yet. */
  let queue = "";
  /** Whether the tail has grown since it was parsed. */
  let unread = false;
  let coming: Coming | null = null;
  /** The number of the current reading. The worker's answers to an older one are ignored. */
  let reading = 0;
  let isAway = false;
  let readings = 0;
  let pass = 0;
  /** `isLinked`: the text was parsed again because it defines links. `isChecked`: it was compared with a reading of the whole text. */
  let isLinked = false;
  let isChecked = false;
  let failures = 0;
  let splits = 0;
  /** Set while the text shows as written, until the next empty line. */
  let plain: ReturnType<typeof plainText> | null = null;
  let cancel: (() => void) | null = null;
  let settled: (() => void)[] = [];

  const cursor = document.createElement("span");
  cursor.className = "cursor";
  cursor.ariaHidden = "true";
  let blinking: ReturnType<typeof setTimeout> | undefined;
  let grewAt = 0;

  /** An animation costs time in every frame. So the cursor moves along with the text, and blinks only while it waits. */
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
    slots = [];
    sheet = null;
    shown = "";
    failures = 0;
    splits = 0;
    plain = null;
    again("", {});
  }
  /** Parses from the start of the text. What is on the screen stays until it is replaced. */
  function again(text: string, links: Links) {
    stream = newStream(links);
    queue = text;
    unread = false;
    coming = null;
    reading += 1;
    isAway = false;
    readings = 0;
    pass += 1;
    closed = 0;
  }

  /** Runs one step after another, as long as this frame has time. */
  function work() {
    cancel = null;
    let more = true;
    while (more && hasTime()) more = step();
    if (more) cancel = inNextFrame(work);
    if (!isComplete) behindLastWord(slots.at(-1)?.element ?? root, cursor);
    if (cancel !== null || isAway) return;
    if (isComplete) {
      close(slots.length);
      cursor.remove();
      clearTimeout(blinking);
      blinking = undefined;
    }
    for (const done of settled.splice(0)) done();
  }

  /** False: there is nothing to do, or not until the worker has answered. */
  function step(): boolean {
    if (coming !== null) return showNext(coming);
    if (isAway) return false;
    if (unread) readTail();
    else if (plain !== null && queue !== "") showPlain(plain);
    else if (queue !== "") {
      const length = Math.max(limits.next, stream.tail.length);
      grow(stream, queue.slice(0, length));
      queue = queue.slice(length);
      unread = true;
    } else return isComplete && check();
    return true;
  }

  function readTail() {
    unread = false;
    readings += 1;
    const { tail } = stream;
    const length = lexedLength(tail);
    if (length > limits.block) {
      fail();
      return;
    }
    const found = length > limits.here ? null : read(tail, performance.now() + limits.hereMs, stream.links);
    if (found?.kind === "read") coming = { parts: [...found.parts], at: stream.closed, end: () => take(stream, found) };
    else if (found?.kind === "deep") fail();
    else
      askAway(tail, stream.links, null, (end) => {
        if (end === null || !("final" in end)) fail();
        else coming = { ...(coming ?? { parts: [], at: stream.closed }), end: () => take(stream, end) };
      });
  }
  function askAway(text: string, links: Links, known: readonly number[] | null, ended: (end: ReadAnswer["end"]) => void) {
    isAway = true;
    reading += 1;
    const own = reading;
    const first = known === null ? stream.closed : 0;
    readAway(
      (id) => ({ id, text, links, known }),
      (answer) => {
        if (own !== reading) return;
        if (answer !== null && answer.parts.length > 0) {
          coming ??= { parts: [], at: first, end: null };
          coming.parts.push(...answer.parts);
        }
        if (answer === null || answer.end !== null) {
          isAway = false;
          ended(answer?.end ?? null);
        }
        if (cancel === null) work();
      },
    );
  }

  function showNext(now: Coming): boolean {
    const part = now.parts.shift();
    if (part !== undefined) {
      const slot = (slots[now.at] ??= newSlot());
      if (showPart(slot, part)) chargeLayout(layoutElements(slot.element), part.raw.length);
      now.at += 1;
      return true;
    }
    if (now.end === null) return false;
    coming = null;
    now.end();
    // While text is still to be parsed, the later slots stay: they may be reused for it.
    if (queue === "") for (const slot of slots.splice(now.at)) slot.element.remove();
    close(stream.closed);
    return true;
  }

  /** Returns false if the slot already shows this part. */
  function showPart(slot: Slot, part: Part): boolean {
    const shape = shapeOf(part);
    if (slot.shape === shape && slot.pass === pass) return false;
    slot.raw = part.raw;
    slot.shape = shape;
    slot.pass = pass;
    const block = codeOf(part);
    if (block !== null && slot.only?.info === block.info) {
      slot.only.code.update(block.text);
      return true;
    }
    slot.code = [];
    slot.only = null;
    if (isPlain(part)) {
      const text = plainText();
      text.append(part.raw);
      slot.element.replaceChildren(text.element);
      return true;
    }
    const nodes = blockNodes(part, (code, language) => {
      const made = codeBlock(code, language);
      slot.code.push(made);
      return made.element;
    });
    const [code] = slot.code;
    if (block !== null && code !== undefined) slot.only = { code, info: block.info };
    const wanted = document.createDocumentFragment();
    wanted.append(...nodes);
    patch(slot.element, wanted, cursor);
    return true;
  }

  /** The tail takes too long to parse. It shows as written, and so does what follows up to the next empty line. */
  function fail() {
    coming = null;
    if (splits < maxSplits && showHead()) return;
    failures += 1;
    for (const slot of slots.splice(stream.closed)) slot.element.remove();
    const slot = newSlot();
    slots.push(slot);
    plain = plainText();
    slot.element.append(plain.element);
    queue = stream.tail + queue;
    stream.tail = "";
  }
  /** Parses the tail up to its first empty line separately. False: there is no empty line, or that part takes too long as well. */
  function showHead(): boolean {
    const { tail, links } = stream;
    const end = tail.indexOf("\n\n") + 2;
    if (end < 2 || end >= tail.length || lexedLength(tail.slice(0, end)) > limits.here) return false;
    const head = read(tail.slice(0, end), performance.now() + limits.hereMs, links);
    if (head.kind !== "read") return false;
    splits += 1;
    queue = tail.slice(end) + queue;
    const { parts } = head;
    coming = {
      parts: [...parts],
      at: stream.closed,
      end: () => take(stream, { final: { parts: parts.length, units: tail.length }, links: head.links }),
    };
    return true;
  }
  function showPlain(text: ReturnType<typeof plainText>) {
    const empty = failures > maxFailures ? -1 : queue.indexOf("\n\n");
    const end = Math.min(empty < 0 ? queue.length : empty + 2, plainStep);
    text.append(queue.slice(0, end));
    queue = queue.slice(end);
    if (end !== empty + 2) return;
    plain = null;
    stream.closed = slots.length;
  }

  /**
   * When everything is there: whether the text has to be parsed again, because a link is defined after its use, or a final block continued after all.
   */
  function check(): boolean {
    if (failures > 0 || splits > 0 || readings < 2) return false;
    const text = whole(shown);
    if (!isLinked && Object.keys(stream.links).length > 0) {
      isLinked = true;
      again(text, stream.links);
      return true;
    }
    if (isChecked || text.length > limits.whole) return false;
    isChecked = true;
    const { links } = stream;
    const known = slots.map(({ raw }) => raw.length);
    const replace = (parts: readonly Part[]) => {
      pass += 1;
      coming = { parts: [...parts], at: 0, end: () => undefined };
    };
    const found = text.length > limits.here ? null : read(text, performance.now() + limits.hereMs, links);
    if (found?.kind === "read") {
      if (found.parts.length !== slots.length || found.parts.some((part, at) => shapeOf(part) !== slots[at]?.shape)) replace(found.parts);
      return true;
    }
    pass += 1;
    askAway(text, links, known, (end) => {
      if (end !== null && "final" in end) coming = { ...(coming ?? { parts: [], at: 0 }), end: () => undefined };
      // Keeps what is shown.
      else coming = null;
    });
    return false;
  }
  function newSlot(): Slot {
    const element = document.createElement("div");
    if (sheet === null || isFull()) {
      sheet = document.createElement("div");
      sheetStart = slots.length;
      root.append(sheet);
    }
    sheet.append(element);
    return { element, raw: "", shape: "", pass, code: [], only: null };
  }
  const isFull = () => slots.slice(sheetStart).reduce((length, { raw }) => length + raw.length, 0) >= sheetLength;
  /** Slots before `end` are final: their code gets its colors, and the browser may skip sheets that have only final slots. */
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

  return (text: string | GrowingText, complete: boolean): Promise<void> => {
    const completes = complete && !isComplete;
    isComplete = complete;
    if (text !== shown || completes) {
      const more = since(shown, text);
      if (more === null) reset();
      queue += more ?? whole(text);
      shown = text;
      isLinked = false;
      isChecked = false;
      holdStill();
    }
    return new Promise((done) => {
      settled.push(done);
      if (cancel === null) work();
    });
  };
}

/**
 * Distinguishes one reading of a block from another. The lexer may read the same source differently when more text follows, with or without the
 * indentation of a line. For a long block, only the source is compared.
 */
const shapeOf = (part: Part): string => (isPlain(part) || part.raw.length > limits.here ? part.raw : JSON.stringify(part));

const isPlain = (part: Part): part is PlainPart => part.type === "plain";

/** The code of a part that is nothing but a code block. */
function codeOf(part: Part): { readonly text: string; readonly info: string } | null {
  return part.type === "code" && "text" in part ? { text: String(part.text), info: "lang" in part ? String(part.lang ?? "") : "" } : null;
}

/** Elements in which text continues, in page order: the last one has the last word. */
const flowing = "p, li, h3, h4, h5, h6, td, th, pre > code, .plain";

function behindLastWord(block: HTMLElement, cursor: HTMLElement) {
  const place = Array.from(block.querySelectorAll(flowing)).at(-1) ?? block;
  if (place.lastChild !== cursor) place.append(cursor);
}
