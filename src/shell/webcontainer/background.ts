import type { Timers } from "../timers.ts";
import type { BackgroundOptions } from "../sandbox.ts";
import type { Mirror } from "./mirror.ts";
import { collectWithRemarks, storeFound } from "./store-found.ts";

/** Stores what the WebContainer's files become while a command runs in the background, and gives it what others write. */
export interface BackgroundFiles {
  /** Begins to look every few seconds. */
  start(): void;
  /** Looks now, and stores what it finds, also what a command in the foreground that runs has done. */
  storeSoon(): void;
  /** No more looks are begun. */
  stop(): void;
  /** Stops, looks a last time, and stores what it finds. Answers with lines about what was not kept. */
  end(): Promise<readonly string[]>;
}

export interface BackgroundParts {
  readonly mirror: Mirror;
  readonly options: Pick<BackgroundOptions, "commitEveryMs" | "commitChanges">;
  readonly timers: Timers;
  /** Whether a command in the foreground runs. */
  readonly isBusy: () => boolean;
  /** The WebContainer has all that others have written. */
  readonly broughtIn: () => void;
  /** One at a time looks at the WebContainer's files, or changes them. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** Milliseconds to the next look, at the least so many times as long as the last one took. */
  readonly pause: number;
}

export function keepBackgroundFiles({ mirror, options, timers, isBusy, broughtIn, exclusive, pause }: BackgroundParts): BackgroundFiles {
  let isOver = false;
  let stopTimer = (): void => undefined;
  let storing: Promise<unknown> = Promise.resolve();

  async function store(): Promise<void> {
    try {
      await mirror.collect();
    } finally {
      await storeFound(mirror, options.commitChanges);
    }
  }

  async function look(): Promise<void> {
    // What is found while a command in the foreground runs is stored with its result.
    if (isBusy()) return mirror.collect();
    await store();
    // A server is to see what is written while it runs.
    await mirror.bringIn(() => undefined);
    broughtIn();
  }

  function begin(act: () => Promise<void>): void {
    if (isOver) return;
    stopTimer();
    const since = timers.now();
    // What can't be found out now is found out at the end, which says so when that fails.
    const again = (): void => plan(timers.now() - since);
    storing = exclusive(act).then(again, again);
  }

  function plan(took: number): void {
    stopTimer();
    if (!isOver) stopTimer = timers.after(Math.max(options.commitEveryMs, pause * took), () => begin(look));
  }

  function stop(): void {
    isOver = true;
    stopTimer();
  }

  return {
    start: () => plan(0),
    storeSoon: () => begin(store),
    stop,
    async end() {
      stop();
      await storing;
      return exclusive(async () => {
        const remarks = await collectWithRemarks(mirror);
        await storeFound(mirror, options.commitChanges);
        return remarks;
      });
    },
  };
}
