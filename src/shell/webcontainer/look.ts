import type { Timers } from "../timers.ts";

/** Milliseconds between two comparisons while a foreground command runs. */
const lookEvery = 2_000;
/** The pause is at least this many times the duration of the last comparison, so that comparing does not take up the machine. */
export const lookPause = 10;

/** Compares every few seconds. Returns a function that stops it. */
export function lookOften(timers: Timers, collect: () => Promise<void>): () => void {
  let stopTimer = (): void => undefined;
  let isOver = false;
  const look = (took: number): void => {
    if (isOver) return;
    stopTimer = timers.after(Math.max(lookEvery, lookPause * took), () => {
      const since = timers.now();
      const again = (): void => look(timers.now() - since);
      // If this comparison fails, the one at the end finds the changes, and reports a failure.
      collect().then(again, again);
    });
  };
  look(0);
  return () => {
    isOver = true;
    stopTimer();
  };
}
