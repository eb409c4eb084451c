/** Calls for the project's history. */
import type { HistoryAnswer, HistoryCommitAnswer, HistoryDiffAnswer, RestoreAnswer, RestorePreview } from "../../../protocol/index.ts";
import { ask, body, encodePath, json } from "./calls.ts";

export interface HistoryQuestion {
  /** Only commits that changed this file. */
  readonly path?: string | undefined;
  /** Only changes by this dialog's agent. */
  readonly dialog?: string;
  /** Only changes by the user, or by Vibey itself. */
  readonly by?: "human" | "vibey";
  /** Only commits at or after this time, in ISO 8601. */
  readonly since?: string;
  /** Only commits older than this one. */
  readonly before?: string | undefined;
  readonly limit?: number;
}

export function readHistory({ path, dialog, by, since, before, limit }: HistoryQuestion = {}) {
  const query = new URLSearchParams();
  if (dialog !== undefined) query.set("dialog", dialog);
  if (by !== undefined) query.set("by", by);
  if (path !== undefined) query.set("path", path);
  if (since !== undefined) query.set("since", since);
  if (before !== undefined) query.set("before", before);
  if (limit !== undefined) query.set("limit", String(limit));
  return json<HistoryAnswer>(query.size === 0 ? "history" : `history?${query}`);
}

export const readCommit = (id: string) => json<HistoryCommitAnswer>(`history/${encodeURIComponent(id)}`);
/** The text of the file in this commit. */
export const readAtCommit = (id: string, path: string) =>
  ask(`history/${encodeURIComponent(id)}/file/${encodePath(path)}`, (response) => response.text());
export const readDiff = (id: string, path: string) => json<HistoryDiffAnswer>(`history/${encodeURIComponent(id)}/diff/${encodePath(path)}`);

export interface Target {
  readonly id: string;
  /** Only this file. */
  readonly path?: string;
}
/** Restores the file, or everything, as of the commit. */
export const restore = (target: Target) => json<RestoreAnswer>("history/restore", body("POST", target));
/** What restoring everything would change now. */
export const previewRestore = (id: string) => json<RestorePreview>(`history/${encodeURIComponent(id)}/restore`);
/** Undoes the changes of the commit. */
export const undo = (target: Target) => json<RestoreAnswer>("history/undo", body("POST", target));
