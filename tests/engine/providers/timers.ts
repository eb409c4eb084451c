import type { Timers } from "../../../src/engine/providers/deps.ts";

/** Timers of a clock that only the test moves. */
export interface ManualTimers extends Timers {
  /** Moves the clock by `ms` and fires the timers that are due, in their order. */
  advance(ms: number): void;
  /** Milliseconds until each pending timer, soonest first. */
  readonly waiting: readonly number[];
}

export function manualTimers(start = Date.UTC(2026, 10, 21, 20, 0, 0)): ManualTimers {
  let now = start;
  let timers: { readonly at: number; readonly callback: () => void }[] = [];
  return {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now).toSorted((a, b) => a.at - b.at);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.callback();
    },
    get waiting() {
      return timers.map((timer) => timer.at - now).toSorted((a, b) => a - b);
    },
  };
}
