import { human } from "../../../fs/actor.ts";
import type { CopiedFile } from "../../../fs/copy/contents.ts";
import type { Change, Files, FileStat } from "../../../fs/files.ts";
import { canonical, type Path } from "../../../fs/path.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import { type Arrival, arrive } from "../zip/arrival.ts";
import { type Comparison, compareWith, dialogIdOf } from "../zip/compare.ts";
import { otherNames, planMerge } from "../zip/merge.ts";

/** The differences between a copy and the database. */
export interface Differences {
  /** Only in the opened database. */
  readonly onlyOpened: readonly Path[];
  readonly onlyCopied: readonly Path[];
  /** In both, but different. */
  readonly differing: readonly Path[];
}

type Content = (file: CopiedFile) => Uint8Array<ArrayBuffer>;

/** Compares byte by byte. A file that can't be read completely from the database counts as being only in the copy. */
export async function differences(
  files: Pick<Files, "list" | "read">,
  copied: readonly CopiedFile[],
  content: Content,
): Promise<Differences> {
  const there = new Map((await files.list()).map(({ path }) => [path, path]));
  const [onlyCopied, differing]: [Path[], Path[]] = [[], []];
  const inCopy = new Set<Path>();
  for (const file of copied) {
    inCopy.add(file.path);
    const mine = there.has(file.path) ? await readWhole(files, file.path) : null;
    if (mine === null) onlyCopied.push(file.path);
    else if (!isSame(mine, content(file))) differing.push(file.path);
  }
  return { onlyOpened: [...there.keys()].filter((path) => !inCopy.has(path)), onlyCopied, differing };
}

/**
 * Adds the copy's files to the database. A file that only the copy has is added as it is, and a file that differs is added under another name. If
 * a dialog is a prefix of the copy's version, the copy's version replaces it. If it continues the copy's version, it stays. Nothing else changes.
 * Everything is one commit.
 */
export async function mergeCopy(files: Files, copied: readonly CopiedFile[], content: Content): Promise<void> {
  const { readable, unreadable } = await sorted(files, copied);
  const taken: Change[] = [];
  const arrivals: Arrival[] = [];
  const replaced = new Set<Path>();
  const dialogs = new Map(readable.flatMap((stat) => (dialogIdOf(stat.path) === null ? [] : [[dialogIdOf(stat.path), stat]])));
  const doubled = new Set([...doubledIds(readable), ...doubledIds(copied)]);
  const exact = new Set<string>(readable.map(({ path }) => canonical(path)));
  for (const file of copied) {
    const bytes = content(file);
    const id = dialogIdOf(file.path);
    const mine = id === null || doubled.has(id) ? undefined : dialogs.get(id);
    const before = mine ? await files.read(mine.path) : null;
    if (mine && before && startsWith(before.bytes, bytes)) continue;
    if (mine && before && startsWith(bytes, before.bytes)) {
      replaced.add(mine.path);
      if (mine.path !== file.path) taken.push({ op: "remove", path: mine.path });
      taken.push({ op: "write", path: file.path, data: bytes, mtime: file.mtime });
    } else if (mine) arrivals.push(arrive(file.path, bytes, { accept: true, mtime: file.mtime }));
    else if (unreadable.has(file.path) || !exact.has(canonical(file.path)))
      taken.push({ op: "write", path: file.path, data: bytes, mtime: file.mtime });
    else arrivals.push({ path: file.path, bytes, mtime: file.mtime, inactive: [], undecided: 0, wasActive: false });
  }
  const read = async (path: Path) => (replaced.has(path) ? null : readWhole(files, path));
  const mine = await compareWith({ list: async () => readable, read: (path) => files.read(path) });
  async function* each() {
    for (const arrival of arrivals) if (!(await cameIn(read, mine, arrival))) yield arrival;
  }
  const { changes, expect } = await planMerge(each(), withOthers(mine, [...unreadable, ...copied.map(({ path }) => path)]), {
    choice: "both",
    accept: true,
    main: "",
  });
  const all = [...taken, ...changes];
  if (all.length === 0) return;
  const done = await files.commit(all, { durability: "strict", by: human, expect });
  if (done.ok) return;
  const { failure } = done;
  throw new StorageError(failure.kind === "full" ? "full" : "broken", "message" in failure ? failure.message : failure.kind);
}

/**
 * The comparison with the database's files, in which these paths and dialogs also count as taken. Both stores hold the same repository, so its
 * files are merged like all others: a branch that differs gets another name.
 */
function withOthers(mine: Comparison, others: readonly Path[]): Comparison {
  const paths = new Set(others.map(canonical));
  const ids = others.flatMap((path) => dialogIdOf(path) ?? []);
  return {
    compare: (arrival) => mine.compare(arrival, { repositories: "by file" }),
    has: (path) => mine.has(path) || paths.has(canonical(path)),
    dialogIds: new Set([...mine.dialogIds, ...ids]),
  };
}

/** Whether the file was already added, perhaps under another name, because an earlier attempt was interrupted before it was noted. */
async function cameIn(read: (path: Path) => Promise<Uint8Array | null>, mine: Comparison, { path, bytes }: Arrival): Promise<boolean> {
  const isAt = async (name: Path) => isSame(await read(name), bytes);
  if (await isAt(path)) return true;
  for (const name of otherNames(path)) {
    const id = dialogIdOf(name);
    if (id === null ? !mine.has(name) : !mine.dialogIds.has(id)) return false;
    if (await isAt(name)) return true;
  }
  return false;
}

/** The ids of dialogs for which a store has two files. Neither file replaces another one. */
function doubledIds(files: readonly { readonly path: Path }[]): string[] {
  const seen = new Set<string>();
  return files.flatMap(({ path }) => {
    const id = dialogIdOf(path);
    if (id === null) return [];
    if (seen.has(id)) return [id];
    seen.add(id);
    return [];
  });
}

/** The database's files that are readable, as far as the copy has them too, and the paths of the unreadable ones. */
async function sorted(files: Files, copied: readonly CopiedFile[]): Promise<{ readable: FileStat[]; unreadable: Set<Path> }> {
  const paths = new Set(copied.map(({ path }) => path));
  const [readable, unreadable]: [FileStat[], Set<Path>] = [[], new Set()];
  for (const stat of await files.list()) {
    const isAsked = paths.has(stat.path) || dialogIdOf(stat.path) !== null;
    if (isAsked && (await readWhole(files, stat.path)) === null) unreadable.add(stat.path);
    else readable.push(stat);
  }
  return { readable, unreadable };
}

/** Null if there is no such file or it can't be read completely. */
async function readWhole(files: Pick<Files, "read">, path: Path): Promise<Uint8Array | null> {
  try {
    return (await files.read(path))?.bytes ?? null;
  } catch (error) {
    if (error instanceof StorageError && error.kind === "damaged") return null;
    throw error;
  }
}

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean => one?.length === other.length && startsWith(one, other);

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => byte === bytes[at]);
}
