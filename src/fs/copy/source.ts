import type { FileEvent } from "../files.ts";
import type { Path } from "../path.ts";
import type { FileRecord } from "../file-record.ts";
import type { Revision, RevisionStatus } from "../revision.ts";

/** What a database remembers of its backup: "this project was here, and its generation n is whole". */
export interface Sentinel {
  readonly project: string;
  readonly generation: number;
}

/** The files of a project as what copies them sees them. Every call rejects with a `StorageError` when the storage does not answer. */
export interface CopySource {
  /** Null: none was set. */
  sentinel(): Promise<Sentinel | null>;
  setSentinel(sentinel: Sentinel): Promise<void>;
  /** The last commit, and all files, or those of these paths that are there, as it left them. */
  look(paths?: readonly Path[]): Promise<Look>;
  /** How a copy's revision stands to the database as it is now. */
  revisionStatus(of: Revision): Promise<RevisionStatus>;
  /**
   * The user has decided that what is in the database now is the project, whatever these revisions outside of it hold. The chain is begun
   * again from the files that are there. With `pending` more is to come: until this is called again, the database counts as damaged.
   */
  settle(revisions: readonly Revision[], options?: { readonly pending: boolean }): Promise<void>;
  /**
   * A file's bytes from `from` on. That is `known.from` where the file is still the one with this id and so many of its first bytes can't
   * have changed; else 0. Null when there is no such file. With `count: "all"` the bytes before `from` are counted, which costs their reading;
   * else one of them that is lost may not be noticed.
   */
  tail(path: Path, known: Known | null): Promise<Tail | null>;
  watch(listener: (events: readonly FileEvent[]) => void): () => void;
}

export interface Known {
  readonly id: number;
  readonly from: number;
  readonly count: "all" | "read";
}

export interface Look {
  readonly revision: Revision;
  readonly files: readonly FileRecord[];
  /** What contradicts itself in the database, in words; null: nothing, or not all files were asked for. */
  readonly damage: string | null;
}

export interface Tail {
  readonly record: FileRecord;
  readonly from: number;
  /** Its bytes from there on, as they are stored: a large file is not joined, which would hold it twice. */
  readonly pieces: readonly Uint8Array[];
  /** So many of the file's first bytes stay what they are as long as it has this id. */
  readonly stable: number;
}
