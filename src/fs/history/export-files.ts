import { StorageError } from "../storage-error.ts";
import { type IndexEntry, indexFile } from "./index-file.ts";
import { fileName, folderName } from "./name-in-tree.ts";
import { type Oid, splitObject, unpackObject } from "./object.ts";
import { type PlainObject, writePack } from "./pack.ts";
import type { HistoryStore } from "./store.ts";
import { parseTree } from "./tree.ts";

export const branch = "refs/heads/main";

/** Marks the section in the repository's configuration that says it is Vibey's. git and its clients ignore unknown sections. */
export const configMark = "[vibey]";

/** Bytes of objects between two pauses, in which other work on this thread gets its turn. */
const restBytes = 256 * 1024;

export interface ExportOptions {
  /** The repository is alone, without files next to it: `history.git`, not `.git`. */
  readonly bare: boolean;
  /** Whether the project has this file but the folder next to the repository lacks it under this name, its name in the tree. */
  readonly isAbsent?: (path: string, name: string) => boolean;
  /** A pattern of names next to the repository that git should ignore. Null: none. */
  readonly overlook?: string | null;
  /** Files that git should not check out, in any version, and the patterns that exclude them. */
  readonly keepOut?: {
    readonly isUnwanted: (path: string) => boolean;
    readonly sparse: (unwanted: readonly string[], isWhole: boolean) => string | null;
  };
  readonly signal?: AbortSignal;
}

export interface ExportedHistory {
  /** Paths in the repository's folder. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Objects that can't be read and are left out. */
  readonly damaged: readonly Oid[];
}

/**
 * The files of the repository as git expects them in its folder, with all objects in one pack: a zip has no room for one file per object. The same
 * history always gives the same bytes. A history without commits has no files.
 */
export async function exportFiles(
  store: HistoryStore,
  { bare, isAbsent = () => false, overlook = null, keepOut, signal }: ExportOptions,
): Promise<ExportedHistory> {
  const encoder = new TextEncoder();
  const damaged: Oid[] = [];
  const head = await store.head();
  if (!head) return { files: [], damaged };
  const { name, pack, index } = await writePack(plainObjects(store, damaged, signal));
  const unwanted = keepOut && !bare ? [...(await everWritten(store, keepOut.isUnwanted))] : [];
  const sparse = keepOut?.sparse(unwanted, true) ?? null;
  const sparseLines = sparse === null ? "" : "\tsparseCheckout = true\n\tsparseCheckoutCone = false\n";
  const config = `[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = ${bare}\n${sparseLines}${configMark}\n\thistory = true\n`;
  const listed = bare ? null : await entriesBelow(store, head.tree, isAbsent);
  const files = [
    { path: "HEAD", bytes: encoder.encode(`ref: ${branch}\n`) },
    { path: "config", bytes: encoder.encode(config) },
    ...(overlook !== null && !bare ? [{ path: "info/exclude", bytes: encoder.encode(`${overlook}\n`) }] : []),
    ...(sparse !== null ? [{ path: "info/sparse-checkout", bytes: encoder.encode(sparse) }] : []),
    ...(listed ? [{ path: "index", bytes: indexFile(listed) }] : []),
    { path: `objects/pack/${name}.idx`, bytes: index },
    { path: `objects/pack/${name}.pack`, bytes: pack },
    { path: branch, bytes: encoder.encode(`${head.id}\n`) },
  ];
  return { files, damaged };
}

/** Commits whose changes are read at once. */
const page = 256;

/** The wanted files of all versions. */
export async function everWritten(
  store: Pick<HistoryStore, "head" | "changes">,
  isWanted: (path: string) => boolean,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const last = (await store.head())?.number ?? 0;
  for (let from = 1; from <= last; from += page)
    for (const { files } of await store.changes(from, Math.min(from + page - 1, last)))
      for (const { path, after } of files) if (after !== null && isWanted(path)) found.add(path);
  return found;
}

/** Every file of a tree, under its name in the tree. Null if a folder can't be read. */
async function entriesBelow(
  store: HistoryStore,
  tree: Oid,
  isAbsent: NonNullable<ExportOptions["isAbsent"]>,
): Promise<IndexEntry[] | null> {
  const entries: IndexEntry[] = [];
  const walk = async (oid: Oid, prefix: string, folder: string): Promise<void> => {
    const stored = await store.object(oid);
    if (!stored) throw new StorageError("damaged", `tree ${oid} is not in the history`);
    for (const [name, entry] of parseTree(await unpackObject({ oid, stored }, "tree"))) {
      if (entry.kind === "folder") await walk(entry.oid, `${prefix}${name}/`, `${folder}${folderName(name)}/`);
      else entries.push({ path: prefix + name, oid: entry.oid, skipped: isAbsent(folder + fileName(name), prefix + name) });
    }
  };
  try {
    await walk(tree, "", "");
    return entries;
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}

async function* plainObjects(store: HistoryStore, damaged: Oid[], signal: AbortSignal | undefined): AsyncGenerator<PlainObject> {
  let sinceRest = 0;
  for (const oid of await store.oids()) {
    signal?.throwIfAborted();
    const stored = await store.object(oid);
    // The object may have been removed since the list was made: then no one needs it.
    if (!stored) continue;
    let object: Awaited<ReturnType<typeof splitObject>>;
    try {
      object = await splitObject({ oid, stored });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      damaged.push(oid);
      continue;
    }
    yield { oid, ...object };
    sinceRest += object.bytes.length;
    if (sinceRest < restBytes) continue;
    sinceRest = 0;
    await new Promise<void>((resolve) => void setTimeout(resolve, 0));
  }
}
