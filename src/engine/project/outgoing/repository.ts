import { foldedName, objectName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { isRefName } from "../../../shell/embedded/git/store/refs.ts";
import type { Finding, Reason } from "./finding.ts";
import { heldPattern } from "./held-name.ts";
import { rebuildConfig } from "./repository-config.ts";
import { rebuildIndex } from "./repository-index.ts";
import { committedPaths, noCommits } from "./repository-trees.ts";

/** A repository's folder, and the files that are its own: under their paths there. */
export interface RepositoryFiles {
  /** "": the project's own. */
  readonly folder: string;
  /** It has no working tree: a folder that git takes for a repository because of what is in it. */
  readonly bare: boolean;
  readonly files: ReadonlyMap<string, Path>;
}

export interface RebuiltRepository {
  /** What leaves: under paths in the repository's folder. null: an object, as it is when the zip is made. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  /** Files that leave in no other form than held back, or also so, because what leaves differs. */
  readonly held: readonly Path[];
  readonly findings: readonly Finding[];
  /** Files of the working tree that only commits have, and that git must not put there. */
  readonly unwanted: readonly string[];
}

export interface RebuildDeps {
  readonly read: (path: Path) => Promise<Uint8Array | null>;
  /** A file of the working tree, by its path there, that the zip does not hold under its name. */
  readonly absent: (path: string) => boolean;
  /** Files are held back beside the repository. */
  readonly marked: boolean;
  /** The same as `read`, for one object after another. */
  readonly scan: (path: Path) => Promise<Uint8Array | null>;
  /** A file that git must not put into the working tree, whatever version is checked out. */
  readonly unwanted: (path: string) => boolean;
  /** The patterns that keep those of the repository's commits out, as `Outgoing` says it. */
  readonly sparse: (unwanted: readonly string[], isWhole: boolean) => string | null;
}

/** Bytes of a text that is looked at; more is none that git has written. */
const maxText = 16_000_000;

/** Files that hold names of objects, a line each. */
const oidLists: ReadonlySet<string> = new Set(["shallow", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]);
/** Texts that git shows, or takes as a message or as names to overlook. */
const texts: ReadonlySet<string> = new Set(["description", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "info/exclude"]);

const line = {
  oid: /^[0-9a-f]{40}$/,
  packedHead: /^# pack-refs with:[ a-z-]*$/,
  peeled: /^\^[0-9a-f]{40}$/,
  packedRef: /^[0-9a-f]{40} (refs\/.+)$/,
  log: /^[0-9a-f]{40} [0-9a-f]{40} [^\0\t]* -?\d{1,12} [+-]\d{4}(?:\t[^\0]*)?$/,
  fetched: /^[0-9a-f]{40}\t(?:not-for-merge)?\t[^\0]*$/,
};

/**
 * The repository as it leaves: nothing of it is taken over because it is not known to be harmful, but only what is known to be needed, each
 * file parsed and checked. Objects are named by their content and leave as they are. Everything else is held back.
 */
export async function rebuildRepository({ folder, bare, files }: RepositoryFiles, deps: RebuildDeps): Promise<RebuiltRepository> {
  const out = new Map<string, Uint8Array | null>();
  const held: Path[] = [];
  const findings: Finding[] = [];
  const find = (path: Path, reason: Reason) => void findings.push({ path, level: "held", reason });
  /** What was looked at leaves: a file is read once. */
  const known = new Map<string, Uint8Array | null>();
  const bytesOf = async (rel: string): Promise<Uint8Array | null> => {
    const path = files.get(rel);
    if (!known.has(rel)) known.set(rel, path === undefined ? null : await deps.read(path));
    return known.get(rel) ?? null;
  };
  const head = await bytesOf("HEAD");
  if (head === null || !isHead(textOf(head) ?? "")) return unreadable();
  const indexBytes = await bytesOf("index");
  const index = indexBytes && !bare ? rebuildIndex(indexBytes, deps.absent) : null;
  const committed = bare ? noCommits : await committedPaths(files, deps.scan);
  const unwanted = [...committed.paths].filter(deps.unwanted).toSorted();
  const patterns = deps.sparse(unwanted, committed.isWhole);
  const sparse = patterns === null ? null : encodeText(patterns);
  const isUnread = deps.sparse([], false) !== null;
  /** Applying a stash may put a file into the working tree that git is told to keep out. */
  const dropsStash = (await stashes()).some((oid) => committed.stashed(oid)?.some(deps.unwanted) ?? isUnread);
  const links = index?.links === true || committed.links || !committed.isWhole;
  const configBytes = (await bytesOf("config")) ?? (sparse !== null || links ? new Uint8Array() : null);
  const config = configBytes ? rebuildConfig(textOf(configBytes) ?? "", { bare, links, sparse: sparse !== null }) : null;
  if (configBytes && !config) return unreadable();

  const names = new Map<string, number>();
  const folders = new Set<string>();
  for (const rel of files.keys()) {
    if (!rel.startsWith("refs/")) continue;
    const form = formOf(rel);
    names.set(form, (names.get(form) ?? 0) + 1);
    for (let at = form.indexOf("/"); at >= 0; at = form.indexOf("/", at + 1)) folders.add(form.slice(0, at));
  }
  /** Refs whose names some file systems take for one: a file for all of them has room for both. */
  const packed: string[] = [];
  for (const [rel, path] of files) {
    if (objectName.test(rel)) {
      out.set(rel, null);
      continue;
    }
    const original = rel === "config" ? configBytes : rel === "index" ? indexBytes : rel === "HEAD" ? head : await wanted(rel);
    const rebuilt = original && rebuild(rel, original);
    const same = original && rebuilt && rebuilt.length === original.length && rebuilt.every((byte, at) => byte === original[at]);
    // These bytes, not the file's: it may be written again before the zip has it.
    if (rebuilt) out.set(rel, rebuilt);
    if (same) continue;
    held.push(path);
    const isDroppedStash = dropsStash && (rel === "packed-refs" ? hasStash(textOf(original ?? new Uint8Array())) : isStash(rel));
    const reason = isDroppedStash ? ({ kind: "stash" } as const) : rebuilt ? changedReason(rel) : heldReason(rel);
    if (reason) find(path, reason);
  }
  if (packed.length > 0) {
    const before = out.get("packed-refs");
    const lines = before ? linesOf(textOf(before) ?? "").filter((one) => !one.startsWith("#")) : [];
    out.set("packed-refs", encode([...lines, ...packed]));
    const path = files.get("packed-refs");
    if (path !== undefined && !held.includes(path)) held.push(path);
  }
  const exclude = files.get("info/exclude");
  const excluded = out.get("info/exclude");
  if (exclude !== undefined && excluded && (deps.marked || held.length > 0)) {
    const before = textOf(excluded) ?? "";
    out.set("info/exclude", new TextEncoder().encode(`${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${heldPattern}\n`));
    if (!held.includes(exclude)) held.push(exclude);
  }
  if (sparse) out.set("info/sparse-checkout", sparse);
  if (config && !files.has("config")) out.set("config", encodeText(config.text));
  return { files: out, held, findings, unwanted };

  function unreadable(): RebuiltRepository {
    return {
      files: new Map(),
      held: [...files.values()],
      findings: [{ path: folder === "" ? "HEAD" : folder, level: "held", reason: { kind: "unreadable" } }],
      unwanted: [],
    };
  }

  /** Commits that `git stash` may be about; "": one that can't be told. */
  async function stashes(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const rel of files.keys()) {
      if (!isStash(rel) && rel !== "packed-refs") continue;
      const text = textOf((await bytesOf(rel)) ?? new Uint8Array());
      const lines = rel === "packed-refs" ? linesOf(text ?? "").filter(isStashLine) : linesOf(text ?? "?");
      for (const one of lines) for (const oid of /^[0-9a-f]{40}(?: [0-9a-f]{40})?/.exec(one)?.[0].split(" ") ?? [""]) found.add(oid);
    }
    found.delete("0".repeat(40));
    return found.size > maxStashes ? [""] : [...found];
  }

  async function wanted(rel: string): Promise<Uint8Array | null> {
    const isKnown = oidLists.has(rel) || texts.has(rel) || rel === "packed-refs" || rel === "FETCH_HEAD" || isLog(rel) || isRef(rel);
    const bytes = isKnown ? await bytesOf(rel) : null;
    return bytes && bytes.length <= maxText ? bytes : null;
  }

  function rebuild(rel: string, bytes: Uint8Array): Uint8Array | null {
    if (rel === "HEAD") return bytes;
    if (rel === "config") return config && encodeText(config.text);
    if (rel === "index") return index?.bytes ?? null;
    const text = textOf(bytes);
    if (text === null) return null;
    if (texts.has(rel)) return text.includes("\0") ? null : bytes;
    if (oidLists.has(rel)) return checked(text, (one) => line.oid.test(one));
    if (rel === "FETCH_HEAD") return checked(text, (one) => line.fetched.test(one));
    if (dropsStash && isStash(rel)) return null;
    if (rel === "packed-refs") return packedRefs(text, dropsStash);
    if (isLog(rel)) return checked(text, (one) => line.log.test(one));
    if (!isRef(rel) || !isTarget(text) || folders.has(formOf(rel))) return null;
    if ((names.get(formOf(rel)) ?? 0) < 2) return bytes;
    if (line.oid.test(text.trimEnd())) packed.push(`${text.trimEnd()} ${rel}`);
    return null;
  }

  function changedReason(rel: string): Reason | null {
    if (rel === "config") return config && config.dropped.length > 0 ? { kind: "settings", keys: config.dropped } : null;
    return rel === "index" && index?.unsafe === true ? { kind: "index" } : null;
  }
}

/** Why a file that does not leave might have run something; null: nothing of git's would have looked at it for that. */
function heldReason(rel: string): Reason | null {
  const form = formOf(rel);
  if (form.startsWith("hooks/")) return form.endsWith(".sample") ? null : { kind: "hook" };
  if (form === "config.worktree" || form === "config") return { kind: "settings", keys: [rel] };
  if (/^(?:commondir|gitdir|worktrees\/.*|objects\/info\/(?:http-)?alternates)$/s.test(form)) return { kind: "pointer" };
  if (/^(?:rebase-merge|rebase-apply|sequencer)\//.test(form)) return { kind: "sequence" };
  if (form.startsWith("modules/")) return { kind: "inner" };
  if (form === "info/attributes" || form === "info/sparse-checkout") return { kind: "settings", keys: [rel] };
  return null;
}

const formOf = (rel: string) => rel.split("/").map(foldedName).join("/");
const isRef = (rel: string) => rel.startsWith("refs/") && isSafeRef(rel);
/** None below `hooks`: in a folder of logs that looks like a repository, a message would be a hook. */
const isLog = (rel: string) =>
  rel === "logs/HEAD" || (rel.startsWith("logs/refs/") && isSafeRef(rel.slice(5)) && !formOf(rel).split("/").includes("hooks"));

/**
 * A ref's name that no script takes for an option, and no shell prompt that shows it for a command. None of those that put one object in the place
 * of another: a commit would have other files for git than it has here.
 */
function isSafeRef(name: string): boolean {
  return isRefName(name) && !/[$`]|\/-/.test(name) && !formOf(name).startsWith("refs/replace/");
}

function isHead(text: string): boolean {
  return text.startsWith("ref: refs/heads/") ? isTarget(text) : line.oid.test(text.replace(/\n$/, ""));
}

/** What a ref may hold: an object's name, or another ref. */
function isTarget(text: string): boolean {
  const one = text.replace(/\n$/, "");
  const other = /^ref: (refs\/.+)$/.exec(one)?.[1];
  return other === undefined ? line.oid.test(one) : isSafeRef(other);
}

/** The stash and its log, also under the longer names that git takes for `refs/stash`. */
const isStash = (rel: string) => /^(?:logs\/)?refs\/(?:.*\/refs\/)?stash$/s.test(formOf(rel));
const isStashLine = (one: string) => isStash(line.packedRef.exec(one)?.[1] ?? "");
const hasStash = (text: string | null) => linesOf(text ?? "").some(isStashLine);
const maxStashes = 100;

/** A line with `^` is about the ref in the line before. */
function packedRefs(text: string, dropsStash: boolean): Uint8Array {
  const isPacked = (one = "") => isSafeRef(line.packedRef.exec(one)?.[1] ?? "") && !(dropsStash && isStashLine(one));
  const lines = linesOf(text);
  return encode(
    lines.filter((one, at) => isPacked(one) || line.packedHead.test(one) || (line.peeled.test(one) && isPacked(lines[at - 1]))),
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((one) => one !== "");
}

/** The lines that are as they should be. */
function checked(text: string, isGood: (one: string) => boolean): Uint8Array {
  return encode(linesOf(text).filter(isGood));
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((one) => `${one}\n`).join(""));
}

/** Null: it is no UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.includes("\ufffd") ? null : text;
}
