import type { Clock } from "../../src/shell/embedded/clock.ts";

export interface SlowClock extends Clock {
  /** Wakes whoever is due within the next `ms`. */
  advance(ms: number): void;
}

/** A clock that stands still until it is moved. Whoever sleeps for 9 s moves it by 5, and a while later by 4. `step`: milliseconds by which each look at it moves it. */
export function slowClock(step = 0): SlowClock {
  let now = 0;
  const waiting = new Set<{ readonly at: number; readonly wake: () => void }>();
  const advance = (ms: number): void => {
    now += ms;
    for (const { wake } of [...waiting].filter(({ at }) => at <= now)) wake();
  };
  return {
    now: () => (now += step),
    advance,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const wake = (): void => {
          waiting.delete(sleeper);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { at: now + ms, wake };
        waiting.add(sleeper);
        signal.addEventListener("abort", wake);
        if (ms !== 9_000) return undefined;
        return void setImmediate(() => {
          advance(5_000);
          setImmediate(() => advance(4_000));
        });
      }),
  };
}
