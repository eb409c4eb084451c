import { entriesOf, type IndexEdit } from "./commit-index.ts";
import type { CommitIndex, IndexRange } from "./files.ts";
import type { Db, Tx } from "./idb-layout.ts";
import { StorageError } from "./storage-error.ts";

/** Whether commits can store an index in the database. A database that has lost the store is still whole: its index entries are dropped. */
export function hasIndex(db: Db): boolean {
  return db.objectStoreNames.contains("index");
}

/** `tx` must include the index. */
export async function readIndex(tx: Tx<"readonly">, { after, limit }: IndexRange): Promise<CommitIndex> {
  const store = tx.objectStore("index");
  const range = after === undefined ? null : IDBKeyRange.lowerBound(after, true);
  // IndexedDB treats a limit of 0 as no limit.
  const isNone = limit !== undefined && limit <= 0;
  const [id, versions, values] = await Promise.all([
    tx.objectStore("meta").get("index"),
    isNone ? [] : store.getAllKeys(range, limit),
    isNone ? [] : store.getAll(range, limit),
  ]);
  if (typeof id !== "string") throw new StorageError("damaged", "the index has lost its id");
  const entries = versions.map((version, nth) => {
    const bytes = values[nth];
    if (!(bytes instanceof Uint8Array)) throw new StorageError("damaged", `the entry ${version} of the index can't be read`);
    return { version, bytes };
  });
  return { id, entries };
}

/** `tx` must include the index. */
export function writeIndex(tx: Tx<"readwrite">, later: (request: Promise<unknown>) => void, version: number, edit: IndexEdit): void {
  const store = tx.objectStore("index");
  if (edit.id !== null) {
    later(store.clear());
    later(tx.objectStore("meta").put(edit.id, "index"));
  }
  for (const { version: key, bytes } of entriesOf(version, edit)) later(store.put(bytes, key));
}
