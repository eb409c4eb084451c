import { human } from "../../../fs/actor.ts";
import type { Change, Files } from "../../../fs/files.ts";
import { type ReadHistory, readHistoryFiles, storeHistory } from "../../../fs/history/import-files.ts";
import type { HistoryStore } from "../../../fs/history/store.ts";
import { inflateEntry } from "../../../fs/zip/inflate.ts";
import { limits } from "../../../protocol/limits.ts";
import { isTracked } from "../history/tracked.ts";
import type { Archive } from "./archive.ts";
import { type Arrival, storedBytes } from "./arrival.ts";

/** A project that no one has opened yet: separate storage for files and their history. */
export interface NewProject {
  readonly id: string;
  readonly files: Pick<Files, "commit">;
  readonly history: HistoryStore;
  /** Marks the project as complete: everything is on disk. */
  close(): Promise<void>;
  /** Removes the project and everything in it. */
  discard(): Promise<void>;
}

export type FilledProject = { readonly ok: true; readonly added: number } | { readonly ok: false; readonly message: string };

/** How many bytes are committed in one transaction. No one sees the project until it is complete. */
const batchBytes = 4_000_000;

/** Fills a new project. If it fails or is stopped, the project must be discarded. */
export async function fillProject(
  project: NewProject,
  arrivals: AsyncIterable<Arrival>,
  history: ReadHistory | null,
  { accept, signal }: { readonly accept: boolean; readonly signal: AbortSignal },
): Promise<FilledProject> {
  if (history) {
    const stored = await storeHistory(project.history, history, { unaccepted: !accept, signal });
    if (!stored.ok) return { ok: false, message: storageMessage(stored.failure.kind) };
  }
  let batch: Change[] = [];
  let size = 0;
  let added = 0;
  const commit = async () => {
    const done = await project.files.commit(batch, { durability: "strict", by: human });
    batch = [];
    size = 0;
    return done;
  };
  for await (const arrival of arrivals) {
    signal.throwIfAborted();
    const { path, mtime } = arrival;
    const bytes = accept ? arrival.bytes : storedBytes(arrival);
    batch.push({ op: "write", path, data: bytes, mtime });
    size += bytes.length;
    added += 1;
    if (size < batchBytes) continue;
    const done = await commit();
    if (!done.ok) return { ok: false, message: storageMessage(done.failure.kind) };
  }
  const rest = await commit();
  return rest.ok ? { ok: true, added } : { ok: false, message: storageMessage(rest.failure.kind) };
}

export function storageMessage(kind: string): string {
  return kind === "full"
    ? "The browser's storage is full. Nothing was imported."
    : `The browser couldn't save the project (${kind}). Nothing was imported.`;
}

export type ArchiveHistory =
  | { readonly kind: "none" }
  | { readonly kind: "read"; readonly history: ReadHistory }
  /** Why it can't be imported: the rest of a sentence that begins with the history. */
  | { readonly kind: "left-out"; readonly why: string };

/** Vibey's own history in an archive whose contents have been checked. */
export async function archiveHistory({ history }: Archive, signal: AbortSignal): Promise<ArchiveHistory> {
  if (!history) return { kind: "none" };
  const files = new Map<string, Uint8Array>();
  for (const [name, item] of history) {
    const inflated = await inflateEntry(item, signal);
    if (inflated.ok) files.set(name, inflated.bytes);
  }
  const packed = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  const most = Math.min(limits.importBytes, Math.max(limits.importHarmlessBytes, packed * limits.importRatio));
  const reading = await readHistoryFiles(files, { most, isFollowed: isTracked, signal });
  return reading.ok ? { kind: "read", history: reading.history } : { kind: "left-out", why: reading.why };
}
