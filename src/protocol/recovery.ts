/** A generation of the backup. */
export interface CopyFound {
  readonly generation: number;
  /** Milliseconds since 1970: all that was stored by then is in it. */
  readonly at: number;
  readonly docs: number;
  readonly dialogs: number;
  /** Of the deed. */
  readonly files: number;
  readonly bytes: number;
  /** Its end can't be read: a crash tore it, or the disk has lost it. */
  readonly torn: boolean;
}

export interface CopyAnswer {
  /** Null: nothing is written yet. */
  readonly kept: Pick<CopyFound, "at" | "bytes"> | null;
  /** Why it can't be written now. */
  readonly trouble: string | null;
  /** Paths of files that the browser's storage has lost bytes of; the copy may hold an earlier state of them. */
  readonly damaged: readonly string[];
  /** Of a project that was here before this one, or of this one when it had files that it has no more (`own`); they go in time. */
  readonly earlier: readonly (CopyFound & { readonly own: boolean })[];
}

export interface RecoveryAnswer {
  /**
   * - `empty`: the storage is empty, and the copy is not.
   * - `unreadable`: it does not open, or contradicts itself.
   * - `gone`: it was taken away while it was open.
   * - `behind`: it opens, in an earlier state than was last stored.
   * - `other`: it opens, and has another history than the copy.
   * - `partial`: it opens, and has lost a part of its files or changed some by itself.
   */
  readonly why: "empty" | "unreadable" | "gone" | "behind" | "other" | "partial";
  /** What the browser said; may be empty. */
  readonly message: string;
  /** The newest first. */
  readonly copies: readonly CopyFound[];
  /** Something was stored in it, as far as that is known. */
  readonly written: boolean;
  /** Another tab has copies open, which can't be read before it lets go of them. */
  readonly held: boolean;
  /** Why the copies can't be looked at; null when they can. */
  readonly trouble: string | null;
  /** What the storage holds; null where it does not open or has no files. */
  readonly opened: OpenedFound | null;
  /** What was remembered of the last copy; null: nothing. */
  readonly remembered: Pick<CopyFound, "at" | "docs" | "dialogs" | "files" | "bytes"> | null;
}

export interface OpenedFound extends Pick<CopyFound, "docs" | "dialogs" | "files" | "bytes"> {
  /** Milliseconds since 1970 of the last change. */
  readonly at: number;
  /** How it differs from the newest copy; null: there is none. */
  readonly differences: FoundDifferences | null;
}

/** Paths, and how many there are of each kind: only the first ones are listed. */
export interface FoundDifferences {
  readonly onlyOpened: PathsFound;
  readonly onlyCopied: PathsFound;
  readonly differing: PathsFound;
}

export interface PathsFound {
  readonly count: number;
  readonly first: readonly string[];
}

/** A `done` or an `error` is the last one. `part`: from 0 to 1. */
export type RecoveryFrame =
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "waiting"; readonly message: string }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly error: string };
