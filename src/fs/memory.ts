import { joinBytes } from "./bytes.ts";
import type { FileContent, Files, FileStat } from "./files.ts";
import { fold } from "./fold.ts";
import type { Path } from "./path.ts";
import { type Counters, type Plan, pathsOf, plan, statOf, toEdit } from "./plan.ts";
import type { FileRecord } from "./file-record.ts";
import { StorageError } from "./storage-error.ts";
import { type Watchers, watchers } from "./watchers.ts";

/** The files of one project in memory: what several handles of it share. */
export interface MemoryStore {
  counters: Counters;
  readonly names: Map<Path, FileRecord>;
  /** By id, then by piece number; inserted in ascending order. */
  readonly pieces: Map<number, Map<number, Uint8Array>>;
  readonly watchers: Watchers;
}

export interface MemoryOptions {
  readonly now: () => number;
  /** Gives a further handle of the same project. */
  readonly store?: MemoryStore;
}

export function memoryStore(): MemoryStore {
  return { counters: { version: 0, epoch: 0, ids: 0 }, names: new Map(), pieces: new Map(), watchers: watchers() };
}

/** Files that are gone with the page: for tests, for a project that is looked at and not kept. `durability` has no effect. */
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
    async commit(changes, options) {
      const edits = changes.map(toEdit);
      if (closed) return { ok: false, failure: { kind: "broken", message: "these files were closed" } };
      const records = new Map<Path, FileRecord>();
      for (const path of pathsOf(edits, options)) {
        const record = store.names.get(path);
        if (record) records.set(path, record);
      }
      const planned = plan({ counters: store.counters, records, now: now() }, edits, options);
      if (!planned.ok) return planned;
      carryOut(store, planned.plan);
      store.watchers.deliver(planned.plan.events);
      return { ok: true, version: planned.plan.counters.version };
    },
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
