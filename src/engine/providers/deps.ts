import { type Fetch, reachOutside } from "../network/external-fetch.ts";

/** What a provider touches of the world, so that a test can stand in for it. */
export interface ProviderDeps {
  readonly fetch: Fetch;
  readonly timers: Timers;
  /** From 0 up to, not including, 1: spreads retries, so that a hundred agents do not come back in one moment. */
  readonly random: () => number;
  /** False only when the device knows that it has no network. */
  readonly online: () => boolean;
}

export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, `ms` from now; returns the way to stop that. */
  after(ms: number, callback: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export const systemDeps: ProviderDeps = {
  fetch: reachOutside,
  timers: systemTimers,
  random: () => Math.random(),
  // Node has no such property.
  online: () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine ?? true,
};
