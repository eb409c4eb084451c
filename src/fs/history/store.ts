import type { Path } from "../path.ts";
import type { Author } from "./commit-object.ts";
import type { Oid, StoredObject } from "./object.ts";

/**
 * Where a history is stored: git's objects, the one branch, and records that avoid reading trees.
 *
 * - Every change goes through `write`: either all of a batch happens, or nothing.
 * - There is one writer. `lead` makes the caller the writer. A batch of an earlier writer fails as `fenced`, so a frozen tab that wakes up can't
 *   write.
 * - A commit exists with everything that it needs, or it does not exist: its objects are stored before it or with it.
 * - Objects that are stored before their commit are noted as early until a commit needs them. So the leftovers of a failed commit are known.
 * - A failed `write` is a value. Everything else returns a value or rejects with a `StorageError`. Null means "there is no such thing", never "could
 *   not look".
 */
export interface HistoryStore {
  lead(): Promise<number>;
  /** The newest commit. Null before the first one. */
  head(): Promise<CommitRecord | null>;
  /** An object as it is stored. */
  object(oid: Oid): Promise<Uint8Array | null>;
  /** The names of all objects, including those that no commit needs. */
  oids(): Promise<Oid[]>;
  commit(id: Oid): Promise<CommitRecord | null>;
  /** Up to `count` commits before this number, newest first. A number far beyond the newest gives none. `Infinity` gives the newest. */
  commits(before: number, count: number): Promise<CommitRecord[]>;
  /** The changes of the commits with these numbers, in order. */
  changes(from: number, to: number): Promise<CommitChanges[]>;
  /** Every file of the newest commit. */
  files(): Promise<KnownFile[]>;
  /** The same for these paths, in order. Null for a path that is not in the commit. */
  file(paths: readonly Path[]): Promise<(KnownFile | null)[]>;
  notes(): Promise<Note[]>;
  /** The names of the early objects. */
  early(): Promise<Oid[]>;
  write(batch: Batch, epoch: number): Promise<WriteResult>;
  close(): void;
}

export interface CommitRecord {
  /** Counted from 1, without gaps. */
  readonly number: number;
  readonly id: Oid;
  readonly tree: Oid;
  readonly author: Author;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly summary: string;
  readonly trailers: readonly (readonly [key: string, value: string])[];
  /** How many files it changed. */
  readonly count: number;
  /** It came with an import, and the user has not accepted its authority lines. Not stored in git. */
  readonly unaccepted?: true;
}

export interface CommitChanges {
  readonly number: number;
  /** Sorted by path. */
  readonly files: readonly FileChange[];
}

/** Null: the file did not exist before, or does not exist after. */
export interface FileChange {
  readonly path: Path;
  readonly before: Oid | null;
  readonly after: Oid | null;
}

/** A file of the newest commit, and the state of the project's file that it was made from. */
export interface KnownFile extends FileState {
  readonly path: Path;
  readonly oid: Oid;
}

/** Equal states of one path mean equal bytes. The version alone would be enough, but it starts over in a project that was lost and begun again. */
export interface FileState {
  readonly version: number;
  readonly mtime: number;
  readonly size: number;
}

/** Who changed which files. Stored until a commit has it: after a crash there is no other record. */
export interface Note {
  /** Notes of one group are removed together. */
  readonly group: number;
  /** The `actorKey` of the actor. */
  readonly by: string;
  /** Milliseconds since 1970. Undefined: it was not noted. */
  readonly time?: number | undefined;
  /** The current version of each file. Null: it was removed. */
  readonly files: readonly (readonly [path: Path, version: number | null])[];
  /** The message of the group's commit, if it says more than the changes: for an import or an undo. */
  readonly words?: Pick<CommitRecord, "summary" | "trailers"> | undefined;
}

export interface Batch {
  readonly objects?: readonly StoredObject[];
  /** Contents that are stored before their commit. New ones are stored and noted as early. */
  readonly early?: readonly StoredObject[];
  /** Early objects to remove. Objects that are not noted as early stay. */
  readonly dropEarly?: readonly Oid[];
  /** `parent`: must be the newest commit. The record's number is the next one. */
  readonly commit?: { readonly parent: Oid | null; readonly record: CommitRecord; readonly files: readonly FileChange[] };
  /** Null: no longer in the newest commit. */
  readonly files?: readonly (readonly [path: Path, file: KnownFile | null])[];
  readonly note?: Note;
  /** Groups whose notes are removed. */
  readonly dropNotes?: readonly number[];
}

export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly failure: WriteFailure };

/** Nothing was written. */
export type WriteFailure =
  /** Another one is the writer now. */
  | { readonly kind: "fenced" }
  /** The newest commit is not `parent`. */
  | { readonly kind: "moved"; readonly head: Oid | null }
  | { readonly kind: "full" | "broken"; readonly message: string };
