import type { FileEvent } from "../files.ts";
import type { Path } from "../path.ts";
import type { FileRecord } from "../plan.ts";

/** What a database remembers of its second copy: "this project was here, and its generation n is whole". */
export interface Sentinel {
  readonly project: string;
  readonly generation: number;
}

/** The files of a project as what copies them sees them. Every call rejects with a `StorageError` when the storage does not answer. */
export interface CopySource {
  /** The last commit when the database was opened. */
  readonly openedAt: number;
  /** Null: none was set. */
  sentinel(): Promise<Sentinel | null>;
  setSentinel(sentinel: Sentinel): Promise<void>;
  /** The last commit, and all files, or those of these paths that are there, as it left them. */
  look(paths?: readonly Path[]): Promise<{ readonly version: number; readonly files: readonly FileRecord[] }>;
  /**
   * A file's bytes from `from` on. That is `known.from` where the file is still the one with this id and so many of its first bytes can't
   * have changed; else 0. Null when there is no such file.
   */
  tail(path: Path, known: { readonly id: number; readonly from: number } | null): Promise<Tail | null>;
  watch(listener: (events: readonly FileEvent[]) => void): () => void;
}

export interface Tail {
  readonly record: FileRecord;
  readonly from: number;
  /** Its bytes from there on, as they are stored: a large file is not joined, which would hold it twice. */
  readonly pieces: readonly Uint8Array[];
  /** So many of the file's first bytes stay what they are as long as it has this id. */
  readonly stable: number;
}
