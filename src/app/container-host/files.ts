import type { FileSystemTree } from "@webcontainer/api";
import type { WebContainerFile } from "../../shell/webcontainer/page-messages.ts";
import type { Container } from "./client.ts";

/**
 * The client turns a tree into a single JSON text, in one task. So this is how many bytes and files it gets at a time. Larger files are written one
 * by one, as bytes.
 */
const piece = { bytes: 128 * 1024, files: 200, alone: 64 * 1024 } as const;
/** The maximum number of operations at a time. */
const atOnce = 16;

/** Creates or replaces the files. Rejects with the client's error; files created before it stay. */
export async function putFiles(container: Pick<Container, "mount" | "fs">, files: readonly WebContainerFile[]): Promise<void> {
  for (const { path } of files) checkPath(path);
  for (const some of pieces(files.filter(({ bytes }) => bytes.length <= piece.alone))) await container.mount(treeOf(some));
  const large = files.filter(({ bytes }) => bytes.length > piece.alone);
  const folders = new Set(large.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/")))).filter((folder) => folder !== ""));
  await each(folders, (folder) => container.fs.mkdir(folder, { recursive: true }));
  await each(large, ({ path, bytes }) => container.fs.writeFile(path, bytes));
}

/** Removes files and folders with their contents. */
export async function removeFiles(container: Pick<Container, "fs">, paths: readonly string[]): Promise<void> {
  for (const path of paths) checkPath(path);
  await each(paths, (path) => container.fs.rm(path, { recursive: true, force: true }));
}

function checkPath(path: string): void {
  if (path.split("/").some((name) => name === "" || name === "." || name === "..")) throw new Error(`not a path of the project: ${path}`);
}

/** Settles when no operation is running. After a failure, no further one is started. */
async function each<T>(all: Iterable<T>, work: (one: T) => Promise<unknown>): Promise<void> {
  const queue = all[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = queue.next(); !next.done && failures.length === 0; next = queue.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}

function* pieces(files: readonly WebContainerFile[]): Generator<readonly WebContainerFile[]> {
  let some: WebContainerFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (some.length > 0 && (bytes + file.bytes.length > piece.bytes || some.length === piece.files)) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(file);
    bytes += file.bytes.length;
  }
  if (some.length > 0) yield some;
}

/** Without a prototype: a file may be named `__proto__`. */
function emptyTree(): FileSystemTree {
  const tree: FileSystemTree = {};
  Object.setPrototypeOf(tree, null);
  return tree;
}

function treeOf(files: readonly WebContainerFile[]): FileSystemTree {
  const root = emptyTree();
  for (const { path, bytes } of files) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let folder = root;
    for (const name of names) {
      const node = (folder[name] ??= { directory: emptyTree() });
      if (!("directory" in node)) throw new Error(`a file and a folder of one name: ${path}`);
      folder = node.directory;
    }
    folder[last] = { file: { contents: bytes } };
  }
  return root;
}
