import { isInGit } from "../git-name.ts";
import { type Path, parsePath } from "../path.ts";
import { StorageError } from "../storage-error.ts";
import { fileEntries, fileName, folderEntry, folderName } from "./name-in-tree.ts";
import { type NamedObject, nameObject, type Oid } from "./object.ts";
import { formatTree, type TreeEntry } from "./tree.ts";

export type ReadTree = (oid: Oid) => Promise<ReadonlyMap<string, TreeEntry>>;

/**
 * The tree of the newest commit, which changes become the tree of the next one. Folders are read when something in them changes, and stay in memory:
 * a commit costs only what changes, however large the project is.
 */
export interface Folders {
  /** Null removes the file. */
  put(path: Path, oid: Oid | null): Promise<void>;
  /** The current tree, and its tree objects that changed since the last call. */
  seal(): Promise<{ readonly root: Oid; readonly objects: readonly NamedObject[] }>;
  /** The number of names in memory. */
  size(): number;
}

interface Folder {
  /** Null: it was changed. */
  oid: Oid | null;
  /** Null: not read yet. */
  entries: Map<string, Oid | Folder> | null;
}

export function openFolders(tree: Oid | null, readTree: ReadTree): Folders {
  const root: Folder = tree === null ? { oid: null, entries: new Map() } : { oid: tree, entries: null };
  let size = 0;

  async function entriesOf(folder: Folder): Promise<Map<string, Oid | Folder>> {
    if (folder.entries) return folder.entries;
    if (folder.oid === null) throw new Error("a changed folder has its entries");
    const entries = new Map<string, Oid | Folder>();
    for (const [name, { kind, oid }] of await readTree(folder.oid)) entries.set(name, kind === "file" ? oid : { oid, entries: null });
    size += entries.size;
    folder.entries = entries;
    return entries;
  }

  async function remove(folder: Folder, segments: readonly string[], inGit: boolean): Promise<void> {
    const entries = await entriesOf(folder);
    const [name = "", ...rest] = segments;
    folder.oid = null;
    if (rest.length === 0) {
      const { plain, marked } = fileEntries(name, inGit);
      if (plain !== null && typeof entries.get(plain) === "string") entries.delete(plain);
      entries.delete(marked);
      return;
    }
    const below = entries.get(folderEntry(name));
    if (typeof below !== "object") return;
    await remove(below, rest, inGit);
    if (below.entries?.size === 0) entries.delete(folderEntry(name));
  }

  async function add(folder: Folder, segments: readonly string[], oid: Oid, inGit: boolean): Promise<void> {
    const entries = await entriesOf(folder);
    const [name = "", ...rest] = segments;
    folder.oid = null;
    size += 1;
    if (rest.length === 0) {
      const { plain, marked } = fileEntries(name, inGit);
      const free = plain !== null && typeof entries.get(plain) !== "object";
      if (free) entries.delete(marked);
      entries.set(free ? plain : marked, oid);
      return;
    }
    const entry = folderEntry(name);
    const there = entries.get(entry);
    // The name goes to the folder. A file that had it gets a marked name.
    if (typeof there === "string") entries.set(fileEntries(name, inGit).marked, there);
    const below: Folder = typeof there === "object" ? there : { oid: null, entries: new Map() };
    entries.set(entry, below);
    await add(below, rest, oid, inGit);
  }

  async function seal(folder: Folder, objects: NamedObject[]): Promise<Oid> {
    if (folder.oid !== null || !folder.entries) return folder.oid ?? "";
    const entries: [string, TreeEntry][] = [];
    for (const [name, entry] of folder.entries) {
      entries.push([name, typeof entry === "string" ? { kind: "file", oid: entry } : { kind: "folder", oid: await seal(entry, objects) }]);
    }
    const object = await nameObject("tree", formatTree(entries));
    objects.push(object);
    folder.oid = object.oid;
    return object.oid;
  }

  return {
    put: (path, oid) => (oid === null ? remove(root, path.split("/"), isInGit(path)) : add(root, path.split("/"), oid, isInGit(path))),
    async seal() {
      const objects: NamedObject[] = [];
      return { root: await seal(root, objects), objects };
    },
    size: () => size,
  };
}

/** Every file below a tree. */
export async function filesBelow(tree: Oid, readTree: ReadTree): Promise<Map<Path, Oid>> {
  const files = new Map<Path, Oid>();
  const walk = async (oid: Oid, prefix: string): Promise<void> => {
    for (const [name, entry] of await readTree(oid)) {
      if (entry.kind === "folder") await walk(entry.oid, `${prefix}${folderName(name)}/`);
      else files.set(pathOf(prefix + fileName(name)), entry.oid);
    }
  };
  await walk(tree, "");
  return files;
}

/** The file at a path below a tree. Null if there is none. */
export async function fileBelow(tree: Oid, path: Path, readTree: ReadTree): Promise<Oid | null> {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  let oid = tree;
  for (const segment of segments) {
    const entry = (await readTree(oid)).get(folderEntry(segment));
    if (entry?.kind !== "folder") return null;
    ({ oid } = entry);
  }
  const entries = await readTree(oid);
  const { plain, marked } = fileEntries(name, isInGit(path));
  const there = plain === null ? undefined : entries.get(plain);
  const found = there?.kind === "file" ? there : entries.get(marked);
  return found?.kind === "file" ? found.oid : null;
}

function pathOf(text: string): Path {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new StorageError("damaged", `the history holds a file of the name ${JSON.stringify(text)}`);
  return parsed.path;
}
