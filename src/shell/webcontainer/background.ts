import type { Timers } from "../timers.ts";
import type { BackgroundOptions } from "../sandbox.ts";
import type { Mirror } from "./mirror.ts";
import { collectWithRemarks, storeFound } from "./store-found.ts";

/** Stores what changes in the WebContainer's files while a command runs in the background, and copies the changes of others into it. */
export interface BackgroundFiles {
  /** Starts checking every few seconds. */
  start(): void;
  /** Checks now, and stores what it finds, including changes of a running foreground command. */
  storeSoon(): void;
  /** Begins no more checks. */
  stop(): void;
  /** Stops, checks a last time, and stores what it finds. Returns lines about files that were not kept. */
  end(): Promise<readonly string[]>;
}

export interface BackgroundParts {
  readonly mirror: Mirror;
  readonly options: Pick<BackgroundOptions, "commitEveryMs" | "commitChanges">;
  readonly timers: Timers;
  /** Whether a foreground command runs. */
  readonly isBusy: () => boolean;
  /** Called when the WebContainer has everything that others have written. */
  readonly broughtIn: () => void;
  /** Runs one action at a time that reads or changes the WebContainer's files. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** The wait before the next check is at least this many times the duration of the last one. */
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
    // What is found while a foreground command runs is stored with that command's result.
    if (isBusy()) return mirror.collect();
    await store();
    // A server must see what others write while it runs.
    await mirror.bringIn(() => undefined);
    broughtIn();
  }

  function begin(act: () => Promise<void>): void {
    if (isOver) return;
    stopTimer();
    const since = timers.now();
    // If this check fails, the check at the end finds the changes, and reports a failure.
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
