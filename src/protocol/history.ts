import type { Actor } from "../fs/actor.ts";

export interface HistoryCommit {
  /** 40 hexadecimal digits: the commit's hash in git. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly by: Actor;
  /** One line that says what was changed. */
  readonly summary: string;
  readonly filesChanged: number;
  /** It was taken back, by this commit, in so many files; to take that one back is to do it again. null: it was not, or not for good. */
  readonly undone: { readonly by: string; readonly files: number } | null;
}

export interface HistoryAnswer {
  readonly commits: readonly HistoryCommit[];
  /** There are older ones. */
  readonly more: boolean;
}

export interface HistoryCommitAnswer extends HistoryCommit {
  readonly changes: readonly { readonly path: string; readonly change: "added" | "changed" | "removed" }[];
}

/** The paths of all files of the deed and the docs, as the commit left them; sorted. */
export interface HistoryFilesAnswer {
  readonly files: readonly string[];
}

/** Texts before and after; null: there was no such file; `binary`: it is no text, and both are null. */
export interface HistoryDiffAnswer {
  readonly before: string | null;
  readonly after: string | null;
  readonly binary: boolean;
}

export interface RestoreAnswer {
  readonly ok: true;
  /** Files that read otherwise now. */
  readonly changed: readonly string[];
  /** Files that were left as they are, because they were changed since in the same places. */
  readonly kept: readonly string[];
  /** Files that were left as they are, because what they should read like is damaged in the history. */
  readonly damaged: readonly string[];
  /** The commit of the history that this is, which can be undone itself; null: nothing was changed, or it is not there yet. */
  readonly commit: string | null;
}

/** What is not committed yet of turns that continue is not counted. */
export interface RestorePreview {
  /** How many files would read otherwise. */
  readonly files: number;
  /** The first of them, sorted. */
  readonly paths: readonly string[];
}
