import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import type { FsStat } from "just-bash/browser";
import { readDevice } from "../../../embedded/devices.ts";
import { toBytes } from "../../../embedded/encoding.ts";
import { bytesOf, textOf } from "../../../embedded/file-text.ts";
import type { Disk } from "../../../embedded/machine.ts";
import { writeSaved } from "../../../embedded/saved-streams.ts";
import { statOf } from "../../../embedded/tree.ts";
import { breathe } from "../breathe.ts";
import { createChanges } from "./changes.ts";
import { createGuard } from "./guard.ts";
import { createOwnFiles } from "./own-files.ts";
import { systemFailure } from "./system-failure.ts";
import { withoutLinks } from "./without-links.ts";

export interface DiskOptions {
  /** The absolute path of the project's folder. */
  readonly project: string;
  /** The folders that are searched for programs. */
  readonly path: readonly string[];
  /** Creates an error that fails only the current command; `line` is what bash would print. */
  readonly failure: (message: string, line: string) => Error;
}

/** Maximum bytes of a file that a shell command reads or writes as a whole. */
const fileLimit = 512_000_000;

/**
 * The WebContainer's real files, through `node:fs`: links, modes and times are the real ones. `/bin` and `/usr/bin` also show the shell's commands;
 * `/dev` and `/proc` belong to the shell.
 *
 * - What `createGuard` protects can't be changed, under any spelling or through any link.
 * - Messages start with the system's error code, which just-bash's commands look for.
 */
export function createDisk({ project, path: programs, failure }: DiskOptions): Disk {
  const own = createOwnFiles(programs);
  const guard = createGuard(project);
  const refused: string[] = [];

  const fail = (code: string, what: string): never => {
    throw failure(`${code}: ${what}`, `bash: ${what}`);
  };
  const refuse = (code: string, what: string): never => {
    refused.push(what);
    return fail(code, what);
  };

  function clean(path: string): string {
    if (path.includes("\0")) fail("EINVAL", "a path contains a NUL character");
    return cleanPath("/", path);
  }

  /** Not added to `refused`: just-bash tries to write to /dev/fd before it creates its own files there. */
  function mustNotBeOwn(path: string): void {
    if (own.find(path) !== "container") fail("EROFS", `${path} is one of the shell's own files`);
  }

  function mustAllow(path: string, follows = true): void {
    mustNotBeOwn(path);
    const refusal = guard.refusal(path, follows);
    if (refusal !== null) refuse(refusal.code, refusal.why);
  }

  /** Turns the system's errors into the shell's errors. */
  async function attempt<T>(given: string, work: (path: string) => T | Promise<T>): Promise<T> {
    await breathe();
    const path = clean(given);
    try {
      return await work(path);
    } catch (error) {
      throw systemFailure(error, given, failure);
    }
  }

  const noEntry = (call: string, path: string): never => {
    throw Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), { code: "ENOENT", syscall: call });
  };

  function found(path: string, call: "stat" | "lstat"): FsStat {
    const node = own.find(path);
    if (node === null) return noEntry(call, path);
    if (node !== "container") return statOf(node);
    return fsStat(call === "stat" ? statSync(path) : lstatSync(path));
  }

  function readNow(path: string): Uint8Array {
    const node = own.find(path);
    const device = readDevice(path);
    if (device !== null) return device;
    if (node === null) return noEntry("open", path);
    if (node !== "container") return node.kind === "file" && node.bytes !== null ? node.bytes : fail("EISDIR", `${path}: Is a directory`);
    const stat = statSync(path);
    if (stat.size > fileLimit) fail("EFBIG", `${path}: the shell's commands read at most ${fileLimit} bytes; use a program`);
    // Reading a pipe or a terminal would block everything until someone writes to it.
    if (!stat.isFile() && !stat.isDirectory()) fail("ENOTSUP", `${path}: not a regular file`);
    // Copies, because a small Buffer shares its memory with others.
    return new Uint8Array(readFileSync(path));
  }

  function writeNow(path: string, bytes: Uint8Array, append: boolean): void {
    if (own.isDevice(path)) return;
    mustAllow(path);
    if (bytes.length > fileLimit) fail("EFBIG", `a file has at most ${fileLimit} bytes, '${path}'`);
    if (append) appendFileSync(path, bytes);
    else writeFileSync(path, bytes);
  }

  const { removeNow, moveNow, copyNow } = createChanges({ own, guard, refused, fail, refuse, mustAllow, mustNotBeOwn, readNow, writeNow });

  function entries(path: string): { name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean }[] {
    const node = own.find(path);
    if (node === null) return noEntry("scandir", path);
    if (node !== "container" && node.kind === "file") fail("ENOTDIR", `not a directory, scandir '${path}'`);
    const names = new Map(
      own
        .namesIn(path)
        .map(([name, { kind }]) => [name, { isFile: kind === "file", isDirectory: kind === "folder", isSymbolicLink: false }]),
    );
    if (node === "container" || existsAndIsShared(path))
      for (const entry of readdirSync(path, { withFileTypes: true }))
        if (own.find(path === "/" ? `/${entry.name}` : `${path}/${entry.name}`) === "container")
          names.set(entry.name, { isFile: entry.isFile(), isDirectory: entry.isDirectory(), isSymbolicLink: entry.isSymbolicLink() });
    const listed = [...names].map(([name, kind]) => ({ name, ...kind }));
    const shown = withoutLinks.getStore() === true ? listed.filter((entry) => !entry.isSymbolicLink) : listed;
    return shown.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  const existsAndIsShared = (path: string): boolean => own.find(`${path}/-`) === "container" && existsSync(path);

  return {
    readFile: (given, options) => attempt(given, (path) => textOf(readNow(path), options)),
    readFileBuffer: (given) => attempt(given, readNow),
    writeFile: (given, data, options) => attempt(given, (path) => writeNow(path, bytesOf(data, options), false)),
    async appendFile(given, data, options) {
      const bytes = bytesOf(data, options);
      if (!writeSaved(given, bytes)) await attempt(given, (path) => writeNow(path, bytes, true));
    },
    async exists(given) {
      if (given.includes("\0")) return false;
      await breathe();
      const path = clean(given);
      const node = own.find(path);
      return node === "container" ? existsSync(path) : node !== null;
    },
    stat: (given) => attempt(given, (path) => found(path, "stat")),
    lstat: (given) => attempt(given, (path) => found(path, "lstat")),
    mkdir: (given, options) =>
      attempt(given, (path) => {
        if (options?.recursive === true && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)) return;
        mustAllow(path);
        mkdirSync(path, { recursive: options?.recursive === true });
      }),
    readdir: (given) => attempt(given, (path) => entries(path).map(({ name }) => name)),
    readdirWithFileTypes: (given) => attempt(given, entries),
    rm: (given, options) =>
      attempt(given, async (path) => {
        const isThere = own.find(path) !== "container" || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
        if (isThere || options?.force !== true) await removeNow(path, options?.recursive === true);
      }),
    cp: (from, to, options) => attempt(from, (path) => copyNow(path, clean(to), options?.recursive === true)),
    mv: (from, to) => attempt(from, (path) => moveNow(path, clean(to))),
    resolvePath: cleanPath,
    getAllPaths: () => [],
    chmod: (given, mode) =>
      attempt(given, (path) => {
        mustAllow(path);
        chmodSync(path, mode);
      }),
    symlink: (target, given) =>
      attempt(given, (path) => {
        mustAllow(path, false);
        symlinkSync(target, path);
      }),
    link: (existing, given) =>
      attempt(given, (path) => {
        mustAllow(clean(existing));
        mustAllow(path, false);
        linkSync(clean(existing), path);
      }),
    readlink: (given) =>
      attempt(given, (path) =>
        own.find(path) === "container" ? readlinkSync(path) : fail("EINVAL", `invalid argument, readlink '${path}'`),
      ),
    realpath: (given) =>
      attempt(given, (path) => {
        const node = own.find(path);
        return node === "container" ? realpathSync(path) : node === null ? noEntry("realpath", path) : path;
      }),
    utimes: (given, atime, mtime) =>
      attempt(given, (path) => {
        if (own.isDevice(path)) return;
        mustAllow(path);
        // Seconds, because commands pass dates as proxies, and Node rejects a proxy of a date.
        utimesSync(path, atime.getTime() / 1000, mtime.getTime() / 1000);
      }),

    takeRefused() {
      return [...new Set(refused.splice(0))];
    },
    refusedCount: () => refused.length,
    beginCommand: () => undefined,
    isFolder(given) {
      const path = clean(given);
      const node = own.find(path);
      return node === "container" ? (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) : node?.kind === "folder";
    },
    mkdirSync: (path) => own.addFolder(clean(path)),
    writeFileSync: (path, data) => own.addFile(clean(path), toBytes(data, undefined)),
  };
}

/** Returns an absolute path without ".", ".." or empty segments. Names keep their spelling. */
function cleanPath(base: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function fsStat(stat: Stats): FsStat {
  return {
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
    isSymbolicLink: stat.isSymbolicLink(),
    mode: stat.mode & 0o7777,
    size: stat.size,
    mtime: stat.mtime,
    dev: stat.dev,
    ino: stat.ino,
    identity: `${stat.dev}:${stat.ino}`,
  };
}
