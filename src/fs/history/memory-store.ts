import type { Path } from "../path.ts";
import { StorageError } from "../storage-error.ts";
import type { Oid } from "./object.ts";
import type { CommitRecord, FileChange, HistoryStore, KnownFile, Note } from "./store.ts";

/** A history in memory, shared by several handles. */
export interface HistoryMemory {
  epoch: number;
  readonly objects: Map<Oid, Uint8Array>;
  /** By number, from 1. */
  readonly commits: CommitRecord[];
  readonly changes: (readonly FileChange[])[];
  readonly ids: Map<Oid, CommitRecord>;
  readonly files: Map<Path, KnownFile>;
  readonly notes: Note[];
  readonly early: Set<Oid>;
}

export function historyMemory(): HistoryMemory {
  return { epoch: 0, objects: new Map(), commits: [], changes: [], ids: new Map(), files: new Map(), notes: [], early: new Set() };
}

/** A history that disappears with the page: for tests. */
export function memoryHistoryStore(memory: HistoryMemory = historyMemory()): HistoryStore {
  let closed = false;
  const open = (): HistoryMemory => {
    if (closed) throw new StorageError("closed", "this history was closed");
    return memory;
  };
  return {
    lead: async () => (open().epoch += 1),
    head: async () => open().commits.at(-1) ?? null,
    object: async (oid) => open().objects.get(oid) ?? null,
    oids: async () => [...open().objects.keys()].toSorted(),
    commit: async (id) => open().ids.get(id) ?? null,
    async commits(before, count) {
      const end = Math.max(0, Math.min(before - 1, open().commits.length));
      return memory.commits.slice(Math.max(0, end - count), end).toReversed();
    },
    changes: async (from, to) =>
      open()
        .changes.slice(from - 1, to)
        .map((files, at) => ({ number: from + at, files })),
    files: async () => [...open().files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    file: async (paths) => paths.map((path) => open().files.get(path) ?? null),
    notes: async () => [...open().notes],
    early: async () => [...open().early].toSorted(),
    async write({ objects = [], early = [], dropEarly = [], commit, files = [], note, dropNotes = [] }, epoch) {
      if (closed) return { ok: false, failure: { kind: "broken", message: "this history was closed" } };
      if (epoch !== memory.epoch) return { ok: false, failure: { kind: "fenced" } };
      const head = memory.commits.at(-1)?.id ?? null;
      if (commit && commit.parent !== head) return { ok: false, failure: { kind: "moved", head } };
      for (const { oid, stored } of objects) memory.objects.set(oid, stored);
      for (const { oid, stored } of early) {
        if (memory.objects.has(oid)) continue;
        memory.objects.set(oid, stored);
        memory.early.add(oid);
      }
      for (const oid of dropEarly) if (memory.early.delete(oid)) memory.objects.delete(oid);
      if (commit) {
        for (const { after } of commit.files) if (after !== null) memory.early.delete(after);
        memory.commits.push(commit.record);
        memory.changes.push(commit.files);
        memory.ids.set(commit.record.id, commit.record);
      }
      for (const [path, file] of files) {
        if (file) memory.files.set(path, file);
        else memory.files.delete(path);
      }
      const kept = memory.notes.filter(({ group }) => !dropNotes.includes(group));
      memory.notes.splice(0, Infinity, ...kept, ...(note ? [note] : []));
      return { ok: true };
    },
    close() {
      closed = true;
    },
  };
}
