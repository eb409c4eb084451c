/** The page's side of the project's history. */
import type { HistoryAnswer, HistoryCommitAnswer, HistoryDiffAnswer, RestoreAnswer, RestorePreview } from "../../../protocol/index.ts";
import { ask, body, encodePath, json } from "./calls.ts";

export interface HistoryQuestion {
  /** Only commits that changed this file. */
  readonly path?: string | undefined;
  /** Only what this dialog's agent changed. */
  readonly dialog?: string;
  /** Only what they changed themselves. */
  readonly by?: "human" | "vibey";
  /** Only commits that are not older than this time, in ISO 8601. */
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
/** The file as text, as the commit left it. */
export const readAtCommit = (id: string, path: string) =>
  ask(`history/${encodeURIComponent(id)}/file/${encodePath(path)}`, (response) => response.text());
export const readDiff = (id: string, path: string) => json<HistoryDiffAnswer>(`history/${encodeURIComponent(id)}/diff/${encodePath(path)}`);

export interface Target {
  readonly id: string;
  /** Only this file. */
  readonly path?: string;
}
/** The file, or everything, as the commit left it. */
export const restore = (target: Target) => json<RestoreAnswer>("history/restore", body("POST", target));
/** What a restore of everything would change now. */
export const previewRestore = (id: string) => json<RestorePreview>(`history/${encodeURIComponent(id)}/restore`);
/** What the commit changed reads again as before it. */
export const undo = (target: Target) => json<RestoreAnswer>("history/undo", body("POST", target));
