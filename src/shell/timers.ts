export interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}
