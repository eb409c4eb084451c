/** A generation of the backup. */
export interface CopyFound {
  readonly generation: number;
  /** Milliseconds since 1970. Contains everything that was stored by then. */
  readonly at: number;
  readonly docs: number;
  readonly dialogs: number;
  /** Files of the deed. */
  readonly files: number;
  readonly bytes: number;
  /** Its end can't be read: a crash cut it, or the disk has lost it. */
  readonly torn: boolean;
}

export interface CopyAnswer {
  /** Null if nothing is written yet. */
  readonly kept: Pick<CopyFound, "at" | "bytes"> | null;
  /** Why the backup can't be written now. Null if it can. */
  readonly trouble: string | null;
  /** Paths of files of which the browser's storage has lost bytes. The backup may have an earlier state of them. */
  readonly damaged: readonly string[];
  /** Backups of a project that was here before this one, or (`own`) of this project with files that it no longer has. They are deleted in time. */
  readonly earlier: readonly (CopyFound & { readonly own: boolean })[];
}

export interface RecoveryAnswer {
  /**
   * - `empty`: the storage is empty, but the backup is not.
   * - `unreadable`: the storage does not open, or contradicts itself.
   * - `gone`: the storage was removed while it was open.
   * - `behind`: it opens, but in an earlier state than was last stored.
   * - `other`: it opens, but with another history than the backup.
   * - `partial`: it opens, but has lost some files or changed some by itself.
   */
  readonly why: "empty" | "unreadable" | "gone" | "behind" | "other" | "partial";
  /** The browser's message. Can be empty. */
  readonly message: string;
  /** Newest first. */
  readonly copies: readonly CopyFound[];
  /** Whether something was stored in it, as far as that is known. */
  readonly written: boolean;
  /** Another tab has backups open. They can't be read until it closes them. */
  readonly held: boolean;
  /** Why the backups can't be read. Null if they can. */
  readonly trouble: string | null;
  /** The content of the storage. Null if it does not open or has no files. */
  readonly opened: OpenedFound | null;
  /** What is recorded about the last backup. Null if nothing is. */
  readonly remembered: Pick<CopyFound, "at" | "docs" | "dialogs" | "files" | "bytes"> | null;
}

export interface OpenedFound extends Pick<CopyFound, "docs" | "dialogs" | "files" | "bytes"> {
  /** Milliseconds since 1970 of the last change. */
  readonly at: number;
  /** How it differs from the newest backup. Null if there is none. */
  readonly differences: FoundDifferences | null;
}

/** Paths and their number, for each kind. Only the first paths are listed. */
export interface FoundDifferences {
  readonly onlyOpened: PathsFound;
  readonly onlyCopied: PathsFound;
  readonly differing: PathsFound;
}

export interface PathsFound {
  readonly count: number;
  readonly first: readonly string[];
}

/** The last frame is a `done` or an `error`. `part`: from 0 to 1. */
export type RecoveryFrame =
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "waiting"; readonly message: string }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly error: string };
