export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds, unless the way to stop that it returns was called before. */
  after(ms: number, callback: () => void): () => void;
}
