import type { FileContent } from "../files.ts";
import type { Path } from "../path.ts";
import { StorageError } from "../storage-error.ts";
import { type Author, formatCommit, oneLine } from "./commit-object.ts";
import { fileBelow, type Folders, filesBelow, openFolders } from "./folders.ts";
import { type NamedObject, nameObject, type ObjectType, type Oid, packObject, type StoredObject, unpackObject } from "./object.ts";
import type { CommitRecord, FileChange, HistoryStore, KnownFile, Note, WriteFailure, WriteResult } from "./store.ts";
import { parseTree } from "./tree.ts";

/**
 * The history of a project's files: a git repository with one branch. Commits are made one at a time, by the current leader. A commit writes only the
 * contents and the trees that changed.
 */
export interface History {
  /** Rejects with a `FileTrouble`, a `StorageError`, or a programmer's mistake. */
  commit(wanted: NewCommit): Promise<CommitOutcome>;
  note(note: Note): Promise<WriteResult>;
  /** Commits, newest first. */
  log(query: LogQuery): Promise<LogPage>;
  get(id: Oid): Promise<{ readonly record: CommitRecord; readonly files: readonly FileChange[] } | null>;
  /** A file's bytes. Rejects with a `StorageError` of kind `damaged` if they are missing. */
  bytes(oid: Oid): Promise<Uint8Array>;
  filesAt(record: CommitRecord): Promise<Map<Path, Oid>>;
  fileAt(record: CommitRecord, path: Path): Promise<Oid | null>;
}

export interface NewCommit {
  readonly author: Author;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Returns one line that describes the changes. */
  readonly summary: (changes: readonly FileChange[]) => string;
  readonly trailers: readonly (readonly [key: string, value: string])[];
  /** Read one after the other. */
  readonly files: readonly NewFile[];
  /** Groups whose notes this commit makes obsolete. */
  readonly notes: readonly number[];
}

export interface NewFile {
  readonly path: Path;
  /** The file for the commit. `removed`: the commit removes it. `unknown`: it stays as in the last commit. */
  readonly read: () => Promise<FileContent | "removed" | "unknown">;
}

/** An error with this file that is not the storage's, such as too little memory for its content. */
export class FileTrouble extends Error {
  readonly path: Path;

  constructor(path: Path, cause: unknown) {
    super(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.path = path;
  }
}

export type CommitOutcome =
  /** `record`: null if nothing changed, so there is no commit. `replaced`: the previously known states of its files. */
  | { readonly ok: true; readonly record: CommitRecord | null; readonly replaced: readonly KnownFile[] }
  | { readonly ok: false; readonly failure: WriteFailure };

export interface LogQuery {
  /** Commits before this one. Absent: from the newest on. */
  readonly before?: CommitRecord;
  readonly limit: number;
  /** A file or a folder: commits that changed it, or something in it. */
  readonly path?: Path;
  readonly matches?: (record: CommitRecord) => boolean;
  /** Milliseconds since 1970: excludes commits with an earlier time, and the search stops there. */
  readonly since?: number;
}

export interface LogPage {
  readonly commits: readonly CommitRecord[];
  readonly more: boolean;
}

/** Bytes of new contents that are collected in memory before they are written. */
const batchBytes = 4 * 1024 * 1024;

/** Files that are looked up, or whose new contents are collected in memory, before a pause for other work. */
const filesAtOnce = 500;

/** Names that are put into folders before a pause: without it, a large commit would be one long task. */
const namesAtOnce = 1_000;

/** Objects that are removed in one transaction. */
const dropsAtOnce = 500;

/** Names of the newest tree that are kept in memory between commits. */
const maxNames = 20_000;

/** Commits that are searched in the first step, and the maximum of later steps. Each step doubles the number. */
const firstPage = 64;
const maxPageSize = 1024;

/** Becomes the only writer of the history. */
export async function openHistory(store: HistoryStore): Promise<History> {
  const epoch = await store.lead();
  let cached: { readonly tree: Oid | null; readonly folders: Folders } | null = null;

  async function object(oid: Oid, type: ObjectType): Promise<Uint8Array> {
    const stored = await store.object(oid);
    if (!stored) throw new StorageError("damaged", `${type} ${oid} is not in the history`);
    return unpackObject({ oid, stored }, type);
  }
  const readTree = async (oid: Oid) => parseTree(await object(oid, "tree"));

  /** Stores the contents that are new, and returns the changes. */
  async function takeFiles(files: readonly NewFile[]) {
    const known: (KnownFile | null)[] = [];
    for (let from = 0; from < files.length; from += filesAtOnce) {
      for (const file of await store.file(files.slice(from, from + filesAtOnce).map(({ path }) => path))) known.push(file);
    }
    const changes: FileChange[] = [];
    const states: [Path, KnownFile | null][] = [];
    let batch: StoredObject[] = [];
    let size = 0;
    for (const [at, { path, read }] of files.entries()) {
      const before = known[at] ?? null;
      const content = await ofFile(path, read());
      if (content === "unknown") continue;
      if (content === "removed") {
        if (before) changes.push({ path, before: before.oid, after: null });
        states.push([path, null]);
        continue;
      }
      const blob = await ofFile(path, nameObject("blob", content.bytes));
      states.push([path, { path, oid: blob.oid, version: content.version, mtime: content.mtime, size: content.size }]);
      if (blob.oid === before?.oid) continue;
      changes.push({ path, before: before?.oid ?? null, after: blob.oid });
      batch.push(await ofFile(path, packObject(blob)));
      size += blob.plain.length;
      if (size < batchBytes && batch.length < filesAtOnce) continue;
      const written = await store.write({ early: batch }, epoch);
      if (!written.ok) return written;
      batch = [];
      size = 0;
    }
    const replaced = known.flatMap((file) => file ?? []);
    return { ok: true, changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)), states, replaced, objects: batch } as const;
  }

  /**
   * Removes what failed commits have left. Runs at the start for an earlier writer's failures, and after a commit that storage refused, because its
   * objects may be what filled it. If the removal fails, the next writer repeats it. If a commit couldn't read a file, what it has left stays for the retry.
   */
  async function dropEarly(): Promise<void> {
    const oids = await store.early();
    for (let from = 0; from < oids.length; from += dropsAtOnce) {
      const written = await store.write({ dropEarly: oids.slice(from, from + dropsAtOnce) }, epoch);
      if (!written.ok) return;
    }
  }

  /** The folders of the newest commit, with these changes. If a folder is damaged, all are rebuilt from the commit's files. */
  async function changedFolders(tree: Oid | null, changes: readonly FileChange[]): Promise<Folders> {
    const { folders } = cached?.tree === tree ? cached : { folders: openFolders(tree, readTree) };
    // Until it is stored, the folders in memory are ahead of those in the store.
    cached = null;
    try {
      await putAll(folders, changes);
      return folders;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const anew = openFolders(null, readTree);
    await putAll(
      anew,
      (await store.files()).map(({ path, oid }) => ({ path, after: oid })),
    );
    await putAll(anew, changes);
    return anew;
  }

  async function commit(wanted: NewCommit): Promise<CommitOutcome> {
    const done = await makeCommit(wanted);
    if (!done.ok && done.failure.kind !== "fenced") await dropEarly();
    return done;
  }

  async function makeCommit({ author, time, summary, trailers, files, notes }: NewCommit): Promise<CommitOutcome> {
    const taken = await takeFiles(files);
    if (!taken.ok) return taken;
    const { changes, states, replaced } = taken;
    if (changes.length === 0) {
      if (states.length === 0 && notes.length === 0) return { ok: true, record: null, replaced };
      const written = await store.write({ files: states, dropNotes: notes }, epoch);
      return written.ok ? { ok: true, record: null, replaced } : written;
    }
    const head = await store.head();
    const folders = await changedFolders(head?.tree ?? null, changes);
    const { root, objects: trees } = await folders.seal();
    const message = { tree: root, parent: head?.id ?? null, author, time, summary: oneLine(summary(changes)), trailers };
    const named = await nameObject("commit", formatCommit(message));
    const record: CommitRecord = {
      number: (head?.number ?? 0) + 1,
      id: named.oid,
      tree: root,
      author,
      time,
      summary: message.summary,
      trailers,
      count: changes.length,
    };
    const written = await store.write(
      {
        objects: [...taken.objects, ...(await packAll([...trees, named]))],
        commit: { parent: message.parent, record, files: changes },
        files: states,
        dropNotes: notes,
      },
      epoch,
    );
    if (!written.ok) return written;
    if (folders.size() <= maxNames) cached = { tree: root, folders };
    return { ok: true, record, replaced };
  }

  /** Every file of a commit. If one of its folders is damaged, the changes of all commits up to it give the same answer. */
  async function filesAt({ tree, number }: CommitRecord): Promise<Map<Path, Oid>> {
    try {
      return await filesBelow(tree, readTree);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const found = new Map<Path, Oid>();
    for (let from = 1; from <= number; from += maxPageSize) {
      for (const { files } of await store.changes(from, Math.min(number, from + maxPageSize - 1))) {
        for (const { path, after } of files) {
          if (after === null) found.delete(path);
          else found.set(path, after);
        }
      }
    }
    return found;
  }

  async function fileAt(record: CommitRecord, path: Path): Promise<Oid | null> {
    try {
      return await fileBelow(record.tree, path, readTree);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return (await filesAt(record)).get(path) ?? null;
    }
  }

  await dropEarly();

  return {
    commit,
    note: (note) => store.write({ note }, epoch),
    async log({ before, limit, path, matches = () => true, since = -Infinity }) {
      const commits: CommitRecord[] = [];
      let from = before?.number ?? Infinity;
      for (let size = Math.max(firstPage, limit + 1); ; size = Math.min(2 * size, maxPageSize)) {
        const page = await store.commits(from, size);
        const [first, last] = [page[0], page.at(-1)];
        // Commits are nearly in the order of their times.
        if (!first || !last || page.every(({ time }) => time < since)) return { commits, more: false };
        const touched = path === undefined ? null : await numbersThatTouch(path, last.number, first.number);
        for (const record of page) {
          if (record.time < since || !matches(record) || touched?.has(record.number) === false) continue;
          if (commits.length === limit) return { commits, more: true };
          commits.push(record);
        }
        from = last.number;
      }
    },
    async get(id) {
      const record = await store.commit(id);
      if (!record) return null;
      const [changes] = await store.changes(record.number, record.number);
      if (!changes) throw new StorageError("damaged", `what commit ${id} changed is not in the history`);
      return { record, files: changes.files };
    },
    bytes: (oid) => object(oid, "blob"),
    filesAt,
    fileAt,
  };

  async function numbersThatTouch(path: Path, from: number, to: number): Promise<ReadonlySet<number>> {
    const touches = ({ path: one }: FileChange) => one === path || one.startsWith(`${path}/`);
    const changes = await store.changes(from, to);
    return new Set(changes.flatMap(({ number, files }) => (files.some(touches) ? [number] : [])));
  }
}

async function putAll(folders: Folders, changes: readonly Pick<FileChange, "path" | "after">[]): Promise<void> {
  for (const [nth, { path, after }] of changes.entries()) {
    if (nth > 0 && nth % namesAtOnce === 0) await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    await folders.put(path, after);
  }
}

async function ofFile<Value>(path: Path, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof StorageError ? error : new FileTrouble(path, error);
  }
}

/** One after the other: together they would block the thread for the sum of their times. */
async function packAll(objects: readonly NamedObject[]) {
  const packed = [];
  for (const object of objects) packed.push(await packObject(object));
  return packed;
}

const isDamage = (error: unknown): boolean => error instanceof StorageError && error.kind === "damaged";
