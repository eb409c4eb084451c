import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";
import type { HighlightDone, HighlightOrder } from "./highlight-worker.ts";
import url from "./highlight-worker.ts?worker&url";
import type { Piece } from "./pieces.ts";

/** Milliseconds after which a text is given up, and stays as it is. */
const patience = 3_000;

type Done = (pieces: readonly Piece[] | null) => void;

let worker: Worker | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let last = 0;
/** In their order; the first is the one that is being read. */
const waiting = new Map<number, { readonly order: HighlightOrder; readonly done: Done }>();

/** The text in pieces; null when the language is not known, or it takes too long: then it stays as it is. */
export function highlight(language: string, text: string): Promise<readonly Piece[] | null> {
  return new Promise((done) => {
    const order = { id: ++last, language, text };
    waiting.set(order.id, { order, done });
    if (waiting.size === 1) next();
  });
}

/** One after another, so that one that takes too long takes no other with it. */
function next() {
  const first = waiting.values().next().value;
  if (first === undefined) return;
  worker ??= start();
  timer = setTimeout(giveUp, patience);
  worker.postMessage(first.order);
}

function start(): Worker {
  const started = new Worker(trustedWorkerUrl(url), { type: "module", name: "highlight" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightDone>) => settle(data));
  // A worker that can't be had, such as offline, is no error of the page: the code is there, without colours.
  started.addEventListener("error", (event) => {
    event.preventDefault();
    giveUp();
  });
  return started;
}

function giveUp() {
  worker?.terminate();
  worker = null;
  const id = waiting.keys().next().value;
  if (id !== undefined) settle({ id, pieces: null });
}

function settle({ id, pieces }: HighlightDone) {
  clearTimeout(timer);
  waiting.get(id)?.done(pieces);
  waiting.delete(id);
  next();
}
