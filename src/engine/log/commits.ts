import type { CommitEvent } from "../../protocol/index.ts";

/** The commits of the project's history, as the log reads them. Each rejects with a `StorageError` where the history can't be read. */
export interface Commits {
  /** Waits until what is done is committed, but not for long. */
  upToDate(): Promise<void>;
  /** The number of the newest one; they are counted from 1. 0: there is none. */
  newest(): Promise<number>;
  /** When each of them was made, in the order of their numbers: ISO 8601. */
  times(): Promise<string[]>;
  /** Those with these numbers; one that is not there is left out. */
  events(numbers: readonly number[]): Promise<ReadonlyMap<number, CommitEvent>>;
}
