import { type Path, parsePath } from "../path.ts";
import { StorageError } from "../storage-error.ts";
import { type Author, formatCommit, formatWithAuthor, plainText } from "./commit-object.ts";
import { branch } from "./export-files.ts";
import { fileName, folderName } from "./name-in-tree.ts";
import { type NamedObject, type ObjectType, type Oid, packObject } from "./object.ts";
import { PackError, readPack } from "./pack.ts";
import type { CommitRecord, FileChange, HistoryStore, WriteFailure } from "./store.ts";
import { formatTree, parseTree, type TreeEntry } from "./tree.ts";

/** A history from files, read and checked: every object matches its hash, and every commit has all objects that it needs. */
export interface ReadHistory {
  readonly objects: ReadonlyMap<Oid, { readonly type: ObjectType; readonly object: NamedObject }>;
  /** Oldest first. */
  readonly commits: readonly { readonly record: CommitRecord; readonly files: readonly FileChange[] }[];
}

export type HistoryReading =
  | { readonly ok: true; readonly history: ReadHistory }
  /** Why it can't be imported: the rest of a sentence that begins with the history. */
  | { readonly ok: false; readonly why: string };

export interface ReadHistoryOptions {
  /** The maximum bytes of all objects together. */
  readonly most: number;
  /** Whether a history of this project tracks the file. A history with any other file is refused, because its content could be restored. */
  readonly isFollowed?: (path: Path) => boolean;
  readonly signal?: AbortSignal;
}

/** Reads what `exportFiles` has written. `files`: the paths in the repository's folder. Refuses a repository that another program has changed. */
export async function readHistoryFiles(
  files: ReadonlyMap<string, Uint8Array>,
  { most, isFollowed = () => true, signal }: ReadHistoryOptions,
): Promise<HistoryReading> {
  const refused = (why: string): HistoryReading => ({ ok: false, why });
  const decoder = new TextDecoder();
  const text = (name: string) => decoder.decode(files.get(name));
  if (text("HEAD") !== `ref: ${branch}\n`) return refused("is on another branch");
  const head = /^([0-9a-f]{40})\n$/.exec(text(branch))?.[1];
  if (head === undefined) return refused("has no newest commit");
  const names = [...files.keys()];
  const [pack, other] = names.filter((name) => name.endsWith(".pack"));
  const indexBytes = files.get(pack?.replace(/\.pack$/, ".idx") ?? "");
  const packBytes = files.get(pack ?? "");
  if (other !== undefined || !packBytes || !indexBytes || names.some((name) => /^objects\/[0-9a-f]{2}\//.test(name)))
    return refused("was changed by another program");
  const reading = readPack(packBytes, indexBytes, most, signal);
  if (!reading.ok) return refused(`can't be read: ${reading.why}`);
  try {
    const objects = new Map<Oid, { readonly type: ObjectType; readonly object: NamedObject }>();
    for await (const { type, object } of reading.objects) objects.set(object.oid, { type, object });
    return { ok: true, history: { objects, commits: await readCommits(head, objects, isFollowed, signal) } };
  } catch (error) {
    if (error instanceof PackError || error instanceof StorageError) return refused(`can't be read: ${error.message}`);
    throw error;
  }
}

async function readCommits(
  head: Oid,
  objects: ReadHistory["objects"],
  isFollowed: (path: Path) => boolean,
  signal?: AbortSignal,
): Promise<ReadHistory["commits"]> {
  const bytesOf = (oid: Oid, type: ObjectType): Uint8Array => {
    const found = objects.get(oid);
    if (found?.type !== type) throw new StorageError("damaged", `${type} ${oid} is not in it`);
    const { plain } = found.object;
    return plain.subarray(plain.indexOf(0) + 1);
  };
  const trees = new Map<Oid, ReadonlyMap<string, TreeEntry>>();
  const treeOf = (oid: Oid) => {
    const known = trees.get(oid);
    if (known) return known;
    const bytes = bytesOf(oid, "tree");
    if (bytes.length > maxTreeBytes) throw new PackError(tooMany);
    const tree = parseTree(bytes);
    // In any other form git could see something that this code doesn't: a link, or a second entry with the same name.
    if (!isSame(formatTree(tree), bytes)) throw new StorageError("damaged", `tree ${oid} was made by another program`);
    trees.set(oid, tree);
    return tree;
  };
  const chain: ReturnType<typeof parseCommit>[] = [];
  for (let at: Oid | null = head; at !== null; ) {
    const commit: ReturnType<typeof parseCommit> = parseCommit(at, bytesOf(at, "commit"));
    chain.push(commit);
    // Each commit names its parent by hash, so there is no cycle.
    at = commit.parent;
  }
  const commits: { readonly record: CommitRecord; readonly files: readonly FileChange[] }[] = [];
  const budget = { names: maxNames };
  let before: Oid | null = null;
  for (const [nth, { id, tree, author, time, summary, trailers }] of chain.toReversed().entries()) {
    if (nth % commitsAtOnce === 0) {
      await new Promise<void>((resolve) => void setTimeout(resolve, 0));
      signal?.throwIfAborted();
    }
    const files = changesBetween(before, tree, treeOf, budget);
    for (const { path, after } of files) {
      if (!isFollowed(path)) throw new PackError(`it holds ${JSON.stringify(path)}, which no history of Vibey follows`);
      if (after !== null) bytesOf(after, "blob");
    }
    commits.push({ record: { number: nth + 1, id, tree, author, time, summary, trailers, count: files.length }, files });
    before = tree;
  }
  return commits;
}

/**
 * The names in trees that are read for all commits together, and the files that one commit may change: nested trees can expand to more files than
 * there are atoms.
 */
const maxNames = 5_000_000;
const maxChanges = 100_000;
/** Bytes of one folder's tree. Parsed, it takes many times as much. */
const maxTreeBytes = 16_000_000;

const tooMany = "it stands for too many files";

/** Commits between two pauses, in which other work on this thread gets its turn. */
const commitsAtOnce = 20;

/** The differences between two trees. Only folders that differ are read. */
function changesBetween(
  before: Oid | null,
  after: Oid,
  treeOf: (oid: Oid) => ReadonlyMap<string, TreeEntry>,
  budget: { names: number },
): FileChange[] {
  const [gone, come] = [new Map<Path, Oid>(), new Map<Path, Oid>()];
  const entriesOf = (oid: Oid | null) => {
    const entries: ReadonlyMap<string, TreeEntry> = oid === null ? new Map<string, TreeEntry>() : treeOf(oid);
    budget.names -= entries.size;
    if (budget.names < 0) throw new PackError(tooMany);
    return entries;
  };
  const note = (into: Map<Path, Oid>, prefix: string, name: string, oid: Oid) => {
    const parsed = parsePath(prefix + fileName(name));
    if (!parsed.ok || parsed.path !== prefix + fileName(name)) throw new PackError(`it holds a file of the name ${JSON.stringify(name)}`);
    into.set(parsed.path, oid);
    if (into.size > maxChanges) throw new PackError(tooMany);
  };
  const walk = (from: Oid | null, to: Oid | null, prefix: string): void => {
    if (from === to) return;
    // Deeper than any path may be.
    if (prefix.length > 1024) throw new PackError("it holds a folder that is too deep");
    const [old, now] = [entriesOf(from), entriesOf(to)];
    const folder = (name: string, one: TreeEntry | undefined, other: TreeEntry | undefined) =>
      walk(one?.kind === "folder" ? one.oid : null, other?.kind === "folder" ? other.oid : null, `${prefix}${folderName(name)}/`);
    for (const [name, entry] of old) {
      const other = now.get(name);
      if (entry.kind === "folder") folder(name, entry, other);
      else if (other?.kind !== "file" || other.oid !== entry.oid) note(gone, prefix, name, entry.oid);
    }
    for (const [name, entry] of now) {
      const other = old.get(name);
      if (entry.kind === "folder") {
        if (other?.kind !== "folder") folder(name, undefined, entry);
      } else if (other?.kind !== "file" || other.oid !== entry.oid) note(come, prefix, name, entry.oid);
    }
  };
  walk(before, after, "");
  const paths = new Set([...gone.keys(), ...come.keys()]);
  return [...paths]
    .map((path) => ({ path, before: gone.get(path) ?? null, after: come.get(path) ?? null }))
    .filter((change) => change.before !== change.after)
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

const person = /^(.*) <(.*)> (\d{1,12}) \+0000$/;

/** Earlier versions left a space on both sides of an angle bracket that they removed from a name. */
const hasExtraSpaces = ({ name, address }: Author): boolean =>
  [name, address].every((text) => plainText(text) === text.replaceAll(/ +/g, " ").trim());

/** Parses a commit in the form that `formatCommit` writes. Any other form comes from another program. */
function parseCommit(id: Oid, bytes: Uint8Array) {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const [head = "", summary = "", last] = text.replace(/\n$/, "").split("\n\n");
  const field = (key: string) => new RegExp(`^${key} (.*)$`, "m").exec(head)?.[1];
  const [tree, parent = null] = [field("tree"), field("parent")];
  const [, name = "", address = "", seconds = ""] = person.exec(field("author") ?? "") ?? [];
  const trailers = (last ?? "").split("\n").flatMap((line): (readonly [string, string])[] => {
    const at = line.indexOf(": ");
    return at > 0 ? [[line.slice(0, at), line.slice(at + 2)]] : [];
  });
  const author: Author = { name, address };
  const commit = { tree: tree ?? "", parent, author, time: Number(seconds) * 1000, summary, trailers };
  const isOurs = isSame(formatCommit(commit), bytes) || (hasExtraSpaces(author) && isSame(formatWithAuthor(commit, author), bytes));
  if (!isOurs) throw new StorageError("damaged", `commit ${id} was made by another program`);
  return { id, ...commit };
}

export type StoredHistory = { readonly ok: true } | { readonly ok: false; readonly failure: WriteFailure };

/** Bytes of objects that are written in one transaction. */
const batchBytes = 4 * 1024 * 1024;

/**
 * Writes a history into an empty store. `onBytes`: the number of bytes that were just stored. Nothing records which state of the project's files the
 * newest commit has, so the next engine checks all of them once.
 */
export async function storeHistory(
  store: HistoryStore,
  { objects, commits }: ReadHistory,
  options: {
    /** The user has not accepted the authority lines in the history. */
    readonly unaccepted?: boolean;
    readonly signal?: AbortSignal;
    readonly onBytes?: (bytes: number) => void;
  } = {},
): Promise<StoredHistory> {
  const epoch = await store.lead();
  let batch: Awaited<ReturnType<typeof packObject>>[] = [];
  let size = 0;
  const flush = async () => {
    const written = await store.write({ objects: batch }, epoch);
    options.onBytes?.(size);
    batch = [];
    size = 0;
    return written;
  };
  for (const { object } of objects.values()) {
    options.signal?.throwIfAborted();
    batch.push(await packObject(object));
    size += object.plain.length;
    if (size < batchBytes) continue;
    const written = await flush();
    if (!written.ok) return written;
  }
  const rest = await flush();
  if (!rest.ok) return rest;
  const newest = new Map<Path, Oid>();
  const marked = (record: CommitRecord): CommitRecord => (options.unaccepted === true ? { ...record, unaccepted: true } : record);
  for (const [nth, { record, files }] of commits.entries()) {
    options.signal?.throwIfAborted();
    for (const { path, after } of files) {
      if (after === null) newest.delete(path);
      else newest.set(path, after);
    }
    const isLast = nth === commits.length - 1;
    const known = isLast ? Array.from(newest, ([path, oid]) => [path, { path, oid, version: 0, mtime: 0, size: 0 }] as const) : [];
    const written = await store.write(
      { commit: { parent: commits[nth - 1]?.record.id ?? null, record: marked(record), files }, files: known },
      epoch,
    );
    if (!written.ok) return written;
  }
  return { ok: true };
}
