import type { Timers } from "../timers.ts";

/** Milliseconds between two comparisons while a command in the foreground runs. */
const lookEvery = 2_000;
/** At the least so many times as long as the last one took: looking is not to be what the machine does. */
export const lookPause = 10;

/** Compares every few seconds. Returns the way to stop. */
export function lookOften(timers: Timers, collect: () => Promise<void>): () => void {
  let stopTimer = (): void => undefined;
  let isOver = false;
  const look = (took: number): void => {
    if (isOver) return;
    stopTimer = timers.after(Math.max(lookEvery, lookPause * took), () => {
      const since = timers.now();
      const again = (): void => look(timers.now() - since);
      // What can't be found out now is found out at the end, which says so when that fails.
      collect().then(again, again);
    });
  };
  look(0);
  return () => {
    isOver = true;
    stopTimer();
  };
}
