import type { Answers, Asked } from "./part.ts";

/** The parts of a `Worker` that are needed. */
export interface AskedWorker {
  postMessage(message: Asked): void;
  terminate(): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
}
/** Calls `callback` once after `ms` milliseconds. Returns a function that cancels it. */
type After = (ms: number, callback: () => void) => () => void;

/** Milliseconds after which a command counts as unreadable. The first one also waits for the shell's script to load. */
const patience = { first: 10_000, next: 3_000 };

export interface Asker {
  /** Null: the command can't be parsed, or not in time. */
  ask<T extends keyof Answers>(type: T, command: string): Promise<Answers[T] | null>;
  dispose(): void;
}

/** Has commands parsed, one after another, by a shell's worker that has no files and runs nothing. The worker is created for the first command. */
export function createAsker(createWorker: () => AskedWorker, after: After): Asker {
  let worker: AskedWorker | null = null;
  let isWarm = false;
  let stopTimer = (): void => undefined;
  let last = 0;
  /** In order; the first one is being parsed. */
  const waiting = new Map<number, { readonly asked: Asked; readonly done: (answer: unknown) => void }>();

  function next(): void {
    const first = waiting.values().next().value;
    if (first === undefined) return;
    try {
      worker ??= start();
    } catch {
      // Without a worker nothing can be parsed.
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
    // For example, the app is offline.
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
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker's answer has the type that belongs to the question.
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
