import type { Actor } from "../fs/actor.ts";

export interface HistoryCommit {
  /** The commit's hash in git: 40 hexadecimal digits. */
  readonly id: string;
  /** In ISO 8601. */
  readonly time: string;
  readonly by: Actor;
  /** One line that says what was changed. */
  readonly summary: string;
  readonly filesChanged: number;
  /** The commit that undid this one, and in how many files. Undoing that commit does the change again. Null if this commit is in effect. */
  readonly undone: { readonly by: string; readonly files: number } | null;
}

export interface HistoryAnswer {
  readonly commits: readonly HistoryCommit[];
  /** Whether there are older commits. */
  readonly more: boolean;
}

export interface HistoryCommitAnswer extends HistoryCommit {
  readonly changes: readonly { readonly path: string; readonly change: "added" | "changed" | "removed" }[];
}

/** The paths of all files of the deed and the docs right after the commit, sorted. */
export interface HistoryFilesAnswer {
  readonly files: readonly string[];
}

/** The texts before and after. Null if there was no such file. `binary`: the file is not text, so both are null. */
export interface HistoryDiffAnswer {
  readonly before: string | null;
  readonly after: string | null;
  readonly binary: boolean;
}

export interface RestoreAnswer {
  readonly ok: true;
  /** Files whose content changed. */
  readonly changed: readonly string[];
  /** Files that were left alone because the same places were changed since. */
  readonly kept: readonly string[];
  /** Files that were left alone because their content in the history is damaged. */
  readonly damaged: readonly string[];
  /** The history commit of this change, which can be undone itself. Null if nothing changed, or the commit doesn't exist yet. */
  readonly commit: string | null;
}

/** Doesn't count uncommitted changes of turns that are still running. */
export interface RestorePreview {
  /** How many files would change. */
  readonly files: number;
  /** The first of them, sorted. */
  readonly paths: readonly string[];
}
