import type { Answers, Asked } from "./part.ts";

/** What it needs of a `Worker`, and of a clock. */
export interface AskedWorker {
  postMessage(message: Asked): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
}
/** Calls `callback` once after `ms` milliseconds, unless the way to stop that it returns was called before. */
type After = (ms: number, callback: () => void) => () => void;

/** Milliseconds after which a command counts as one that can't be read. The first one waits for the shell's script, too. */
const patience = { first: 10_000, next: 3_000 };

export interface Asker {
  /** Null: it can't be read, or not in time. */
  ask<T extends keyof Answers>(type: T, command: string): Promise<Answers[T] | null>;
  dispose(): void;
}

/** Has commands read by a shell's worker that has no files and runs nothing, one after another. The worker is made for the first one. */
export function createAsker(createWorker: () => AskedWorker, after: After): Asker {
  let worker: AskedWorker | null = null;
  let isWarm = false;
  let stopTimer = (): void => undefined;
  let last = 0;
  /** In their order; the first is the one that is being read. */
  const waiting = new Map<number, { readonly asked: Asked; readonly done: (answer: unknown) => void }>();

  function next(): void {
    const first = waiting.values().next().value;
    if (first === undefined) return;
    try {
      worker ??= start();
    } catch {
      // No worker can be had: nothing can be read.
      giveUp();
      return;
    }
    stopTimer = after(isWarm ? patience.next : patience.first, giveUp);
    worker.postMessage(first.asked);
  }

  function start(): AskedWorker {
    const started = createWorker();
    started.addEventListener("message", ({ data }: MessageEvent<{ readonly id: number; readonly answer: unknown }>) => {
      if (worker !== started) return;
      isWarm = true;
      settle(data.id, data.answer);
    });
    // Offline, say.
    started.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === started) giveUp();
    });
    return started;
  }

  function giveUp(): void {
    worker?.terminate();
    worker = null;
    isWarm = false;
    const id = waiting.keys().next().value;
    if (id !== undefined) settle(id, null);
  }

  function settle(id: number, answer: unknown): void {
    const first = waiting.get(id);
    if (first === undefined) return;
    stopTimer();
    waiting.delete(id);
    first.done(answer);
    next();
  }

  return {
    ask: <T extends keyof Answers>(type: T, command: string) =>
      new Promise<Answers[T] | null>((resolve) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the questions, whichever it is.
        const asked = { type, id: ++last, command } as Asked;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker answers each question with what belongs to its type.
        waiting.set(asked.id, { asked, done: (answer) => resolve(answer as Answers[T] | null) });
        if (waiting.size === 1) next();
      }),
    dispose() {
      stopTimer();
      worker?.terminate();
      worker = null;
      for (const { done } of waiting.values()) done(null);
      waiting.clear();
    },
  };
}
