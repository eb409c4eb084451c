import { after, sizeOf } from "./copy/pieces.ts";
import type { CopySource, Sentinel, Tail } from "./copy/source.ts";
import { chainEnd, lookAtAll, piecesOf, readCounters, type Tx } from "./idb-layout.ts";
import { type Counters, isCounter } from "./plan.ts";
import type { FileRecord } from "./file-record.ts";
import { newOpening, type Revision, revisionStatus, sumOf, withOpening, withoutContents, withSettled } from "./revision.ts";
import { StorageError } from "./storage-error.ts";

/** Does the work in one transaction, or rejects with a `StorageError`. */
interface Transactions {
  readonly reading: <Value>(work: (tx: Tx<"readonly">) => Promise<Value>) => Promise<Value>;
  readonly writing: <Value>(work: (tx: Tx<"readwrite">) => Promise<Value>) => Promise<Value>;
}

/** The number of pieces read at a time when a file is read from its end. */
const stride = 16;

/** The files as the backup sees them. Reading a tail costs only the tail's size, however long the file is. */
export function idbCopySource({ reading, writing }: Transactions): Omit<CopySource, "watch"> {
  return {
    sentinel: () => reading(async (tx) => toSentinel(await tx.objectStore("meta").get("copy"))),
    setSentinel: (sentinel) => writing(async (tx) => void (await tx.objectStore("meta").put(sentinel, "copy"))),
    look: (paths) =>
      reading(async (tx) => {
        if (!paths) {
          const { counters, files, damage } = await lookAtAll(tx);
          return { revision: revisionOf(counters), files, damage };
        }
        const names = tx.objectStore("names");
        const counters = await readCounters(tx.objectStore("meta").get("counters"));
        const files = await Promise.all(paths.map((path) => names.get(path)));
        return { revision: revisionOf(counters), files: files.filter((file) => file !== undefined), damage: null };
      }),
    revisionStatus: (of) => reading(async (tx) => revisionStatus(of, (await lookAtAll(tx)).state)),
    settle: (revisions, { pending } = { pending: false }) =>
      writing(async (tx) => {
        const { counters, files: found, state } = await lookAtAll(tx);
        const meta = tx.objectStore("meta");
        const id = newOpening();
        // If a part of the list of files was lost, the counters may be lower than the numbers of the remaining files, and there may be pieces of
        // unknown files.
        const lastPiece = await tx.objectStore("pieces").openKeyCursor(null, "prev");
        const version = found.reduce((most, file) => Math.max(most, file.version), counters.version);
        const lastId = found.reduce((most, file) => Math.max(most, file.id), Math.max(counters.ids, lastPiece?.key[0] ?? 0));
        const { files, ids } = await withOwnBytes(tx, found, lastId);
        const isBare = lastPiece === null && files.some(({ size }) => size > 0);
        const openings = withOpening(
          withSettled(state.openings, isBare && !pending ? [...revisions, withoutContents] : revisions, pending),
          { ...state, version },
          id,
        );
        await meta.put(openings, "openings");
        await meta.put({ ...counters, version, ids, chain: { opening: id, version, ...sumOf(files) } } satisfies Counters, "counters");
      }),
    tail: (path, known) =>
      reading(async (tx) => {
        const record = await tx.objectStore("names").get(path);
        if (!record) return null;
        const from = known?.id === record.id ? known.from : 0;
        return { record, from, ...(await bytesFrom(tx, record, from, from === 0 || known?.count === "all")) };
      }),
  };
}

/**
 * Gives each file its own bytes. If two records have the same id, the newest keeps the bytes, because the older record is from before a rename. The
 * older one gets its own bytes under a new id if they can be read. Otherwise it is removed.
 */
async function withOwnBytes(
  tx: Tx<"readwrite">,
  found: readonly FileRecord[],
  lastId: number,
): Promise<{ files: FileRecord[]; ids: number }> {
  const [names, pieces] = [tx.objectStore("names"), tx.objectStore("pieces")];
  const newest = new Map<number, FileRecord>();
  for (const record of found) if (record.version >= (newest.get(record.id)?.version ?? 0)) newest.set(record.id, record);
  const files = [...newest.values()];
  let ids = lastId;
  for (const record of found) {
    if (newest.get(record.id) === record) continue;
    const bytes = await pieces.getAll(piecesOf(record.id));
    if (sizeOf(bytes) !== record.size) {
      await names.delete(record.path);
      continue;
    }
    ids += 1;
    for (const [n, piece] of bytes.entries()) await pieces.put(piece, [ids, n]);
    const own: FileRecord = { ...record, id: ids, next: bytes.length, foldedTo: bytes.length, open: [] };
    await names.put(own);
    files.push(own);
  }
  return { files, ids };
}

function revisionOf(counters: Counters): Revision {
  return { opening: chainEnd(counters)?.opening ?? null, version: counters.version };
}

/**
 * The bytes of a file from `from` on. Positions are counted from the end, so a lost or extra piece would shift all of them. With `isCounted`, the
 * pieces before `from` are counted too.
 */
async function bytesFrom(
  tx: Tx<"readonly">,
  record: FileRecord,
  from: number,
  isCounted: boolean,
): Promise<Pick<Tail, "pieces" | "stable">> {
  const store = tx.objectStore("pieces");
  const keys = await store.getAllKeys(piecesOf(record.id));
  const firstOpen = Math.min(...record.open.map(({ n }) => n));
  let pieces: Uint8Array[] = [];
  // Where the first piece that was read begins, and the first piece in `pieces`.
  let [at, first] = [record.size, record.size];
  let stable = record.size;
  const last = isCounted ? Number.NEGATIVE_INFINITY : from;
  let end = keys.length;
  while (end > 0 && at > last) {
    const start = Math.max(0, end - stride);
    const [low, high] = [keys[start], keys[end - 1]];
    if (!low || !high) break;
    const isWanted = at > from;
    const found = await store.getAll(IDBKeyRange.bound(low, high));
    for (let nth = found.length - 1; nth >= 0; nth--) {
      at -= found[nth]?.length ?? 0;
      if ((keys[start + nth]?.[1] ?? 0) >= firstOpen) stable = at;
    }
    if (isWanted) [pieces, first] = [[...found, ...pieces], at];
    end = start;
  }
  if (from > record.size || at < 0 || (end === 0 && at > 0))
    throw new StorageError("damaged", `${record.path} does not have the ${record.size} bytes that it should`);
  return { pieces: after(pieces, from - first), stable };
}

export function toSentinel(value: unknown): Sentinel | null {
  if (typeof value !== "object" || value === null || !("project" in value) || !("generation" in value)) return null;
  const { project, generation } = value;
  return typeof project === "string" && isCounter(generation) ? { project, generation } : null;
}
