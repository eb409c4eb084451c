import type { Path } from "../path.ts";
import type { Author } from "./commit-object.ts";
import type { Oid, StoredObject } from "./object.ts";

/**
 * Where a history is kept: git's objects, the one branch, and beside them what spares a look into trees.
 *
 * - Every change goes through `write`: all of a batch happens, or nothing.
 * - There is one writer. `lead` makes the caller the one; a batch of an earlier one fails as `fenced`, so a frozen tab that
 *   thaws can write nothing.
 * - A commit is there with everything that it leads to, or it is not there: its objects come before it or with it.
 * - Objects that come before it are noted as early until a commit needs them. So what a commit that never came has left is known.
 * - A failed `write` is a value; everything else has an answer or rejects with a `StorageError`. Null means "there is no such
 *   thing", never "could not look".
 */
export interface HistoryStore {
  lead(): Promise<number>;
  /** The newest commit; null before the first one. */
  head(): Promise<CommitRecord | null>;
  /** An object as it is stored. */
  object(oid: Oid): Promise<Uint8Array | null>;
  /** The names of all objects, also of those that no commit needs. */
  oids(): Promise<Oid[]>;
  commit(id: Oid): Promise<CommitRecord | null>;
  /** Up to `count` commits before this number, newest first. A number far beyond the newest one gives none; `Infinity` gives the newest. */
  commits(before: number, count: number): Promise<CommitRecord[]>;
  /** What the commits with these numbers changed, in the order of the numbers. */
  changes(from: number, to: number): Promise<CommitChanges[]>;
  /** Every file of the newest commit. */
  files(): Promise<KnownFile[]>;
  /** The same for these paths, in their order; null for one that is not in it. */
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
  /** It came with an import, and the user has not let the authority lines count that stand in it. git knows nothing of it. */
  readonly unaccepted?: true;
}

export interface CommitChanges {
  readonly number: number;
  /** Sorted by path. */
  readonly files: readonly FileChange[];
}

/** null: there was, or is, no such file. */
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

/**
 * Equal states of one path are equal bytes. A version alone would do, but the versions of a project that was lost and begun
 * again start over.
 */
export interface FileState {
  readonly version: number;
  readonly mtime: number;
  readonly size: number;
}

/** Who changed which files, kept until it is in a commit: after a crash no one else knows. */
export interface Note {
  /** Notes of one group go together. */
  readonly group: number;
  /** The `actorKey` of who it was. */
  readonly by: string;
  /** Milliseconds since 1970; undefined: it was not noted. */
  readonly time?: number | undefined;
  /** The version that a file has now; null: it was removed. */
  readonly files: readonly (readonly [path: Path, version: number | null])[];
  /** What the commit of the group says, where that is more than what it changes: an import, an undo. */
  readonly words?: Pick<CommitRecord, "summary" | "trailers"> | undefined;
}

export interface Batch {
  readonly objects?: readonly StoredObject[];
  /** Contents that come before their commit: those that are not there yet are stored, and noted as early. */
  readonly early?: readonly StoredObject[];
  /** Early objects that go. Those that are not noted as early stay. */
  readonly dropEarly?: readonly Oid[];
  /** `parent`: the newest commit must be this one. The record's number is the next one. */
  readonly commit?: { readonly parent: Oid | null; readonly record: CommitRecord; readonly files: readonly FileChange[] };
  /** null: it is in the newest commit no more. */
  readonly files?: readonly (readonly [path: Path, file: KnownFile | null])[];
  readonly note?: Note;
  /** Groups whose notes go. */
  readonly dropNotes?: readonly number[];
}

export type WriteResult = { readonly ok: true } | { readonly ok: false; readonly failure: WriteFailure };

/** Nothing was written. */
export type WriteFailure =
  /** Another one is the writer now. */
  | { readonly kind: "fenced" }
  /** The newest commit is another one than `parent`. */
  | { readonly kind: "moved"; readonly head: Oid | null }
  | { readonly kind: "full" | "broken"; readonly message: string };
