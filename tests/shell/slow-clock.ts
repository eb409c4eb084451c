import type { Clock } from "../../src/shell/embedded/clock.ts";

export interface SlowClock extends Clock {
  /** Wakes sleepers that are due within the next `ms`. */
  advance(ms: number): void;
}

/**
 * A clock that stands still until it is advanced. Sleeping for 9 s advances it by 5 s, and later by 4 s. `step`: milliseconds that each
 * reading adds.
 */
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
