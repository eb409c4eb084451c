import { joinBytes } from "./bytes.ts";
import { begunAgain, entriesOf, type IndexEdit, newIndexId, oneEntry } from "./commit-index.ts";
import type { CommitOptions, CommitResult, FileContent, Files, FileStat } from "./files.ts";
import { fold } from "./fold.ts";
import type { Path } from "./path.ts";
import { type Counters, type Plan, type Edit, pathsOf, plan, statOf, toEdit } from "./plan.ts";
import type { FileRecord } from "./file-record.ts";
import { StorageError } from "./storage-error.ts";
import { type Watchers, watchers } from "./watchers.ts";

/** The files of one project in memory, shared by several handles. */
export interface MemoryStore {
  counters: Counters;
  readonly names: Map<Path, FileRecord>;
  /** By id, then by piece number. Inserted in ascending order. */
  readonly pieces: Map<number, Map<number, Uint8Array>>;
  readonly watchers: Watchers;
  /** Entries by version. Inserted in ascending order. */
  readonly index: { id: string; readonly entries: Map<number, Uint8Array> };
}

export interface MemoryOptions {
  readonly now: () => number;
  /** To open another handle of the same project. */
  readonly store?: MemoryStore;
}

export function memoryStore(): MemoryStore {
  const index = { id: newIndexId(), entries: new Map<number, Uint8Array>() };
  return { counters: { version: 0, epoch: 0, ids: 0 }, names: new Map(), pieces: new Map(), watchers: watchers(), index };
}

/** Files that disappear with the page: for tests, and for a project that is only looked at. `durability` has no effect. */
export function memoryFiles({ now, store = memoryStore() }: MemoryOptions): Files {
  const stops = new Set<() => void>();
  let closed = false;

  const checkOpen = (): void => {
    if (closed) throw new StorageError("closed", "these files were closed");
  };

  const read = (path: Path): FileContent | null => {
    const record = store.names.get(path);
    return record ? { ...statOf(record), bytes: joinBytes([...(store.pieces.get(record.id)?.values() ?? [])]) } : null;
  };

  const commit = (edits: readonly Edit[], options: CommitOptions, index: IndexEdit | null): CommitResult => {
    if (closed) return { ok: false, failure: { kind: "broken", message: "these files were closed" } };
    const records = new Map<Path, FileRecord>();
    for (const path of pathsOf(edits, options)) {
      const record = store.names.get(path);
      if (record) records.set(path, record);
    }
    const planned = plan({ counters: store.counters, records, now: now() }, edits, options);
    if (!planned.ok) return planned;
    const { version } = planned.plan.counters;
    carryOut(store, planned.plan);
    if (index) writeIndex(store, version, index);
    store.watchers.deliver(planned.plan.events);
    return { ok: true, version };
  };

  return {
    async stat(path) {
      checkOpen();
      const record = store.names.get(path);
      return record ? statOf(record) : null;
    },
    async read(path) {
      checkOpen();
      return read(path);
    },
    async readMany(paths) {
      checkOpen();
      return paths.map(read);
    },
    async list(prefix = "") {
      checkOpen();
      const stats: FileStat[] = [];
      for (const record of store.names.values()) if (record.path.startsWith(prefix)) stats.push(statOf(record));
      return stats.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    },
    async isNew() {
      checkOpen();
      return store.counters.version === 0;
    },
    commit: async (changes, options) => commit(changes.map(toEdit), options, oneEntry(options)),
    async readIndex({ after = 0, limit } = {}) {
      checkOpen();
      const entries = [...store.index.entries]
        .filter(([version]) => version > after)
        .slice(0, limit === undefined ? undefined : Math.max(0, limit));
      return { id: store.index.id, entries: entries.map(([version, bytes]) => ({ version, bytes: bytes.slice() })) };
    },
    restartIndex: async (entries, options) => commit([], { ...options, durability: "relaxed" }, begunAgain(entries)),
    watch(listener) {
      checkOpen();
      const stop = store.watchers.watch(listener);
      stops.add(stop);
      return () => {
        stops.delete(stop);
        stop();
      };
    },
    async lead() {
      checkOpen();
      store.counters = { ...store.counters, epoch: store.counters.epoch + 1 };
      return store.counters.epoch;
    },
    close() {
      closed = true;
      for (const stop of stops) stop();
    },
  };
}

function writeIndex({ index }: MemoryStore, version: number, edit: IndexEdit): void {
  if (edit.id !== null) {
    index.id = edit.id;
    index.entries.clear();
  }
  for (const { version: at, bytes } of entriesOf(version, edit)) index.entries.set(at, bytes);
}

function carryOut(store: MemoryStore, { counters, drop, pieces, fold: toFold, names }: Plan): void {
  for (const id of drop) store.pieces.delete(id);
  for (const [id, changed] of pieces) {
    const all = store.pieces.get(id);
    if (!all) store.pieces.set(id, new Map(changed));
    else for (const [n, bytes] of changed) all.set(n, bytes);
  }
  for (const [path, record] of names) {
    if (record) store.names.set(path, record);
    else store.names.delete(path);
  }
  for (const record of toFold) {
    const all = store.pieces.get(record.id) ?? new Map<number, Uint8Array>();
    const tail = [...all].filter(([n]) => n >= record.foldedTo).map(([n, bytes]) => ({ n, bytes }));
    const folded = fold(record, tail);
    for (const { n, bytes } of folded.put) all.set(n, bytes);
    for (const n of folded.drop) all.delete(n);
    store.names.set(record.path, { ...record, foldedTo: folded.foldedTo });
  }
  store.counters = counters;
}
