import type { FsStat } from "just-bash/browser";
import type { TreeEntry } from "./sync-files.ts";

/** A file. `bytes` is null while only the engine has the content. Bytes are never changed in place: a view that was returned stays the same. */
export interface FileNode {
  readonly kind: "file";
  readonly id: number;
  bytes: Uint8Array | null;
  size: number;
  mtime: number;
  /** Null: no one has set one; see `modeOf`. */
  mode: number | null;
}

export interface FolderNode {
  readonly kind: "folder";
  readonly id: number;
  readonly children: Map<string, TreeNode>;
  mtime: number;
  mode: number;
}

export type TreeNode = FileNode | FolderNode;

/** The shell's files, synchronous and in memory. Paths are absolute and normalized (see `cleanPath`). It has no links and no rules. */
export interface Tree {
  readonly root: FolderNode;
  find(path: string): TreeNode | null;
  /** The folder that contains `path`, and the last segment; null if there is no such folder, and for the root. */
  parent(path: string): { readonly folder: FolderNode; readonly name: string } | null;
  newFile(bytes: Uint8Array | null, size: number, mtime: number): FileNode;
  newFolder(mtime: number): FolderNode;
  /** Creates the missing folders of `path`; null if a file is in the way. */
  ensureFolder(path: string, mtime: number): FolderNode | null;
}

/** Normalizes a path: absolute, without "." or ".." or empty segments, in Unicode NFC. */
export function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.normalize("NFC").split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

export function createTree(now: number): Tree {
  let ids = 0;
  const newFolder = (mtime: number): FolderNode => ({ kind: "folder", id: ++ids, children: new Map(), mtime, mode: 0o755 });
  const root = newFolder(now);

  function find(path: string): TreeNode | null {
    let node: TreeNode = root;
    for (const segment of segmentsOf(path)) {
      const next: TreeNode | undefined = node.kind === "folder" ? node.children.get(segment) : undefined;
      if (next === undefined) return null;
      node = next;
    }
    return node;
  }

  return {
    root,
    find,
    parent(path) {
      const slash = path.lastIndexOf("/");
      const name = path.slice(slash + 1);
      const folder = find(path.slice(0, slash));
      return name !== "" && folder?.kind === "folder" ? { folder, name } : null;
    },
    newFile: (bytes, size, mtime) => ({ kind: "file", id: ++ids, bytes, size, mtime, mode: null }),
    newFolder,
    ensureFolder(path, mtime) {
      let folder = root;
      for (const segment of segmentsOf(path)) {
        let next = folder.children.get(segment);
        if (next === undefined) {
          next = newFolder(mtime);
          folder.children.set(segment, next);
        }
        if (next.kind === "file") return null;
        folder = next;
      }
      return folder;
    },
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

/** The project stores no modes, so the first two bytes decide whether a file is an executable script. */
export function modeOf(node: TreeNode): number {
  if (node.kind === "folder") return node.mode;
  if (node.mode !== null) return node.mode;
  return node.bytes !== null && node.bytes[0] === 0x23 && node.bytes[1] === 0x21 ? 0o755 : 0o644;
}

/** Every file below `node`, with its path. */
export function* filesBelow(node: TreeNode, path: string): Generator<{ readonly path: string; readonly file: FileNode }> {
  if (node.kind === "file") yield { path, file: node };
  else for (const [name, child] of node.children) yield* filesBelow(child, `${path === "/" ? "" : path}/${name}`);
}

/** The length of the longest path below a folder, relative to it. */
export function longestBelow(folder: FolderNode): number {
  let longest = 0;
  for (const [name, node] of folder.children)
    longest = Math.max(longest, 1 + name.length + (node.kind === "file" ? 0 : longestBelow(node)));
  return longest;
}

/** Every file and folder below a folder. */
export function* allBelow(folder: FolderNode, path: string): Generator<TreeEntry> {
  for (const [name, node] of folder.children) {
    const at = `${path}/${name}`;
    if (node.kind === "file") yield { path: at, kind: "file", bytes: node.bytes, size: node.size, mtime: node.mtime, mode: node.mode };
    else {
      yield { path: at, kind: "folder", bytes: null, size: 0, mtime: node.mtime, mode: node.mode };
      yield* allBelow(node, at);
    }
  }
}

/** The stat object that just-bash expects. */
export function statOf(node: TreeNode): FsStat {
  return {
    isFile: node.kind === "file",
    isDirectory: node.kind === "folder",
    isSymbolicLink: false,
    mode: modeOf(node),
    size: node.kind === "file" ? node.size : 0,
    mtime: new Date(node.mtime),
    identity: `${node.id}`,
  };
}
