import { deleteDB } from "idb";
import { foldBytes } from "../fold.ts";
import { type Db, openLayout, transact } from "../idb-layout.ts";
import { toStorageError } from "../idb-transact.ts";
import type { Counters } from "../plan.ts";
import type { FileRecord } from "../file-record.ts";
import { newOpening, type Openings, type Revision, sumOf } from "../revision.ts";
import type { CopiedFile } from "./contents.ts";
import type { FoundCopy } from "./found.ts";
import type { Sentinel } from "./source.ts";

export interface RestoreOptions {
  /** The name of the database. Its contents are discarded. */
  readonly name: string;
  readonly copy: FoundCopy;
  /** Revisions found elsewhere that the user discards in favor of this backup's. */
  readonly settled: readonly Revision[];
  /** A file's bytes in pieces of `most` bytes, each in its own buffer. The last piece may be shorter. */
  readonly pieces: (file: CopiedFile, most: number) => Iterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void;
  /** Called if another tab has the old database open. The restore waits until that tab gives way. */
  readonly onBlocked: () => void;
}

/** Bytes that are written in one transaction. */
const batchBytes = 4_000_000;

/** The most commits that may have been made after the last one in the backup. Their numbers must not be used again: someone may still hold one. */
const lostCommits = 1_000_000;

/**
 * Recreates the database from a backup. All files appear at once, at the end. Until then it is empty, whatever happens. Rejects with a
 * `StorageError`, or with the signal's reason.
 */
export async function restoreCopy({ name, copy, settled, pieces, signal, onProgress, onBlocked }: RestoreOptions): Promise<void> {
  await deleteProject(name, onBlocked);
  signal.throwIfAborted();
  const { db } = await openLayout(name, { onGone: () => undefined });
  try {
    const records: FileRecord[] = [];
    let written = 0;
    let batch: [id: number, n: number, bytes: Uint8Array][] = [];
    let size = 0;
    const flush = async () => {
      const full = batch;
      batch = [];
      await write(db, full);
      written += size;
      size = 0;
      onProgress(copy.bytes === 0 ? 1 : written / copy.bytes);
      signal.throwIfAborted();
    };
    for (const file of copy.files) {
      let n = 0;
      // A view of a larger buffer would be stored with that whole buffer.
      for (const piece of pieces(file, foldBytes)) {
        batch.push([file.id, n++, piece]);
        size += piece.length;
        if (size >= batchBytes) await flush();
      }
      const { id, path, mtime, version } = file;
      records.push({ id, path, mtime, version, size: file.size, next: n, foldedTo: n, open: [] });
    }
    await flush();
    await makeVisible(db, copy, records, settled);
  } catch (error) {
    throw toStorageError(error, name);
  } finally {
    db.close();
  }
}

/**
 * Milliseconds without an answer after which someone else must have it open. A frozen tab gives no answer, and then the browser does not report that
 * it waits.
 */
const silentMs = 2_000;

/** Removes the database. Waits for those who have it open, and calls `onBlocked` once if that takes long. */
export async function deleteProject(name: string, onBlocked: () => void): Promise<void> {
  let told = false;
  const tell = (): void => {
    if (!told) onBlocked();
    told = true;
  };
  const timer = setTimeout(tell, silentMs);
  try {
    await deleteDB(name, { blocked: tell });
  } catch (error) {
    throw toStorageError(error, name);
  } finally {
    clearTimeout(timer);
  }
}

function write(db: Db, pieces: readonly [id: number, n: number, bytes: Uint8Array][]): Promise<void> {
  return transact(db, "readwrite", "relaxed", async (tx, later) => {
    const store = tx.objectStore("pieces");
    for (const [id, n, bytes] of pieces) later(store.put(bytes, [id, n]));
  });
}

function makeVisible(
  db: Db,
  { project, generation, revision }: FoundCopy,
  records: readonly FileRecord[],
  settled: readonly Revision[],
): Promise<void> {
  return transact(db, "readwrite", "strict", async (tx, later) => {
    const [meta, names] = [tx.objectStore("meta"), tx.objectStore("names")];
    for (const record of records) later(names.put(record));
    const ids = records.reduce((most, { id }) => Math.max(most, id), 0);
    const version = revision.version + lostCommits;
    const before = revision.opening === null ? [] : [{ id: revision.opening, after: 0, to: revision.version }];
    const opening = newOpening();
    const list = [...before, { id: opening, after: revision.version, to: null }];
    later(meta.put({ list, settled } satisfies Openings, "openings"));
    const chain = { opening, version, ...sumOf(records) };
    later(meta.put({ version, epoch: 0, ids: ids + lostCommits, chain } satisfies Counters, "counters"));
    later(meta.put({ project, generation } satisfies Sentinel, "copy"));
  });
}
