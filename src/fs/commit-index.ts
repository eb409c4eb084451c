import { toBytes } from "./bytes.ts";
import type { CommitOptions, IndexEntry } from "./files.ts";

/** What a commit changes in the index. Made before a transaction is opened. */
export interface IndexEdit {
  /** The id of a new index that replaces the previous one. Null: the entries are added to the existing index. */
  readonly id: string | null;
  readonly entries: readonly Uint8Array[];
}

export function newIndexId(): string {
  return crypto.randomUUID();
}

export function oneEntry({ index }: CommitOptions): IndexEdit | null {
  return index ? { id: null, entries: [toBytes(index)] } : null;
}

export function begunAgain(entries: readonly Uint8Array[]): IndexEdit {
  return { id: newIndexId(), entries: entries.map(toBytes) };
}

/** The entries of one commit, with ascending versions after the previous commit's. The last entry has the commit's own version. */
export function entriesOf(version: number, { entries }: IndexEdit): IndexEntry[] {
  return entries.map((bytes, nth) => ({ version: version - 1 + (nth + 1) / entries.length, bytes }));
}
