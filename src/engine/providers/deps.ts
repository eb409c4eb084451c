import { type Fetch, reachOutside } from "../network/external-fetch.ts";

/** What a provider uses of the outside world. Tests replace it. */
export interface ProviderDeps {
  readonly fetch: Fetch;
  readonly timers: Timers;
  /** From 0 up to, but not including, 1. Spreads retries, so that a hundred agents don't all retry at the same moment. */
  readonly random: () => number;
  /** False only if the device knows that it has no network. */
  readonly online: () => boolean;
}

export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, after `ms`. Returns a function that cancels the timer. */
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
  // Node has no `navigator.onLine`.
  online: () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine ?? true,
};
