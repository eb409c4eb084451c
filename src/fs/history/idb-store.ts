import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { abort, reasons, toStorageError, transactOn } from "../idb-transact.ts";
import { StorageError } from "../storage-error.ts";
import type { Oid } from "./object.ts";
import type { Batch, CommitChanges, CommitRecord, HistoryStore, KnownFile, Note, WriteFailure, WriteResult } from "./store.ts";

type EarlyKey = `early ${Oid}`;

/** A history's stored database. */
interface Layout extends DBSchema {
  /**
   * `format` holds the format string below. A database without it is not ours, or incomplete. `epoch` is that of the only writer. There is an
   * `early …` key for each object that was stored before its commit.
   */
  meta: { key: "format" | "epoch" | EarlyKey; value: unknown };
  /** git's objects, compressed as in git. */
  objects: { key: Oid; value: Uint8Array };
  commits: { key: number; value: CommitRecord; indexes: { id: Oid } };
  changes: { key: number; value: CommitChanges };
  files: { key: string; value: KnownFile };
  notes: { key: number; value: Note; indexes: { group: number } };
}

const format = "vibey history 1";

const earlyKey = (oid: Oid): EarlyKey => `early ${oid}`;
/** Created on use: not every place that loads this module has IndexedDB. */
const earlyKeys = () => IDBKeyRange.bound("early ", "early!", false, true);

const stores: ("meta" | "objects" | "commits" | "changes" | "files" | "notes")[] = [
  "meta",
  "objects",
  "commits",
  "changes",
  "files",
  "notes",
];

/**
 * A history in IndexedDB, in its own database. Everything is written with relaxed durability: what a crash of the machine loses is found again by
 * comparing the files. Rejects with a `StorageError`. The handle gives way at once when another one wants to delete or upgrade the database.
 */
export async function openIdbHistoryStore(name: string): Promise<HistoryStore> {
  /** Why this handle can no longer be used. */
  let gone: string | null = null;
  const leave = (why: string) => void (gone ??= why);
  const db = await openLayout(name, leave);

  const reading = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (gone !== null) throw new StorageError("closed", gone);
    try {
      return await work();
    } catch (error) {
      throw toStorageError(error, name);
    }
  };

  return {
    lead: () =>
      reading(() =>
        transactOn(db, ["meta"], "readwrite", "strict", async (tx) => {
          const meta = tx.objectStore("meta");
          const epoch = (await readEpoch(meta.get("epoch"))) + 1;
          await meta.put(epoch, "epoch");
          return epoch;
        }),
      ),
    head: () => reading(async () => (await db.transaction("commits").store.openCursor(null, "prev"))?.value ?? null),
    object: (oid) => reading(async () => (await db.get("objects", oid)) ?? null),
    oids: () => reading(() => db.getAllKeys("objects")),
    commit: (id) => reading(async () => (await db.getFromIndex("commits", "id", id)) ?? null),
    commits: (before, count) => reading(async () => (await db.getAll("commits", await newest(db, before, count))).toReversed()),
    changes: (from, to) => reading(async () => (from > to ? [] : db.getAll("changes", IDBKeyRange.bound(from, to)))),
    files: () => reading(() => db.getAll("files")),
    file: (paths) =>
      reading(() =>
        transactOn(db, ["files"], "readonly", "relaxed", async (tx) => {
          const files = tx.objectStore("files");
          return (await Promise.all(paths.map((path) => files.get(path)))).map((file) => file ?? null);
        }),
      ),
    notes: () => reading(() => db.getAll("notes")),
    early: () => reading(async () => (await db.getAllKeys("meta", earlyKeys())).map((key) => key.slice("early ".length))),
    async write(batch, epoch) {
      if (gone !== null) return { ok: false, failure: { kind: "broken", message: gone } };
      try {
        return await write(db, batch, epoch);
      } catch (error) {
        return { ok: false, failure: toFailure(error, name) };
      }
    },
    close() {
      leave(`${name} was closed`);
      db.close();
    },
  };
}

type Db = IDBPDatabase<Layout>;

/** The keys of the last `count` commits before this number. Numbers have no gaps. */
async function newest(db: Db, before: number, count: number): Promise<IDBKeyRange> {
  // Counting the keys would take time proportional to the number of commits.
  const last = before === Infinity ? ((await db.transaction("commits").store.openKeyCursor(null, "prev"))?.key ?? 0) : before - 1;
  // IndexedDB accepts no empty range, and no commit has a number below 1.
  return last < 1 ? IDBKeyRange.only(0) : IDBKeyRange.bound(Math.max(1, last - count + 1), last);
}

function write(db: Db, batch: Batch, epoch: number): Promise<WriteResult> {
  const { objects = [], early = [], dropEarly = [], commit, files = [], note, dropNotes = [] } = batch;
  return transactOn(db, stores, "readwrite", "relaxed", async (tx, later): Promise<WriteResult> => {
    const meta = tx.objectStore("meta");
    if ((await readEpoch(meta.get("epoch"))) !== epoch) return { ok: false, failure: { kind: "fenced" } };
    if (commit) {
      const cursor = await tx.objectStore("commits").openCursor(null, "prev");
      const head = cursor?.value.id ?? null;
      if (head !== commit.parent) return { ok: false, failure: { kind: "moved", head } };
      later(tx.objectStore("commits").add(commit.record, commit.record.number));
      later(tx.objectStore("changes").add({ number: commit.record.number, files: commit.files }, commit.record.number));
    }
    for (const { oid, stored } of objects) later(tx.objectStore("objects").put(stored, oid));
    const there = await Promise.all(early.map(({ oid }) => tx.objectStore("objects").getKey(oid)));
    for (const [at, { oid, stored }] of early.entries()) {
      if (there[at] !== undefined) continue;
      later(tx.objectStore("objects").put(stored, oid));
      later(meta.put(true, earlyKey(oid)));
    }
    const noted = await Promise.all(dropEarly.map((oid) => meta.getKey(earlyKey(oid))));
    for (const [at, oid] of dropEarly.entries()) {
      if (noted[at] === undefined) continue;
      later(tx.objectStore("objects").delete(oid));
      later(meta.delete(earlyKey(oid)));
    }
    // Most commits have no early objects, so they need no lookup for each file.
    if (commit && (await meta.getAllKeys(earlyKeys(), 1)).length > 0) {
      await paced(commit.files, later, ({ after }) => (after === null ? null : meta.delete(earlyKey(after))));
    }
    const known = tx.objectStore("files");
    await paced(files, later, ([path, file]) => (file ? known.put(file, path) : known.delete(path)));
    const notes = tx.objectStore("notes");
    const dropped = await Promise.all(dropNotes.map((group) => notes.index("group").getAllKeys(group)));
    for (const key of dropped.flat()) later(notes.delete(key));
    if (note) later(notes.add(note));
    return { ok: true };
  });
}

/** Requests that are made before one of them is awaited: this many block the thread for a few milliseconds, all of a large commit for seconds. */
const requestsAtOnce = 500;

/** Makes a request for each item, with regular pauses for other work, in which the transaction stays open. */
async function paced<T>(
  items: Iterable<T>,
  later: (request: Promise<unknown>) => void,
  make: (item: T) => Promise<unknown> | null,
): Promise<void> {
  let made = 0;
  for (const item of items) {
    const request = make(item);
    if (request === null) continue;
    later(request);
    made += 1;
    if (made % requestsAtOnce === 0) await request;
  }
}

function toFailure(error: unknown, name: string): WriteFailure {
  const known = toStorageError(error, name);
  if (!(known instanceof StorageError)) throw known;
  return { kind: known.kind === "full" ? "full" : "broken", message: known.message };
}

async function openLayout(name: string, onGone: (why: string) => void): Promise<Db> {
  const reason = reasons();
  let db: Db;
  try {
    db = await openDB<Layout>(name, 1, {
      upgrade(made, _from, _to, tx) {
        tx.done.catch(reason.note);
        try {
          const meta = made.createObjectStore("meta");
          made.createObjectStore("objects");
          made.createObjectStore("commits").createIndex("id", "id");
          made.createObjectStore("changes");
          made.createObjectStore("files");
          made.createObjectStore("notes", { autoIncrement: true }).createIndex("group", "group");
          meta.put(format, "format").catch(reason.note);
          meta.put(0, "epoch").catch(reason.note);
        } catch (error) {
          reason.note(error);
          abort(tx);
        }
      },
      blocking(_from, _to, { target }) {
        if (target instanceof IDBDatabase) target.close();
        onGone(`${name} was closed because another tab upgrades or deletes it`);
      },
      terminated: () => onGone(`${name} was closed by the browser`),
    });
  } catch (error) {
    reason.note(error);
    throw toStorageError(reason.error(), name);
  }
  try {
    if (!stores.every((store) => db.objectStoreNames.contains(store))) throw new StorageError("foreign", `${name} holds no history`);
    const found = await db.get("meta", "format");
    if (found !== format)
      throw new StorageError("foreign", `${name} has the format ${JSON.stringify(found)}, not ${JSON.stringify(format)}`);
    return db;
  } catch (error) {
    db.close();
    throw toStorageError(error, name);
  }
}

async function readEpoch(stored: Promise<unknown>): Promise<number> {
  const epoch = await stored;
  if (typeof epoch !== "number" || !Number.isSafeInteger(epoch)) throw new StorageError("damaged", `the epoch is ${JSON.stringify(epoch)}`);
  return epoch;
}
