import type { CpOptions, RmOptions } from "just-bash/browser";
import { type Path, parsePath } from "../../fs/path.ts";
import { endlessDevices, isDevice, readDevice } from "./devices.ts";
import { toBytes } from "./encoding.ts";
import { bytesOf, textOf } from "./file-text.ts";
import type { Disk } from "./machine.ts";
import { writeSaved } from "./saved-streams.ts";
import { type FileOp, projectFolder } from "./protocol.ts";
import { type SyncFiles, type SyncStat, SystemError } from "./sync-files.ts";
import {
  allBelow,
  cleanPath,
  createTree,
  type FileNode,
  type FolderNode,
  filesBelow,
  longestBelow,
  modeOf,
  statOf,
  type TreeNode,
} from "./tree.ts";

export interface ShellFilesOptions {
  /** Why a command may not change this project file; null: it may. */
  readonly refusal: (path: Path) => string | null;
  /** Called for every change of a project file, before the operation that changed it ends. */
  readonly record: (op: FileOp) => void;
  /** The content of a file that was put without it; null if the file is gone. */
  readonly fetch: (path: Path) => Promise<Uint8Array | null>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Creates an error that fails only the current command; `line` is what bash would print. */
  readonly failure: (message: string, line: string) => Error;
  /** The maximum bytes of fetched content. Beyond it, the content fetched first is dropped, because it can be fetched again. Default: 256 MB. */
  readonly fetchedLimit?: number;
}

/**
 * The file system that commands see: the project under `/project`, and a few folders that are never stored (`/tmp`, `/dev`, `/bin`).
 *
 * - A change of the project is recorded before the operation returns, so a killed command loses none.
 * - A path that the project can't store, or that `refusal` names, can't be changed under any spelling; `refused` lists the attempts.
 * - There are no links: making one fails and says so.
 * - Messages start with the system's error code, which just-bash's commands look for.
 */
export interface ShellFiles extends Disk {
  /** The same files for programs that can't wait. */
  readonly now: SyncFiles;
  /** Call it before each command: from here on, the first write of each file is recorded with the complete content. */
  beginCommand(): void;
  /** Updates a project file; never recorded. */
  put(path: Path, bytes: Uint8Array | null, size: number, mtime: number): void;
  drop(path: Path): void;
  /** The same, but a folder that becomes empty stays. */
  dropAlone(path: Path): void;
  /** Whether a command created files outside the project. */
  hasOutside(): boolean;
  /** Gives the content of a file that was put without it, before it is requested. */
  give(path: Path, bytes: Uint8Array): void;
}

/** The maximum number of refused changes that are reported. */
const mostRefused = 1_000;

/** In UTF-16 units, about as Linux counts. Walking folders nested deeper than any valid path would take minutes. */
const longestPath = 4_096;

/** The maximum bytes of one file, and of all content that the shell holds. */
const fileLimit = 64_000_000;
const heldLimit = 1_000_000_000;

export function createShellFiles({ refusal, record, fetch, now, failure, fetchedLimit = 256_000_000 }: ShellFilesOptions): ShellFiles {
  const tree = createTree(now());
  tree.ensureFolder(`${projectFolder}/vibey`, now());
  tree.ensureFolder("/tmp", now());
  /** Bytes of content, both the engine's and the commands'. */
  let held = 0;
  /** Files whose content was fetched and not changed since, in the order of fetching, and their total bytes. */
  const fetched = new Set<FileNode>();
  let fetchedBytes = 0;
  let refused = new Set<string>();
  let refusedTimes = 0;
  /** Files whose complete content was recorded during this command, so that appending to them can be recorded as such. */
  const recorded = new Set<FileNode>();
  /** The larger buffer, with room to grow, that a file's bytes are a view of. */
  const room = new WeakMap<FileNode, Uint8Array>();

  /** Whether errors must be those of programs that can't wait. */
  let direct = false;

  const fail = (code: string, what: string): never => {
    if (direct) throw new SystemError(code, `${code}: ${what}`);
    throw failure(`${code}: ${what}`, `bash: ${what}`);
  };
  const missing = (call: string, path: string): never => {
    const message = `ENOENT: no such file or directory, ${call} '${path}'`;
    if (direct) throw new SystemError("ENOENT", message);
    throw failure(message, `bash: ${path}: No such file or directory`);
  };

  function noteRefused(what: string): void {
    refusedTimes++;
    if (refused.size < mostRefused) refused.add(what);
  }

  /** Counts the refusal for `rm`, whose `-f` hides errors. */
  const refuse = (code: string, what: string): never => {
    noteRefused(what);
    return fail(code, what);
  };

  /** The project path of an absolute path; null outside the project and for its folder itself. */
  function inProject(path: string): Path | null {
    if (!path.startsWith(`${projectFolder}/`)) return null;
    const parsed = parsePath(path.slice(projectFolder.length + 1));
    return parsed.ok ? parsed.path : fail("EINVAL", `'${path}' can't be the name of a file of the project: ${parsed.failure.why}`);
  }

  function refusalOf(path: string): string | null {
    if (path.startsWith("/bin/") || path.startsWith("/usr/")) return `${path} is one of the shell's own files`;
    const projectPath = inProject(path);
    const why = projectPath === null ? null : refusal(projectPath);
    if (why !== null) noteRefused(why);
    return why;
  }

  function mustAllow(path: string): void {
    // A terminal, or a program's stream, which no path leads to here.
    if (/^\/(?:dev\/tty|(?:dev|proc\/self)\/fd\/[012])$/.test(path)) fail("ENXIO", `${path}: No such device or address`);
    const why = refusalOf(path);
    if (why !== null) fail("EROFS", why);
  }

  function find(call: string, given: string): { readonly path: string; readonly node: TreeNode } {
    const path = clean(given);
    const node = tree.find(path) ?? missing(call, given);
    return { path, node };
  }

  function clean(path: string): string {
    if (path.includes("\0")) fail("EINVAL", "a path contains a NUL character");
    if (path.length > longestPath) fail("ENAMETOOLONG", `file name too long, '${path.slice(0, 100)}…'`);
    return cleanPath(path);
  }

  async function content(path: string, node: FileNode): Promise<Uint8Array> {
    const device = readDevice(path);
    if (device !== null) return device;
    if (node.bytes === null) {
      const projectPath = inProject(path);
      const bytes = projectPath === null ? null : await fetch(projectPath);
      // A file that was put again while its old content was on the way keeps its new content.
      if (node.bytes === null) keepFetched(node, bytes ?? missing("open", path));
    }
    return node.bytes ?? missing("open", path);
  }

  function keepFetched(node: FileNode, bytes: Uint8Array): void {
    for (const first of fetched) {
      if (fetchedBytes + bytes.length <= fetchedLimit) break;
      held -= first.size;
      forgetFetched(first);
      first.bytes = null;
    }
    grow(bytes.length);
    node.bytes = bytes;
    node.size = bytes.length;
    fetched.add(node);
    fetchedBytes += bytes.length;
  }

  /** The content differs from the engine's, or is gone. */
  function forgetFetched(node: FileNode): void {
    if (fetched.delete(node)) fetchedBytes -= node.size;
  }

  const heldOf = (node: TreeNode | undefined): number => (node?.kind === "file" && node.bytes !== null ? node.size : 0);

  function contentNow(path: string, node: FileNode): Uint8Array {
    const bytes = readDevice(path) ?? node.bytes;
    if (bytes !== null) return bytes;
    const most = `${fetchedLimit / 1_000_000} MB of the project's large files can be had at the same time`;
    return fail("EAGAIN", `resource temporarily unavailable: ${most}, and '${path}' is not among them`);
  }

  /** Loads the smaller files first, so that few are left out if there is too much. */
  async function load(paths?: readonly string[], isWanted: (path: string) => boolean = () => true): Promise<void> {
    const wanted: { readonly path: string; readonly file: FileNode }[] = [];
    for (const path of (paths ?? [projectFolder]).map(clean)) {
      const node = tree.find(path);
      if (node === null) continue;
      for (const each of filesBelow(node, path))
        if ((each.file.bytes === null || fetched.has(each.file)) && isWanted(each.path)) wanted.push(each);
    }
    let left = fetchedLimit;
    const chosen = wanted.toSorted((a, b) => a.file.size - b.file.size).filter(({ file }) => (left -= file.size) >= 0);
    // Content that was fetched before and is wanted now is dropped last.
    for (const { file } of chosen) if (fetched.delete(file)) fetched.add(file);
    const missed = chosen.filter(({ file }) => file.bytes === null);
    // If a file is gone in the meantime, the program that opens it gets the error.
    await Promise.all(missed.map(({ path, file }) => content(path, file).catch(() => null)));
  }

  function grow(bytes: number): void {
    if (bytes > 0 && held + bytes > heldLimit) fail("ENOSPC", `the shell holds at most ${heldLimit} bytes`);
    held += bytes;
  }

  /** Stores bytes at a path after all checks. */
  function store(path: string, bytes: Uint8Array, keeps?: number): void {
    if (bytes.length > fileLimit) fail("EFBIG", `a file has at most ${fileLimit} bytes, '${path}'`);
    const { folder, name } = tree.parent(path) ?? missing("open", path);
    const old = folder.children.get(name);
    if (old?.kind === "folder") return fail("EISDIR", `${path}: Is a directory`);
    grow(bytes.length - heldOf(old));
    const file = old ?? tree.newFile(bytes, bytes.length, now());
    forgetFetched(file);
    file.bytes = bytes;
    file.size = bytes.length;
    file.mtime = now();
    room.delete(file);
    if (!old) folder.mtime = now();
    folder.children.set(name, file);
    const projectPath = inProject(path);
    if (projectPath === null) return;
    recorded.add(file);
    record({ type: "write", path: projectPath, bytes: bytes.slice(), ...(keeps !== undefined && { keeps }) });
  }

  function write(given: string, bytes: Uint8Array, keeps?: number): void {
    const path = clean(given);
    mustAllow(path);
    if (isDevice(path)) return;
    store(path, bytes, keeps);
  }

  async function append(given: string, more: Uint8Array): Promise<void> {
    if (writeSaved(given, more)) return;
    const path = clean(given);
    const node = tree.find(path);
    if (node?.kind === "file") {
      mustAllow(path);
      await content(path, node);
    }
    appendNow(given, more);
  }

  function appendNow(given: string, more: Uint8Array): void {
    const path = clean(given);
    const node = tree.find(path);
    if (node?.kind !== "file") return write(given, more, 0);
    mustAllow(path);
    if (isDevice(path)) return;
    const before = contentNow(path, node);
    const size = before.length + more.length;
    if (size > fileLimit) fail("EFBIG", `a file has at most ${fileLimit} bytes, '${given}'`);
    grow(more.length);
    let buffer = room.get(node);
    if (buffer === undefined || buffer.length < size || buffer.buffer !== before.buffer) {
      buffer = new Uint8Array(Math.max(256, 2 * size));
      buffer.set(before);
      room.set(node, buffer);
    }
    buffer.set(more, before.length);
    forgetFetched(node);
    node.bytes = buffer.subarray(0, size);
    node.size = size;
    node.mtime = now();
    const projectPath = inProject(path);
    if (projectPath === null) return;
    record(
      recorded.has(node)
        ? { type: "append", path: projectPath, bytes: more.slice() }
        : { type: "write", path: projectPath, bytes: node.bytes.slice(), keeps: before.length },
    );
    recorded.add(node);
  }

  function makeFolder(given: string, recursive: boolean): void {
    const path = clean(given);
    const there = tree.find(path);
    if (there?.kind === "file") fail("EEXIST", `file already exists, mkdir '${given}'`);
    if (there) {
      if (!recursive) fail("EEXIST", `directory already exists, mkdir '${given}'`);
      return;
    }
    mustAllow(path);
    if (!recursive && tree.parent(path) === null) missing("mkdir", given);
    if (tree.ensureFolder(path, now()) === null) fail("ENOTDIR", `not a directory, mkdir '${given}'`);
  }

  function unlink(path: string, folder: FolderNode, name: string, file: FileNode): void {
    folder.children.delete(name);
    folder.mtime = now();
    held -= heldOf(file);
    forgetFetched(file);
    recorded.delete(file);
    const projectPath = inProject(path);
    if (projectPath !== null) record({ type: "remove", path: projectPath });
  }

  /** Removes what may be removed. Returns why something stayed, or null. */
  function remove(path: string, folder: FolderNode, name: string, node: TreeNode): string | null {
    if (node.kind === "file") {
      const why = refusalOf(path);
      if (why === null) unlink(path, folder, name, node);
      return why;
    }
    let stayed: string | null = null;
    for (const [childName, child] of node.children) stayed = remove(`${path}/${childName}`, node, childName, child) ?? stayed;
    if (stayed === null && node.children.size === 0 && !fixed.has(path)) folder.children.delete(name);
    return stayed;
  }

  /** The folders of the shell itself and of the project at the root. */
  const ownFolders = new Set([projectFolder.slice(1), "dev", "bin", "usr", "proc"]);
  /** Folders that always exist. */
  const fixed = new Set([projectFolder, `${projectFolder}/vibey`, "/tmp", "/dev", "/bin", "/usr", "/usr/bin", "/proc"]);

  async function copy(from: string, to: string, recursive: boolean): Promise<void> {
    const { path, node } = find("cp", from);
    const target = clean(to);
    if (node.kind === "file") return write(target, (await content(path, node)).slice());
    if (!recursive) fail("EISDIR", `is a directory, cp '${from}'`);
    if (target === path || target.startsWith(`${path}/`)) fail("EINVAL", `cannot copy '${from}' into itself, '${to}'`);
    makeFolder(target, true);
    for (const name of node.children.keys()) await copy(`${path}/${name}`, `${target}/${name}`, true);
  }

  async function move(from: string, to: string): Promise<void> {
    const { path, node } = find("mv", from);
    for (const { path: at, file } of filesBelow(node, path)) await content(at, file);
    moveNow(from, to);
  }

  function moveNow(from: string, to: string): void {
    const { path, node } = find("mv", from);
    const target = clean(to);
    if (path === target) return;
    if (target.startsWith(`${path}/`)) fail("EINVAL", `cannot move '${from}' into itself, '${to}'`);
    if (fixed.has(path)) fail("EBUSY", `'${from}' stays where it is`);
    const deepest = node.kind === "file" ? 0 : longestBelow(node);
    if (target.length + deepest > longestPath) fail("ENAMETOOLONG", `file name too long, rename '${from}' -> '${to}'`);
    // All or nothing: every file of the folder must be allowed to leave its old path and to arrive at its new one.
    const files = [...filesBelow(node, path)].map((entry) => ({ ...entry, to: target + entry.path.slice(path.length) }));
    mustAllow(path);
    mustAllow(target);
    for (const file of files) {
      mustAllow(file.path);
      mustAllow(file.to);
    }
    const source = tree.parent(path) ?? missing("mv", from);
    const { folder, name } = tree.parent(target) ?? missing("mv", to);
    const there = folder.children.get(name);
    if (there?.kind === "folder" && node.kind === "file") fail("EISDIR", `cannot overwrite directory '${to}' with non-directory`);
    if (there?.kind === "file" && node.kind === "folder") fail("ENOTDIR", `cannot overwrite non-directory '${to}' with directory`);
    if (there?.kind === "folder" && there.children.size > 0) fail("ENOTEMPTY", `directory not empty, rename '${from}' -> '${to}'`);
    for (const { path: at, file } of files) contentNow(at, file);
    // Don't record a removal of a file that is written again: a command killed in between would have lost it.
    if (there?.kind === "file") {
      held -= heldOf(there);
      forgetFetched(there);
    }
    source.folder.children.delete(source.name);
    folder.children.set(name, node);
    source.folder.mtime = now();
    folder.mtime = now();
    for (const { path: at, to: arrives, file } of files) {
      const left = inProject(at);
      const arrived = inProject(arrives);
      // Its content can't be fetched under the new path.
      forgetFetched(file);
      recorded.delete(file);
      if (arrived !== null && file.bytes !== null) {
        record({ type: "write", path: arrived, bytes: file.bytes.slice() });
        recorded.add(file);
      }
      // Recorded last: a command killed in between leaves the file at both paths, not at none.
      if (left !== null) record({ type: "remove", path: left });
    }
  }

  function entries(given: string): { name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean }[] {
    const { node } = find("scandir", given);
    if (node.kind === "file") return fail("ENOTDIR", `not a directory, scandir '${given}'`);
    return [...node.children]
      .map(([name, child]) => ({ name, isFile: child.kind === "file", isDirectory: child.kind === "folder", isSymbolicLink: false }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async function read(given: string): Promise<Uint8Array> {
    const { path, node } = find("open", given);
    return node.kind === "file" ? content(path, node) : fail("EISDIR", `illegal operation on a directory, read '${given}'`);
  }

  function removeFolderNow(given: string, recursive: boolean): void {
    const { path, node } = find("rmdir", given);
    if (node.kind === "file") fail("ENOTDIR", `not a directory, rmdir '${given}'`);
    removeAt(given, path, node, recursive);
  }

  function removeAt(given: string, path: string, node: TreeNode, recursive: boolean): void {
    const { folder, name } = tree.parent(path) ?? refuse("EBUSY", "/ stays");
    if (node.kind === "folder" && !recursive) {
      if (node.children.size > 0) fail("ENOTEMPTY", `directory not empty, rm '${given}'`);
      if (fixed.has(path)) refuse("EBUSY", `'${given}' stays`);
    }
    const stayed = remove(path, folder, name, node);
    if (stayed !== null) fail("EROFS", stayed);
  }

  function unlinkNow(given: string): void {
    const { path, node } = find("unlink", given);
    if (node.kind === "folder") fail("EISDIR", `illegal operation on a directory, unlink '${given}'`);
    removeAt(given, path, node, false);
  }

  /** Runs `work` with the errors of a program that can't wait. */
  function directly<T>(work: () => T): T {
    const before = direct;
    direct = true;
    try {
      return work();
    } finally {
      direct = before;
    }
  }

  const sync: SyncFiles = {
    load,
    stat: (path) => directly(() => syncStatOf(tree.find(clean(path)))),
    read: (given) =>
      directly(() => {
        const { path, node } = find("open", given);
        return node.kind === "file" ? contentNow(path, node) : fail("EISDIR", `illegal operation on a directory, read '${given}'`);
      }),
    write: (path, bytes) => directly(() => write(path, bytes)),
    append: (path, bytes) => directly(() => appendNow(path, bytes)),
    list: (path) => directly(() => entries(path).map(({ name, isFile }) => ({ name, kind: isFile ? "file" : "folder" }))),
    makeFolder: (path, recursive) => directly(() => makeFolder(path, recursive)),
    unlink: (path) => directly(() => unlinkNow(path)),
    removeFolder: (path, recursive) => directly(() => removeFolderNow(path, recursive)),
    rename: (from, to) => directly(() => moveNow(from, to)),
    setMode: (path, mode) => directly(() => void (find("chmod", path).node.mode = mode)),
    setTime: (path, mtime) => directly(() => void (find("utime", path).node.mtime = mtime)),
    all: () => allBelow(tree.root, ""),
  };

  tree.ensureFolder("/dev", now());
  for (const device of endlessDevices) store(device, new Uint8Array());

  const noLinks = (call: string, path: string): never =>
    fail("ENOTSUP", `links are not supported in this shell, ${call} '${path}'; copy the file instead`);

  const above = (at: string): string => at.slice(0, at.lastIndexOf("/"));

  /** Removes a file from its folder; false: there is none. */
  function dropFile(at: string): boolean {
    const node = tree.find(at);
    if (node?.kind !== "file") return false;
    held -= heldOf(node);
    forgetFetched(node);
    const up = tree.parent(at);
    up?.folder.children.delete(up.name);
    return true;
  }

  return {
    now: sync,
    readFile: async (path, options) => textOf(await read(path), options),
    readFileBuffer: read,
    writeFile: async (path, data, options) => write(path, bytesOf(data, options)),
    appendFile: (path, data, options) => append(path, bytesOf(data, options)),
    exists: async (path) => !path.includes("\0") && tree.find(cleanPath(path)) !== null,
    stat: async (path) => statOf(find("stat", path).node),
    lstat: async (path) => statOf(find("lstat", path).node),
    mkdir: async (path, options) => makeFolder(path, options?.recursive === true),
    readdir: async (path) => entries(path).map((entry) => entry.name),
    readdirWithFileTypes: async (path) => entries(path),
    async rm(given: string, options?: RmOptions) {
      const path = clean(given);
      const node = tree.find(path);
      if (node === null) {
        if (options?.force !== true) missing("rm", given);
        return;
      }
      removeAt(given, path, node, options?.recursive === true);
    },
    cp: (from: string, to: string, options?: CpOptions) => copy(from, to, options?.recursive === true),
    mv: move,
    resolvePath: (base, path) => cleanPath(path.startsWith("/") ? path : `${base}/${path}`),
    getAllPaths() {
      const paths: string[] = [];
      const visit = (node: TreeNode, path: string): void => {
        paths.push(path === "" ? "/" : path);
        if (node.kind === "folder") for (const [name, child] of node.children) visit(child, `${path}/${name}`);
      };
      visit(tree.root, "");
      return paths;
    },
    async chmod(path, mode) {
      find("chmod", path).node.mode = mode;
    },
    symlink: async (_target, path) => noLinks("symlink", path),
    link: async (_existing, path) => noLinks("link", path),
    readlink: async (path) => {
      find("readlink", path);
      return fail("EINVAL", `invalid argument, readlink '${path}'`);
    },
    realpath: async (path) => find("realpath", path).path,
    async utimes(path, _atime, mtime) {
      find("utimes", path).node.mtime = mtime.getTime();
    },

    takeRefused() {
      const lines = [...refused];
      refused = new Set();
      refusedTimes = 0;
      return lines;
    },
    refusedCount: () => refusedTimes,
    beginCommand: () => recorded.clear(),
    isFolder: (path) => tree.find(cleanPath(path))?.kind === "folder",
    put(path, bytes, size, mtime) {
      const at = `${projectFolder}/${path}`;
      const slash = at.lastIndexOf("/");
      const folder = tree.ensureFolder(at.slice(0, slash), mtime);
      const there = folder?.children.get(at.slice(slash + 1));
      if (folder === null) return;
      // Another dialog replaced the last file of a folder by this one. The empty folder must not hide this file.
      if (there?.kind === "folder" && (fixed.has(at) || !filesBelow(there, at).next().done)) return;
      held += (bytes === null ? 0 : size) - heldOf(there);
      if (there?.kind === "file") forgetFetched(there);
      const fresh = tree.newFile(bytes, size, mtime);
      folder.children.set(at.slice(slash + 1), { ...fresh, mode: there?.kind === "file" ? there.mode : null });
    },
    drop(path) {
      const file = `${projectFolder}/${path}`;
      if (!dropFile(file)) return;
      for (let at = above(file); !fixed.has(at); at = above(at)) {
        const folder = tree.find(at);
        if (folder?.kind !== "folder" || folder.children.size > 0) return;
        const up = tree.parent(at);
        up?.folder.children.delete(up.name);
      }
    },
    dropAlone: (path) => void dropFile(`${projectFolder}/${path}`),
    hasOutside: () => [...tree.root.children].some(([name, node]) => !ownFolders.has(name) && !filesBelow(node, `/${name}`).next().done),
    give(path, bytes) {
      const node = tree.find(`${projectFolder}/${path}`);
      if (node?.kind === "file" && node.bytes === null && held + bytes.length <= heldLimit) keepFetched(node, bytes);
    },
    mkdirSync: (path) => void tree.ensureFolder(clean(path), now()),
    writeFileSync: (path, data) => store(clean(path), toBytes(data, undefined)),
  };
}

function syncStatOf(node: TreeNode | null): SyncStat | null {
  if (node === null) return null;
  return { kind: node.kind, size: node.kind === "file" ? node.size : 0, mtime: node.mtime, mode: modeOf(node), id: node.id };
}
