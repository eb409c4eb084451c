import type { IFileSystem } from "just-bash/browser";
import { sha1 } from "@noble/hashes/legacy.js";
import { readObject, writeObject } from "./isomorphic.ts";
import { fatal } from "../stop.ts";
import { compareBytes, concat, decode, encode, fromHex, toHex } from "../text/bytes.ts";
import { workFiles } from "./files.ts";
import { libraryFiles } from "./library.ts";
import {
  type Commit,
  emptyTree,
  type FileRef,
  modes,
  type ObjectType,
  type Oid,
  type Person,
  type Snapshot,
  type TreeEntry,
} from "./model.ts";

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

/** The repository's objects, loose and packed. Objects that were read are cached while a command runs. */
export interface Objects {
  read(oid: Oid): Promise<GitObject>;
  blob(oid: Oid): Promise<Uint8Array>;
  tree(oid: Oid): Promise<readonly TreeEntry[]>;
  commit(oid: Oid): Promise<Commit>;
  /** Every file below a tree; its paths are safe to write. */
  files(tree: Oid): Promise<Snapshot>;
  write(type: ObjectType, bytes: Uint8Array): Promise<Oid>;
  /** Writes the trees of these files. */
  writeTree(files: Snapshot): Promise<Oid>;
  /** Returns the name of a blob without storing it; `blob` finds its bytes from now on. */
  hold(bytes: Uint8Array): Oid;
  /** Whether the blob was held and not written. */
  isHeld(oid: Oid): boolean;
  /** Whether the object is in the store. */
  has(oid: Oid): Promise<boolean>;
  /** The commits whose parents were not fetched. */
  shallow(): Promise<ReadonlySet<Oid>>;
  setShallow(oids: ReadonlySet<Oid>): Promise<void>;
}

export function createObjects(fs: IFileSystem, gitdir: string): Objects {
  const library = { fs: libraryFiles(fs), gitdir, cache: {} };
  const known = new Map<Oid, GitObject>();
  const held = new Set<Oid>();
  const commits = new Map<Oid, Commit>();
  const trees = new Map<Oid, readonly TreeEntry[]>();
  const files = workFiles(fs);
  let shallowOids: ReadonlySet<Oid> | null = null;

  async function shallow(): Promise<ReadonlySet<Oid>> {
    const text = shallowOids === null ? decode((await files.read(`${gitdir}/shallow`)) ?? new Uint8Array()) : "";
    return (shallowOids ??= new Set(text.split("\n").filter((line) => line !== "")));
  }

  async function read(oid: Oid): Promise<GitObject> {
    const kept = known.get(oid);
    if (kept) return kept;
    const found = await readObject({ ...library, oid, format: "content" }).catch((error: unknown) =>
      fatal(`bad object ${oid}: ${String(error)}`),
    );
    if (found.format !== "content" || !(found.object instanceof Uint8Array)) return fatal(`bad object ${oid}`);
    // Return a copy, because a Buffer's slice would share memory.
    const object: GitObject = { type: found.type, bytes: new Uint8Array(found.object) };
    known.set(oid, object);
    return object;
  }

  async function readTyped(oid: Oid, type: ObjectType): Promise<Uint8Array> {
    const object = await read(oid);
    return object.type === type ? object.bytes : fatal(`object ${oid} is a ${object.type}, not a ${type}`);
  }

  async function tree(oid: Oid): Promise<readonly TreeEntry[]> {
    const kept = trees.get(oid);
    if (kept) return kept;
    const entries = oid === emptyTree ? [] : parseTree(await readTyped(oid, "tree"));
    trees.set(oid, entries);
    return entries;
  }

  async function collect(oid: Oid, prefix: string, into: Map<string, FileRef>): Promise<void> {
    for (const entry of await tree(oid)) {
      if (entry.mode === modes.folder) await collect(entry.oid, `${prefix}${entry.name}/`, into);
      else into.set(prefix + entry.name, { mode: entry.mode, oid: entry.oid });
    }
  }

  async function write(type: ObjectType, bytes: Uint8Array): Promise<Oid> {
    const oid = oidOf(type, bytes);
    // An object that was read is already in the store; an object that is only held is not.
    if (!(await fs.exists(`${gitdir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`))) {
      await writeObject({ ...library, type, object: bytes, format: "content" });
    }
    known.set(oid, { type, bytes });
    held.delete(oid);
    return oid;
  }

  return {
    isHeld: (oid) => held.has(oid),
    read,
    tree,
    write,
    blob: (oid) => readTyped(oid, "blob"),
    shallow,
    async setShallow(oids) {
      shallowOids = oids;
      commits.clear();
      if (oids.size > 0) await files.write(`${gitdir}/shallow`, encode([...oids].map((oid) => `${oid}\n`).join("")));
      else await files.remove(`${gitdir}/shallow`, gitdir);
    },
    async has(oid) {
      if (known.has(oid) && !held.has(oid)) return true;
      try {
        await readObject({ ...library, oid, format: "content" });
        return true;
      } catch (error) {
        if (error instanceof Error && error.name === "NotFoundError") return false;
        throw error;
      }
    },
    async commit(oid) {
      const kept = commits.get(oid);
      if (kept) return kept;
      const parsed = parseCommit(oid, await readTyped(oid, "commit"));
      const commit = (await shallow()).has(oid) ? { ...parsed, parents: [] } : parsed;
      commits.set(oid, commit);
      return commit;
    },
    async files(oid) {
      const found = new Map<string, FileRef>();
      await collect(oid, "", found);
      return found;
    },
    async writeTree(snapshot) {
      interface Folder extends Map<string, FileRef | Folder> {}
      const root: Folder = new Map();
      for (const [path, file] of snapshot) {
        const segments = path.split("/");
        const name = segments.pop() ?? "";
        let folder = root;
        for (const segment of segments) {
          let next = folder.get(segment);
          if (!(next instanceof Map)) {
            next = new Map();
            folder.set(segment, next);
          }
          folder = next;
        }
        folder.set(name, { mode: file.mode, oid: file.oid });
      }
      const store = async (folder: Folder): Promise<Oid> => {
        const entries: TreeEntry[] = [];
        for (const [name, child] of folder) {
          entries.push(child instanceof Map ? { name, mode: modes.folder, oid: await store(child) } : { name, ...child });
        }
        return write("tree", formatTree(entries));
      };
      return store(root);
    },
    hold(bytes) {
      const oid = oidOf("blob", bytes);
      if (!known.has(oid)) {
        known.set(oid, { type: "blob", bytes });
        held.add(oid);
      }
      return oid;
    },
  };
}

function oidOf(type: ObjectType, bytes: Uint8Array): Oid {
  return toHex(
    sha1
      .create()
      .update(encode(`${type} ${bytes.length}\0`))
      .update(bytes)
      .digest(),
  );
}

/** Whether the name is safe: a name that could leave the folder or reach into `.git` is never written. git refuses such trees, too. */
function isSafeName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !name.includes("/") &&
    !/^\.git[. ]*$/i.test(name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ""))
  );
}

function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) fatal("a tree object is damaged");
    const name = decode(bytes.subarray(space + 1, end));
    if (!isSafeName(name)) fatal(`a tree object has the entry '${name}', which can't be a file's name`);
    const mode = Number.parseInt(decode(bytes.subarray(at, space)), 8);
    entries.push({ name, mode: mode === 0o100664 ? modes.file : mode, oid: toHex(bytes.subarray(end + 1, end + 21)) });
    at = end + 21;
  }
  return entries;
}

function formatTree(entries: readonly TreeEntry[]): Uint8Array {
  const key = (entry: TreeEntry): string => (entry.mode === modes.folder ? `${entry.name}/` : entry.name);
  const sorted = entries.toSorted((a, b) => compareBytes(key(a), key(b)));
  return concat(sorted.flatMap((entry) => [encode(`${entry.mode.toString(8)} ${entry.name}\0`), fromHex(entry.oid)]));
}

export function parsePerson(text: string): Person {
  const found = /^(.*?) ?<([^>]*)> (-?\d+) ([-+]\d{4})$/.exec(text);
  return { name: found?.[1] ?? text, email: found?.[2] ?? "", time: Number(found?.[3] ?? 0), zone: found?.[4] ?? "+0000" };
}

export function formatPerson({ name, email, time, zone }: Person): string {
  return `${name} <${email}> ${time} ${zone}`;
}

/** Splits a commit or tag into its header fields and its message, which follows the first empty line. */
export function parseHeader(text: string): { readonly fields: readonly (readonly [string, string])[]; readonly message: string } {
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text.replace(/\n$/, "") : text.slice(0, end);
  const fields: [string, string][] = [];
  for (const line of head.split("\n")) {
    const last = fields.at(-1);
    if (line.startsWith(" ") && last) last[1] += `\n${line.slice(1)}`;
    else {
      const space = line.indexOf(" ");
      fields.push([line.slice(0, space), line.slice(space + 1)]);
    }
  }
  return { fields, message: end < 0 ? "" : text.slice(end + 2) };
}

function parseCommit(oid: Oid, bytes: Uint8Array): Commit {
  const { fields, message } = parseHeader(decode(bytes));
  const field = (name: string): string => fields.find(([key]) => key === name)?.[1] ?? "";
  return {
    oid,
    tree: field("tree"),
    parents: fields.filter(([key]) => key === "parent").map(([, parent]) => parent),
    author: parsePerson(field("author")),
    committer: parsePerson(field("committer")),
    message,
  };
}

export function formatCommit(commit: Omit<Commit, "oid">): Uint8Array {
  const parents = commit.parents.map((parent) => `parent ${parent}\n`).join("");
  return encode(
    `tree ${commit.tree}\n${parents}author ${formatPerson(commit.author)}\ncommitter ${formatPerson(commit.committer)}\n\n${commit.message}`,
  );
}
