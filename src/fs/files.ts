import type { Actor } from "./actor.ts";
import type { Path } from "./path.ts";

/**
 * The files of one project: any path, any bytes.
 *
 * - Every change goes through `commit`: all of its changes happen, or none.
 * - Two commits never interleave. What a commit answered `ok` for is what every later `read` sees.
 * - A commit with `durability: "strict"` answers after the data is on disk as far as the platform can tell.
 * - A commit's failure is a value with a `kind`. Only a programmer's mistake throws. The other calls have an answer or reject with a
 *   `StorageError` (storageError.ts): null means "there is no such file", never "could not look".
 * - A file is never half there: a rename has no moment with two names or with none.
 */
export interface Files {
  stat(path: Path): Promise<FileStat | null>;
  /** The whole content, which is the caller's own, and the version that it is of; null when there is no such file. */
  read(path: Path): Promise<FileContent | null>;
  /** The same for each of these paths, in their order, all as of one moment: of many small files far cheaper than one by one. */
  readMany(paths: readonly Path[]): Promise<(FileContent | null)[]>;
  /** Every file whose path starts with `prefix` (default: all), sorted by path in code-unit order. */
  list(prefix?: string): Promise<FileStat[]>;
  /** Whether nothing was ever stored here: a project whose files were all removed is none of those. */
  isNew(): Promise<boolean>;
  commit(changes: readonly Change[], options: CommitOptions): Promise<CommitResult>;
  /** What commits have stored of the index, as of one moment. Rejects where it can't be read; the files don't depend on it, and `restartIndex` begins it again. */
  readIndex(options?: IndexRange): Promise<CommitIndex>;
  /**
   * Drops the whole index and begins another with a new id, whose entries these are, in this order. It is one commit without changes: it is
   * fenced like any other, has one number, and all or nothing of it is done. Its last entry has that number as its version; those before it
   * have fractions between the last commit's number and it, so that each has one of its own.
   */
  restartIndex(entries: readonly Uint8Array[], options?: Pick<CommitOptions, "epoch">): Promise<CommitResult>;
  /** Calls `listener` after each commit that has events, of this or another handle of the same project, in commit order; returns the way to stop. */
  watch(listener: (events: readonly FileEvent[]) => void): () => void;
  /**
   * Makes the caller the one writer: returns a new epoch, greater than every earlier one. A commit that names an older
   * epoch fails as `fenced` from then on, so a frozen tab that thaws can write nothing.
   */
  lead(): Promise<number>;
  close(): void;
}

export interface FileStat {
  readonly path: Path;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970 of the last commit that changed the content. A rename keeps it. */
  readonly mtime: number;
  /** The number of the last commit that touched the file; it grows with every commit of the project and is never used again. */
  readonly version: number;
}

export interface FileContent extends FileStat {
  readonly bytes: Uint8Array;
}

/** A text is stored as UTF-8; a lone surrogate in it is a programmer's mistake and throws. */
export type Data = string | Uint8Array;

/**
 * One change. `append` costs the same at 1 KB and at 25 MB. An `append` with `open` starts a piece that later changes can
 * replace in place by that label (`patch`) until it is closed; labels are unique among the open pieces of a file. Pieces
 * after an open one do not care when its length changes. `write` replaces everything, open pieces included; given a list,
 * it writes them as pieces in that order; `mtime` is what it says that it is, or the commit's own time where that is earlier: for a file that
 * comes from elsewhere. `fold` joins closed pieces (it changes no byte, no version and no mtime).
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
  /** `strict` for what is acknowledged to a human (a prompt, a decision, a claim, a result, a save); `relaxed` for streamed text. */
  readonly durability: "strict" | "relaxed";
  /** Compare and swap, checked before any change: the version each file must have now, `null` for "must not exist". */
  readonly expect?: readonly { readonly path: Path; readonly version: number | null }[];
  /** The epoch that `lead` gave to this writer. */
  readonly epoch?: number;
  /** Who changes, for the watchers. Missing: Vibey. */
  readonly by?: Actor;
  /**
   * An entry of the index, stored in the commit's own transaction under its number; what it says is the caller's affair. A commit that has
   * nothing else is one all the same: it takes a number, and the project is new no more.
   */
  readonly index?: Uint8Array;
}

/**
 * What commits carried as `index`, in their order. It is no part of the files: a backup does not have it, so a project that is restored or
 * imported begins with an empty one.
 */
export interface CommitIndex {
  /** Random; stays until the index is begun again. A database that was rolled back has the id and the entries that it had then. */
  readonly id: string;
  readonly entries: readonly IndexEntry[];
}

export interface IndexEntry {
  /** Of the commit that stored it. It may be a fraction: see `restartIndex`. Greater than that of every entry before it. */
  readonly version: number;
  /** The caller's own. */
  readonly bytes: Uint8Array;
}

export interface IndexRange {
  /** Only entries whose version is greater. */
  readonly after?: number;
  /** The first so many of them. */
  readonly limit?: number;
}

export type CommitResult =
  | { readonly ok: true /** The commit's number, and the version of every file it touched and left in place. */; readonly version: number }
  | { readonly ok: false; readonly failure: CommitFailure };

export type CommitFailure =
  /** `found` is the version that is there, null when the file is not. */
  | { readonly kind: "conflict"; readonly path: Path; readonly expected: number | null; readonly found: number | null }
  /** An append, patch, rename, remove or fold of a file that is not there. */
  | { readonly kind: "missing"; readonly path: Path }
  /** A rename onto a file that is there. */
  | { readonly kind: "exists"; readonly path: Path }
  /** A patch of a label that is not open, or an append that opens a label that is. */
  | { readonly kind: "piece"; readonly path: Path; readonly label: string }
  /** `epoch` is the one that holds now. */
  | { readonly kind: "fenced"; readonly epoch: number }
  /** The storage is full; nothing was changed. */
  | { readonly kind: "full"; readonly message: string }
  /** The storage refused for another reason; nothing was changed. */
  | { readonly kind: "broken"; readonly message: string };

export type FileEvent =
  | { readonly kind: "changed"; readonly path: Path; readonly version: number; readonly by: Actor }
  | { readonly kind: "removed"; readonly path: Path; readonly by: Actor }
  | { readonly kind: "renamed"; readonly from: Path; readonly to: Path; readonly version: number; readonly by: Actor };
