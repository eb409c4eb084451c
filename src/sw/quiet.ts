/** How long nothing must have been asked for, how long that is waited for at most, and how often it is looked at. Milliseconds. */
export const pause = { quietMs: 500, mostMs: 5_000, lookMs: 50 };

/** Knows when this worker was last asked for something. */
export interface Quiet {
  /** Something is asked for now. */
  readonly note: () => void;
  /** Resolves once nothing was asked for in a while, or when that has been waited for long enough. */
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
