/** A generation of the second copy. */
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
  /** Of a project that was here before this one; it goes in time. */
  readonly earlier: readonly CopyFound[];
}

export interface RecoveryAnswer {
  /** `empty`: the storage is empty, and the copy is not. `unreadable`: it does not open, or contradicts itself. `gone`: it was taken away while it was open. */
  readonly why: "empty" | "unreadable" | "gone";
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
}

/** A `done` or an `error` is the last one. `part`: from 0 to 1. */
export type RecoveryFrame =
  | { readonly type: "progress"; readonly part: number }
  | { readonly type: "waiting"; readonly message: string }
  | { readonly type: "done" }
  | { readonly type: "error"; readonly error: string };
