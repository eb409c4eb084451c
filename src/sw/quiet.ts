/** In milliseconds: how long there must be no request, the longest wait for that, and the interval between checks. */
export const pause = { quietMs: 500, mostMs: 5_000, lookMs: 50 };

/** Knows when this worker got its last request. */
export interface Quiet {
  /** Notes a request. */
  readonly note: () => void;
  /** Resolves when there was no request for a while, or after the longest wait. */
  readonly wait: () => Promise<void>;
}

export function createQuiet(now: () => number, after: (ms: number) => Promise<unknown>, { quietMs, mostMs, lookMs } = pause): Quiet {
  let last = now();
  return {
    note: () => void (last = now()),
    async wait() {
      const began = now();
      while (now() - last < quietMs && now() - began < mostMs) await after(lookMs);
    },
  };
}
