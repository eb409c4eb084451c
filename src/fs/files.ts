import type { Actor } from "./actor.ts";
import type { Path } from "./path.ts";

/**
 * The files of one project: any path, any bytes.
 *
 * - Every change goes through `commit`: either all of its changes happen, or none.
 * - Two commits never interleave. After a commit returned `ok`, every later `read` sees its changes.
 * - A commit with `durability: "strict"` returns after the data is on disk, as far as the platform can tell.
 * - A commit's failure is a value with a `kind`. Only a programmer's mistake throws. The other calls return a value or reject with a `StorageError`
 *   (storage-error.ts): null means "there is no such file", never "could not look".
 * - A file is never half there: during a rename, there is never a moment with two names or with none.
 */
export interface Files {
  stat(path: Path): Promise<FileStat | null>;
  /** The whole content, which the caller owns, and its version. Null if there is no such file. */
  read(path: Path): Promise<FileContent | null>;
  /** The same for each of these paths, in order, all at the same moment. For many small files this is far cheaper than single reads. */
  readMany(paths: readonly Path[]): Promise<(FileContent | null)[]>;
  /** Every file whose path starts with `prefix` (default: all), sorted by path in code-unit order. */
  list(prefix?: string): Promise<FileStat[]>;
  /** Whether nothing was ever stored here. Deleting all files does not make a project new. */
  isNew(): Promise<boolean>;
  commit(changes: readonly Change[], options: CommitOptions): Promise<CommitResult>;
  /**
   * What commits have stored in the index, at one moment. Rejects if it can't be read. The files don't depend on it, and `restartIndex` starts it
   * over.
   */
  readIndex(options?: IndexRange): Promise<CommitIndex>;
  /**
   * Replaces the whole index with a new one that has a new id and these entries, in this order. This is one commit without changes: it is fenced like
   * any other, has one number, and happens completely or not at all. The last entry's version is the commit's number. The earlier entries get
   * fractions between the previous commit's number and this one, so each version is unique.
   */
  restartIndex(entries: readonly Uint8Array[], options?: Pick<CommitOptions, "epoch">): Promise<CommitResult>;
  /**
   * Calls `listener` after each commit that has events, by this or another handle of the same project, in commit order. Returns a function that stops
   * it.
   */
  watch(listener: (events: readonly FileEvent[]) => void): () => void;
  /**
   * Makes the caller the only writer. Returns a new epoch, greater than every earlier one. From then on, a commit with an older epoch fails as
   * `fenced`, so a frozen tab that wakes up can't write.
   */
  lead(): Promise<number>;
  close(): void;
}

export interface FileStat {
  readonly path: Path;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970 of the last commit that changed the content. A rename keeps it. */
  readonly mtime: number;
  /** The number of the last commit that touched the file. Numbers grow with every commit of the project and are never reused. */
  readonly version: number;
}

export interface FileContent extends FileStat {
  readonly bytes: Uint8Array;
}

/** A text is stored as UTF-8. A lone surrogate in it is a programmer's mistake and throws. */
export type Data = string | Uint8Array;

/**
 * One change.
 *
 * - `append` costs the same at 1 KB and at 25 MB. With `open` it starts a piece that later changes can replace in place by that label (`patch`) until
 *   it is closed. Labels are unique among the open pieces of a file. The length of an open piece can change without affecting the pieces after it.
 * - `write` replaces everything, including open pieces. A list is written as pieces in that order. For a file that comes from elsewhere, `mtime` sets
 *   its time, but never later than the commit's.
 * - `fold` joins closed pieces. It changes no byte, no version and no mtime.
 */
export type Change =
  | { readonly op: "write"; readonly path: Path; readonly data: Data | readonly Piece[]; readonly mtime?: number }
  | { readonly op: "append"; readonly path: Path; readonly data: Data; readonly open?: string }
  | { readonly op: "patch"; readonly path: Path; readonly label: string; readonly data: Data; readonly close?: boolean }
  | { readonly op: "rename"; readonly from: Path; readonly to: Path }
  | { readonly op: "remove"; readonly path: Path }
  | { readonly op: "fold"; readonly path: Path };

export interface Piece {
  readonly data: Data;
  readonly open?: string;
}

export interface CommitOptions {
  /** `strict` for what is confirmed to a human (a prompt, a decision, a claim, a result, a save), `relaxed` for streamed text. */
  readonly durability: "strict" | "relaxed";
  /** Compare and swap, checked before any change: the version each file must have now, or `null` for "must not exist". */
  readonly expect?: readonly { readonly path: Path; readonly version: number | null }[];
  /** The epoch that `lead` gave to this writer. */
  readonly epoch?: number;
  /** Who makes the changes, for the watchers. Missing: Vibey. */
  readonly by?: Actor;
  /**
   * An entry of the index, stored in the commit's own transaction under its number. Its content is up to the caller. A commit with only an entry
   * still counts: it takes a number, and the project is no longer new.
   */
  readonly index?: Uint8Array;
}

/**
 * The `index` entries of all commits, in order. It is not part of the files: a backup does not have it, so a restored or imported project begins with
 * an empty index.
 */
export interface CommitIndex {
  /** Random. Changes only when the index is started over. A database that was rolled back has its earlier id and entries. */
  readonly id: string;
  readonly entries: readonly IndexEntry[];
}

export interface IndexEntry {
  /** The version of the commit that stored it. Can be a fraction (see `restartIndex`). Greater than that of every earlier entry. */
  readonly version: number;
  /** Owned by the caller. */
  readonly bytes: Uint8Array;
}

export interface IndexRange {
  /** Only entries with a greater version. */
  readonly after?: number;
  /** At most this many entries, from the first on. */
  readonly limit?: number;
}

export type CommitResult =
  | { readonly ok: true /** The commit's number, which is the version of every file that it touched and kept. */; readonly version: number }
  | { readonly ok: false; readonly failure: CommitFailure };

export type CommitFailure =
  /** `found` is the current version, or null if there is no such file. */
  | { readonly kind: "conflict"; readonly path: Path; readonly expected: number | null; readonly found: number | null }
  /** An append, patch, rename, remove or fold of a file that does not exist. */
  | { readonly kind: "missing"; readonly path: Path }
  /** A rename to a file that exists. */
  | { readonly kind: "exists"; readonly path: Path }
  /** A patch of a label that is not open, or an append that opens a label that is. */
  | { readonly kind: "piece"; readonly path: Path; readonly label: string }
  /** `epoch` is the current one. */
  | { readonly kind: "fenced"; readonly epoch: number }
  /** The storage is full. Nothing was changed. */
  | { readonly kind: "full"; readonly message: string }
  /** The storage refused for another reason. Nothing was changed. */
  | { readonly kind: "broken"; readonly message: string };

export type FileEvent =
  | { readonly kind: "changed"; readonly path: Path; readonly version: number; readonly by: Actor }
  | { readonly kind: "removed"; readonly path: Path; readonly by: Actor }
  | { readonly kind: "renamed"; readonly from: Path; readonly to: Path; readonly version: number; readonly by: Actor };
