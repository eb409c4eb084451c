import { lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode, encode } from "@msgpack/msgpack";
import { type Zippable, zipSync } from "fflate";
import picomatch from "picomatch";
import type { ExportOptions } from "./messages.ts";
import { failure } from "./paths.ts";

/**
 * File trees as the client packs them: folders `{d}`, files `{f: {c}}`, links `{f: {l}}`. In JSON, binary content is stored as
 * characters U+0000 to U+00FF and marked with `b`; in snapshots (MessagePack) it is bytes.
 */
interface Folder {
  readonly d: Record<string, Folder | File>;
}

interface File {
  readonly f: { readonly c: string | Uint8Array; readonly b?: boolean } | { readonly l: string };
}

const bytesOf = (content: string | Uint8Array, isBinary = false) =>
  typeof content === "string" ? Buffer.from(content, isBinary ? "latin1" : "utf8") : content;

/** Removes a link at the place of a write: it may lead out of the container. */
async function removeLink(path: string): Promise<void> {
  try {
    if ((await lstat(path)).isSymbolicLink()) await rm(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

async function write(folder: string, tree: Folder): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, entry] of Object.entries(tree.d)) {
    if (name === "" || name === "." || name === ".." || name.includes("/")) throw failure("EINVAL", `no name of a file, '${name}'`);
    const path = join(folder, name);
    await removeLink(path);
    if ("d" in entry) await write(path, entry);
    else if ("l" in entry.f) await symlink(entry.f.l, path);
    else await writeFile(path, bytesOf(entry.f.c, entry.f.b));
  }
}

/** Adds the files of a packed tree to a folder, replacing files of the same names. */
export async function unpack(folder: string, packed: Uint8Array): Promise<void> {
  const isJson = packed[0] === "{".charCodeAt(0);
  const tree = (isJson ? JSON.parse(Buffer.from(packed).toString()) : decode(packed)) as Partial<Folder> | null;
  if (typeof tree?.d !== "object") throw failure("EINVAL", "a tree of files was expected");
  await write(folder, { d: tree.d });
}

interface Wanted {
  /** Whether there are include patterns, so that excluded folders have to be searched. */
  readonly hasIncludes: boolean;
  /** Whether a pattern excludes the path and everything in it. */
  excluded(path: string): boolean;
  /** Whether a pattern includes the path nevertheless. */
  included(path: string): boolean;
}

async function read(folder: string, path: string, wanted: Wanted, isOut: boolean): Promise<Folder> {
  const tree: Folder = { d: {} };
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const inner = path === "" ? entry.name : `${path}/${entry.name}`;
    const place = join(folder, entry.name);
    const out = (isOut || wanted.excluded(inner)) && !wanted.included(inner);
    if (out && !(wanted.hasIncludes && entry.isDirectory())) continue;
    if (entry.isDirectory()) {
      const child = await read(place, inner, wanted, out);
      if (!out || Object.keys(child.d).length > 0) tree.d[entry.name] = child;
    } else if (entry.isSymbolicLink()) tree.d[entry.name] = { f: { l: await readlink(place) } };
    else if (entry.isFile()) tree.d[entry.name] = { f: { c: new Uint8Array(await readFile(place)) } };
  }
  return tree;
}

function asJson(tree: Folder): Folder {
  const entries = Object.entries(tree.d).map(([name, entry]): [string, Folder | File] => {
    if ("d" in entry) return [name, asJson(entry)];
    if ("l" in entry.f) return [name, entry];
    const bytes = Buffer.from(bytesOf(entry.f.c));
    const text = bytes.toString("utf8");
    return [name, { f: Buffer.from(text).equals(bytes) ? { c: text } : { c: bytes.toString("latin1"), b: true } }];
  });
  return { d: Object.fromEntries(entries) };
}

function asZip(tree: Folder): Zippable {
  const entries = Object.entries(tree.d).flatMap(([name, entry]): [string, Zippable | Uint8Array][] => {
    if ("d" in entry) return [[name, asZip(entry)]];
    return "l" in entry.f ? [] : [[name, new Uint8Array(bytesOf(entry.f.c))]];
  });
  return Object.fromEntries(entries);
}

/** The folder's files: excluded ones are left out unless they are also included. Zips contain no links. */
export async function pack(folder: string, { format, includes, excludes }: ExportOptions): Promise<Uint8Array> {
  const matcher = (patterns: readonly string[]) => (patterns.length === 0 ? () => false : picomatch([...patterns], { dot: true }));
  const wanted = { hasIncludes: includes.length > 0, excluded: matcher(excludes), included: matcher(includes) };
  const tree = await read(folder, "", wanted, false);
  if (format === "zip") return zipSync(asZip(tree));
  return format === "binary" ? encode(tree) : Buffer.from(JSON.stringify(asJson(tree)));
}

/** Removes a folder with everything in it. */
export const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
