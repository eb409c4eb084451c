import type { IFileSystem } from "just-bash/browser";
import { deleteRef, listBranches, listRefs, listTags, resolveRef, writeRef } from "./isomorphic.ts";
import { decode, encode } from "../text/bytes.ts";
import { workFiles } from "./files.ts";
import { libraryFiles } from "./library.ts";
import { formatPerson, parsePerson } from "./objects.ts";
import { noOid, type Oid, type Person } from "./model.ts";

export interface Head {
  /** "main"; null if HEAD is detached. */
  readonly branch: string | null;
  /** Null: the branch has no commit yet. */
  readonly oid: Oid | null;
}

/** Branches, tags, HEAD, and HEAD's earlier values (`.git/logs/HEAD`). */
export interface Refs {
  head(): Promise<Head>;
  /** The object at "refs/heads/main", "HEAD" or "MERGE_HEAD"; null if there is no such ref. */
  resolve(ref: string): Promise<Oid | null>;
  /** The first existing ref of name, refs/name, refs/tags/name, refs/heads/name and refs/remotes/name, with its full name. */
  find(name: string): Promise<{ readonly ref: string; readonly oid: Oid } | null>;
  set(ref: string, oid: Oid): Promise<void>;
  remove(ref: string): Promise<void>;
  /** Points HEAD at a branch (`attach`) or at a commit (`detach`). */
  attach(branch: string): Promise<void>;
  detach(oid: Oid): Promise<void>;
  branches(): Promise<readonly string[]>;
  remoteBranches(): Promise<readonly string[]>;
  tags(): Promise<readonly string[]>;
  /** Every ref below "refs/", with its full name. */
  all(): Promise<readonly { readonly ref: string; readonly oid: Oid }[]>;
  /** The target of a symbolic ref such as "refs/remotes/origin/HEAD"; null if it is not symbolic. */
  symbolic(ref: string): Promise<string | null>;
  setSymbolic(ref: string, target: string): Promise<void>;
  /** Logs a move of HEAD, or of `ref` if it is given. */
  log(from: Oid | null, to: Oid, who: Person, why: string, ref?: string): Promise<void>;
  dropLog(ref: string): Promise<void>;
  /** Newest first. */
  readLog(ref?: string): Promise<readonly { readonly from: Oid; readonly to: Oid; readonly why: string; readonly who: Person }[]>;
}

/** `common`: the folder of the refs below "refs/". Other refs belong to a worktree and are in `gitdir`. */
export function createRefs(fs: IFileSystem, gitdir: string, common: string): Refs {
  const library = { fs: libraryFiles(fs), gitdir: common };
  const files = workFiles(fs);
  const logOf = (ref: string): string => `${ref.startsWith("refs/") ? common : gitdir}/logs/${ref}`;
  const placeOf = (ref: string): string => `${ref.startsWith("refs/") ? common : gitdir}/${ref}`;

  async function resolve(ref: string): Promise<Oid | null> {
    const bytes = await files.read(placeOf(ref));
    const text = bytes === null ? "" : decode(bytes).trim();
    if (/^[0-9a-f]{40}$/.test(text)) return text;
    if (bytes !== null && text.startsWith("ref: ")) return resolve(text.slice(5));
    if (!ref.startsWith("refs/") || !(await files.read(`${common}/packed-refs`))) return null;
    try {
      return await resolveRef({ ...library, ref });
    } catch (error) {
      if (error instanceof Error && error.name === "NotFoundError") return null;
      throw error;
    }
  }

  return {
    resolve,
    async head() {
      const text = decode((await files.read(`${gitdir}/HEAD`)) ?? new Uint8Array()).trim();
      const branch = /^ref: refs\/heads\/(.+)$/.exec(text)?.[1] ?? null;
      return { branch, oid: await resolve("HEAD") };
    },
    async find(name) {
      if (/^refs(?:\/|$)|^[A-Z_]+$/.test(name)) {
        const oid = await resolve(name);
        if (oid !== null) return { ref: name, oid };
      }
      for (const prefix of ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]) {
        const oid = await resolve(prefix + name);
        if (oid !== null) return { ref: prefix + name, oid };
      }
      return null;
    },
    set: (ref, oid) =>
      ref.startsWith("refs/")
        ? writeRef({ ...library, ref, value: oid, force: true })
        : files.write(`${gitdir}/${ref}`, encode(`${oid}\n`)),
    async remove(ref) {
      if (ref.startsWith("refs/")) await deleteRef({ ...library, ref });
      else await files.remove(`${gitdir}/${ref}`, gitdir);
    },
    attach: (branch) => files.write(`${gitdir}/HEAD`, encode(`ref: refs/heads/${branch}\n`)),
    detach: (oid) => files.write(`${gitdir}/HEAD`, encode(`${oid}\n`)),
    async branches() {
      return (await listBranches(library)).toSorted();
    },
    async remoteBranches() {
      return (await listRefs({ ...library, filepath: "refs/remotes" })).toSorted();
    },
    async tags() {
      return (await listTags(library)).toSorted();
    },
    async all() {
      const found: { ref: string; oid: Oid }[] = [];
      for (const name of (await listRefs({ ...library, filepath: "refs" })).toSorted()) {
        // packed-refs also lists the targets of annotated tags, under names of this form.
        if (name.endsWith("^{}")) continue;
        const oid = await resolve(`refs/${name}`);
        if (oid !== null) found.push({ ref: `refs/${name}`, oid });
      }
      return found;
    },
    async symbolic(ref) {
      return /^ref: (\S+)/.exec(decode((await files.read(placeOf(ref))) ?? new Uint8Array()))?.[1] ?? null;
    },
    setSymbolic: (ref, target) => files.write(placeOf(ref), encode(`ref: ${target}\n`)),
    async log(from, to, who, why, ref = "HEAD") {
      const line = encode(`${from ?? noOid} ${to} ${formatPerson(who)}\t${why}\n`);
      await files.append(logOf(ref), line);
    },
    dropLog: (ref) => files.remove(logOf(ref), `${common}/logs`),
    async readLog(ref = "HEAD") {
      const text = decode((await files.read(logOf(ref))) ?? new Uint8Array());
      const lines = text.split("\n").filter((line) => line !== "");
      return lines
        .map((line) => ({
          from: line.slice(0, 40),
          to: line.slice(41, 81),
          why: line.slice(line.indexOf("\t") + 1),
          who: parsePerson(line.slice(82, line.indexOf("\t"))),
        }))
        .toReversed();
    },
  };
}

/** Whether this is the full name of a ref: below "refs/", or a name such as HEAD. No other file of the repository has such a name. */
export function isFullRefName(name: string): boolean {
  return /^[A-Z_]+$/.test(name) || (name.startsWith("refs/") && isRefName(name));
}

/** git's rules for the name of a branch or tag. */
export function isRefName(name: string): boolean {
  if (name === "" || name === "@" || name.startsWith("-") || name.endsWith(".") || /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$/.test(name))
    return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}
