import type { Timers } from "../embedded/embedded.ts";
import type { BesideOptions } from "../sandbox.ts";
import type { Mirror } from "./mirror.ts";

/** Stores what the computer's files become while a command runs in the background, and gives it what others write. */
export interface BesideFiles {
  /** Begins to look every few seconds. */
  start(): void;
  /** Looks now. */
  storeSoon(): void;
  /** No more looks are begun. */
  stop(): void;
  /** Stops, and looks a last time. Answers with lines about what was not kept. Never rejects. */
  end(): Promise<readonly string[]>;
}

export interface BesideParts {
  readonly mirror: Mirror;
  readonly options: Pick<BesideOptions, "commitEveryMs" | "commitChanges">;
  readonly timers: Timers;
  /** Whether a command in the foreground runs. */
  readonly isBusy: () => boolean;
  /** One at a time looks at the computer's files, or changes them. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** Milliseconds to the next look, at the least so many times as long as the last one took. */
  readonly pause: number;
}

export function keepFilesBeside({ mirror, options, timers, isBusy, exclusive, pause }: BesideParts): BesideFiles {
  let isOver = false;
  let stopTimer = (): void => undefined;
  let storing: Promise<unknown> = Promise.resolve();

  async function store(): Promise<void> {
    // What is found while a command in the foreground runs is stored with its result.
    if (isBusy()) return mirror.collect();
    try {
      await mirror.collect();
    } finally {
      const changes = mirror.take();
      if (changes.length > 0) await options.commitChanges(changes);
      await mirror.settle(changes);
    }
  }

  async function storeAndBringIn(): Promise<void> {
    await store();
    // A server is to see what is written while it runs.
    if (!isBusy()) await mirror.bringIn(() => undefined);
  }

  function storeSoon(): void {
    if (isOver) return;
    stopTimer();
    const since = timers.now();
    // What can't be found out now is found out at the end, which says so when that fails.
    const again = (): void => plan(timers.now() - since);
    storing = exclusive(storeAndBringIn).then(again, again);
  }

  function plan(took: number): void {
    stopTimer();
    if (!isOver) stopTimer = timers.after(Math.max(options.commitEveryMs, pause * took), storeSoon);
  }

  function stop(): void {
    isOver = true;
    stopTimer();
  }

  return {
    start: () => plan(0),
    storeSoon,
    stop,
    async end() {
      stop();
      await storing;
      return exclusive(store).then(
        () => mirror.takeRemarks(),
        (error: unknown) => [
          ...mirror.takeRemarks(),
          `what was changed in the last seconds could not be found out: ${error instanceof Error ? error.message : String(error)}`,
        ],
      );
    },
  };
}
