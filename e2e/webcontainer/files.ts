import { type FSWatcher, watch } from "node:fs";
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Callee, EntryType, Told } from "./messages.ts";
import { followedIn, pathIn } from "./paths.ts";
import { pack, unpack } from "./tree.ts";

type FileCalls = Pick<
  Callee,
  "readFile" | "writeFile" | "readdir" | "mkdir" | "rm" | "rename" | "watch" | "unwatch" | "loadFiles" | "serialize"
>;

interface Files {
  readonly calls: FileCalls;
  /** Stops watching. */
  close(): void;
}

const encodingOf = (encoding: string | null) => {
  if (encoding !== null && !Buffer.isEncoding(encoding)) throw new TypeError(`Unknown encoding: ${encoding}`);
  return encoding;
};

function typeOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): EntryType {
  if (entry.isDirectory()) return 2;
  return entry.isSymbolicLink() ? 3 : 1;
}

/** The project's folder: implements `WebContainer.fs`, `mount` and `export`. */
export function openFiles(workdir: string, tell: (told: Told) => void): Files {
  const watches = new Map<number, FSWatcher>();
  const calls: FileCalls = {
    async readFile(path, encoding) {
      return readFile(await followedIn(workdir, path), encodingOf(encoding));
    },
    async writeFile(path, data, encoding) {
      await writeFile(await followedIn(workdir, path), data, encodingOf(encoding));
      return null;
    },
    async readdir(path) {
      const entries = await readdir(await followedIn(workdir, path), { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, type: typeOf(entry) }));
    },
    async mkdir(path, recursive) {
      return (await mkdir(await pathIn(workdir, path), { recursive })) ?? null;
    },
    async rm(path, force, recursive) {
      await rm(await pathIn(workdir, path), { force, recursive });
      return null;
    },
    async rename(from, to) {
      await rename(await pathIn(workdir, from), await pathIn(workdir, to));
      return null;
    },
    async watch(id, path, recursive) {
      const watcher = watch(await followedIn(workdir, path), { recursive, encoding: "utf8" });
      watcher.on("change", (type, filename) => tell({ kind: "watched", watch: id, type, filename: String(filename) }));
      watcher.on("error", ({ message }) => tell({ kind: "event", name: "error", args: [{ message }] }));
      watches.set(id, watcher);
      return null;
    },
    async unwatch(id) {
      watches.get(id)?.close();
      watches.delete(id);
      return null;
    },
    async loadFiles(packed, mountPoint) {
      const folder = mountPoint === null ? workdir : await followedIn(workdir, mountPoint);
      await access(folder);
      await unpack(folder, packed);
      return null;
    },
    async serialize(path, options) {
      return pack(await followedIn(workdir, path), options);
    },
  };
  return {
    calls,
    close() {
      for (const watcher of watches.values()) watcher.close();
      watches.clear();
    },
  };
}
