import type { FileEvent } from "../files.ts";
import type { Path } from "../path.ts";
import type { FileRecord } from "../file-record.ts";
import type { Revision, RevisionStatus } from "../revision.ts";

/** What a database records about its backup: "this project was here, and its generation n is complete". */
export interface Sentinel {
  readonly project: string;
  readonly generation: number;
}

/** The files of a project as the backup sees them. Every call rejects with a `StorageError` if the storage fails. */
export interface CopySource {
  /** Null: none was set. */
  sentinel(): Promise<Sentinel | null>;
  setSentinel(sentinel: Sentinel): Promise<void>;
  /** The last commit, and the files right after it: all files, or the existing ones among these paths. */
  look(paths?: readonly Path[]): Promise<Look>;
  /** How a backup's revision relates to the database now. */
  revisionStatus(of: Revision): Promise<RevisionStatus>;
  /**
   * The user has decided that the database's current content is the project, whatever these outside revisions contain. The chain starts over from the
   * existing files. With `pending` the operation continues: until this is called again, the database counts as damaged.
   */
  settle(revisions: readonly Revision[], options?: { readonly pending: boolean }): Promise<void>;
  /**
   * A file's bytes from `from` on. That is `known.from` if the file still has this id and that many of its first bytes can't have changed, otherwise
   * 0. Null if there is no such file. `count: "all"` also counts the bytes before `from`, which means reading them. Without it, lost bytes there may
   * go unnoticed.
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
  /** What is inconsistent in the database, in words. Null if nothing is, or if not all files were requested. */
  readonly damage: string | null;
}

export interface Tail {
  readonly record: FileRecord;
  readonly from: number;
  /** The bytes from there on, in the pieces in which they are stored: joining a large file would use twice the memory. */
  readonly pieces: readonly Uint8Array[];
  /** This many of the file's first bytes never change as long as it has this id. */
  readonly stable: number;
}
