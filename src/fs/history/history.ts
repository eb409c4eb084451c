import type { FileContent } from "../files.ts";
import type { Path } from "../path.ts";
import { StorageError } from "../storage-error.ts";
import { type Author, formatCommit, oneLine } from "./commit-object.ts";
import { fileBelow, type Folders, filesBelow, openFolders } from "./folders.ts";
import { type NamedObject, nameObject, type ObjectType, type Oid, packObject, unpackObject } from "./object.ts";
import type { CommitRecord, FileChange, HistoryStore, KnownFile, Note, WriteFailure, WriteResult } from "./store.ts";
import { parseTree } from "./tree.ts";

/**
 * The history of a project's files: a git repository with one branch. Commits are made one at a time, by whoever leads; a
 * commit writes the contents and the trees that changed, and no others.
 */
export interface History {
  commit(wanted: NewCommit): Promise<CommitOutcome>;
  note(note: Note): Promise<WriteResult>;
  /** Commits, newest first. */
  log(query: LogQuery): Promise<LogPage>;
  get(id: Oid): Promise<{ readonly record: CommitRecord; readonly files: readonly FileChange[] } | null>;
  /** A file's bytes. Rejects with a `StorageError` of kind `damaged` when they are not there. */
  bytes(oid: Oid): Promise<Uint8Array>;
  filesAt(record: CommitRecord): Promise<Map<Path, Oid>>;
  fileAt(record: CommitRecord, path: Path): Promise<Oid | null>;
}

export interface NewCommit {
  readonly author: Author;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Given what changed; one line. */
  readonly summary: (changes: readonly FileChange[]) => string;
  readonly trailers: readonly (readonly [key: string, value: string])[];
  /** Asked for one after the other. */
  readonly files: readonly NewFile[];
  /** Groups whose notes are done with this commit. */
  readonly notes: readonly number[];
}

export interface NewFile {
  readonly path: Path;
  /** The file as it is to be in the commit; `removed`; `unknown`: it is left as it is in the last one. */
  readonly read: () => Promise<FileContent | "removed" | "unknown">;
}

export type CommitOutcome =
  /** null: nothing was changed by it, so there is none. */
  { readonly ok: true; readonly record: CommitRecord | null } | { readonly ok: false; readonly failure: WriteFailure };

export interface LogQuery {
  /** Commits before this one; left out: from the newest on. */
  readonly before?: CommitRecord;
  readonly limit: number;
  /** A file, or a folder: commits that changed it, or something in it. */
  readonly path?: Path;
  readonly matches?: (record: CommitRecord) => boolean;
}

export interface LogPage {
  readonly commits: readonly CommitRecord[];
  readonly more: boolean;
}

/** Bytes of new contents that are kept in memory until they are written. */
const batchBytes = 4 * 1024 * 1024;

/** Names of the newest tree that are kept in memory between commits. */
const mostNames = 20_000;

/** Commits that are looked through at first, and at a time at most: it is twice as many each time. */
const firstPage = 64;
const largestPage = 1024;

/** Becomes the one writer of the history. */
export async function openHistory(store: HistoryStore): Promise<History> {
  const epoch = await store.lead();
  let cached: { readonly tree: Oid | null; readonly folders: Folders } | null = null;

  async function object(oid: Oid, type: ObjectType): Promise<Uint8Array> {
    const stored = await store.object(oid);
    if (!stored) throw new StorageError("damaged", `${type} ${oid} is not in the history`);
    return unpackObject({ oid, stored }, type);
  }
  const readTree = async (oid: Oid) => parseTree(await object(oid, "tree"));

  /** The contents that are new, stored; and what they change. */
  async function takeFiles(files: readonly NewFile[]) {
    const known = await store.file(files.map(({ path }) => path));
    const changes: FileChange[] = [];
    const states: [Path, KnownFile | null][] = [];
    let batch: NamedObject[] = [];
    let size = 0;
    for (const [at, { path, read }] of files.entries()) {
      const before = known[at] ?? null;
      const content = await read();
      if (content === "unknown") continue;
      if (content === "removed") {
        if (before) changes.push({ path, before: before.oid, after: null });
        states.push([path, null]);
        continue;
      }
      const blob = await nameObject("blob", content.bytes);
      states.push([path, { path, oid: blob.oid, version: content.version, mtime: content.mtime, size: content.size }]);
      if (blob.oid === before?.oid) continue;
      changes.push({ path, before: before?.oid ?? null, after: blob.oid });
      batch.push(blob);
      size += blob.plain.length;
      if (size < batchBytes) continue;
      const written = await store.write({ objects: await packAll(batch) }, epoch);
      if (!written.ok) return written;
      batch = [];
      size = 0;
    }
    return { ok: true, changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)), states, objects: batch } as const;
  }

  async function makeCommit({ author, time, summary, trailers, files, notes }: NewCommit): Promise<CommitOutcome> {
    const taken = await takeFiles(files);
    if (!taken.ok) return taken;
    const { changes, states } = taken;
    if (changes.length === 0) {
      if (states.length === 0 && notes.length === 0) return { ok: true, record: null };
      const written = await store.write({ files: states, dropNotes: notes }, epoch);
      return written.ok ? { ok: true, record: null } : written;
    }
    const head = await store.head();
    const { folders } = cached?.tree === (head?.tree ?? null) ? cached : { folders: openFolders(head?.tree ?? null, readTree) };
    // Until it is stored, the folders in memory are ahead of those in the store.
    cached = null;
    for (const { path, after } of changes) await folders.put(path, after);
    const { root, objects: trees } = await folders.seal();
    const message = { tree: root, parent: head?.id ?? null, author, time, summary: oneLine(summary(changes)), trailers };
    const commit = await nameObject("commit", formatCommit(message));
    const record: CommitRecord = {
      number: (head?.number ?? 0) + 1,
      id: commit.oid,
      tree: root,
      author,
      time,
      summary: message.summary,
      trailers,
      count: changes.length,
    };
    const written = await store.write(
      {
        objects: await packAll([...taken.objects, ...trees, commit]),
        commit: { parent: message.parent, record, files: changes },
        files: states,
        dropNotes: notes,
      },
      epoch,
    );
    if (!written.ok) return written;
    if (folders.size() <= mostNames) cached = { tree: root, folders };
    return { ok: true, record };
  }

  return {
    commit: makeCommit,
    note: (note) => store.write({ note }, epoch),
    async log({ before, limit, path, matches = () => true }) {
      const commits: CommitRecord[] = [];
      let from = before?.number ?? Infinity;
      for (let size = Math.max(firstPage, limit + 1); ; size = Math.min(2 * size, largestPage)) {
        const page = await store.commits(from, size);
        const [first, last] = [page[0], page.at(-1)];
        if (!first || !last) return { commits, more: false };
        const touched = path === undefined ? null : await numbersThatTouch(path, last.number, first.number);
        for (const record of page) {
          if (!matches(record) || touched?.has(record.number) === false) continue;
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
    filesAt: (record) => filesBelow(record.tree, readTree),
    fileAt: (record, path) => fileBelow(record.tree, path, readTree),
  };

  async function numbersThatTouch(path: Path, from: number, to: number): Promise<ReadonlySet<number>> {
    const touches = ({ path: one }: FileChange) => one === path || one.startsWith(`${path}/`);
    const changes = await store.changes(from, to);
    return new Set(changes.flatMap(({ number, files }) => (files.some(touches) ? [number] : [])));
  }
}

/** One after the other: together they would hold the thread for as long as all of them take. */
async function packAll(objects: readonly NamedObject[]) {
  const packed = [];
  for (const object of objects) packed.push(await packObject(object));
  return packed;
}
