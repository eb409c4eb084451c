import type { CommitEvent } from "../../protocol/index.ts";

/** The commits of the project's history, as the log reads them. All calls reject with a `StorageError` if the history can't be read. */
export interface Commits {
  /** Waits a short time until everything so far is committed. */
  upToDate(): Promise<void>;
  /** The number of the newest commit, counted from 1. 0: there is none. */
  newest(): Promise<number>;
  /** The time of each commit, in the order of their numbers, in ISO 8601. */
  times(): Promise<string[]>;
  /** The commits with these numbers. Missing ones are left out. */
  events(numbers: readonly number[]): Promise<ReadonlyMap<number, CommitEvent>>;
}
