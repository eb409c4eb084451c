/** The parts of a command, read by the shell's own parser in a worker of the page, which has no files and runs nothing. */
import type { Part, PartsDone, PartsOrder } from "../../engine/sandbox/embedded/parts/part.ts";
import url from "../../engine/sandbox/embedded/worker.ts?worker&url";
import { trustedWorkerUrl } from "../engine-client/trusted-worker-url.ts";

/** Milliseconds after which a command counts as one that can't be split. The first one waits for the shell's script, too. */
const patience = { first: 10_000, next: 3_000 };

type Done = (parts: readonly Part[] | null) => void;

let worker: Worker | null = null;
let isWarm = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let last = 0;
/** In their order; the first is the one that is being read. */
const waiting = new Map<number, { readonly order: PartsOrder; readonly done: Done }>();

/** Null: it can't be split. */
export function commandParts(command: string): Promise<readonly Part[] | null> {
  return new Promise((done) => {
    const order: PartsOrder = { type: "parts", id: ++last, command };
    waiting.set(order.id, { order, done });
    if (waiting.size === 1) next();
  });
}

function next() {
  const first = waiting.values().next().value;
  if (first === undefined) return;
  worker ??= start();
  timer = setTimeout(giveUp, isWarm ? patience.next : patience.first);
  worker.postMessage(first.order);
}

function start(): Worker {
  const started = new Worker(trustedWorkerUrl(url), { type: "module", name: "command-parts" });
  started.addEventListener("message", ({ data }: MessageEvent<PartsDone>) => {
    isWarm = true;
    settle(data);
  });
  // Offline, say: the command is there whole, and the panel says that it is not split.
  started.addEventListener("error", (event) => {
    event.preventDefault();
    giveUp();
  });
  return started;
}

function giveUp() {
  worker?.terminate();
  worker = null;
  isWarm = false;
  const id = waiting.keys().next().value;
  if (id !== undefined) settle({ type: "parts", id, parts: null });
}

function settle({ id, parts }: PartsDone) {
  if (!waiting.has(id)) return;
  clearTimeout(timer);
  waiting.get(id)?.done(parts);
  waiting.delete(id);
  next();
}
