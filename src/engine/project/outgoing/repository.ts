import { foldedName, objectName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { isRefName } from "../../../shell/embedded/git/store/refs.ts";
import type { Finding, Reason } from "./finding.ts";
import { heldPattern } from "./held-name.ts";
import { rebuildConfig } from "./repository-config.ts";
import { rebuildIndex } from "./repository-index.ts";
import { committedPaths, noCommits } from "./repository-trees.ts";

/** A repository's folder and files, with paths relative to the folder. */
export interface RepositoryFiles {
  /** Empty for the project's own folder. */
  readonly folder: string;
  /** Whether it has no working tree: a folder that Git treats as a repository because of its contents. */
  readonly bare: boolean;
  readonly files: ReadonlyMap<string, Path>;
}

export interface RebuiltRepository {
  /** The exported files, with paths in the repository's folder. Null for an object, which is read when the zip is made. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  /** Files that are exported only as held back, or also as held back, because the rebuilt file differs. */
  readonly held: readonly Path[];
  readonly findings: readonly Finding[];
  /** Files of the working tree that only commits have, and that Git must not create. */
  readonly unwanted: readonly string[];
}

export interface RebuildDeps {
  readonly read: (path: Path) => Promise<Uint8Array | null>;
  /** Whether a file of the working tree is not in the zip under its own name. */
  readonly absent: (path: string) => boolean;
  /** Whether files next to the repository are held back. */
  readonly marked: boolean;
  /** The same as `read`, for one object after another. */
  readonly scan: (path: Path) => Promise<Uint8Array | null>;
  /** Whether Git must not put this file into the working tree, whichever version is checked out. */
  readonly unwanted: (path: string) => boolean;
  /** The patterns that keep such files of the repository's commits out. See `Outgoing`. */
  readonly sparse: (unwanted: readonly string[], isWhole: boolean) => string | null;
}

/** The maximum size of a text that is checked, in bytes. Git doesn't write larger ones. */
const maxText = 16_000_000;

/** Files with one object id per line. */
const oidLists: ReadonlySet<string> = new Set(["shallow", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]);
/** Texts that Git shows, or uses as a message or as ignore patterns. */
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
 * The repository as it is exported. Nothing is copied merely because it isn't known to be harmful: only what is known to be needed is exported,
 * and each file is parsed and checked. Objects are named by their hashes and are copied unchanged. Everything else is held back.
 */
export async function rebuildRepository({ folder, bare, files }: RepositoryFiles, deps: RebuildDeps): Promise<RebuiltRepository> {
  const out = new Map<string, Uint8Array | null>();
  const held: Path[] = [];
  const findings: Finding[] = [];
  const find = (path: Path, reason: Reason) => void findings.push({ path, level: "held", reason });
  /** The checked bytes are exported, so a file is read only once. */
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
  /** Applying a stash may put a file into the working tree that Git should keep out. */
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
  /** Refs whose names some file systems treat as the same. `packed-refs` can hold both. */
  const packed: string[] = [];
  for (const [rel, path] of files) {
    if (objectName.test(rel)) {
      out.set(rel, null);
      continue;
    }
    const original = rel === "config" ? configBytes : rel === "index" ? indexBytes : rel === "HEAD" ? head : await wanted(rel);
    const rebuilt = original && rebuild(rel, original);
    const same = original && rebuilt && rebuilt.length === original.length && rebuilt.every((byte, at) => byte === original[at]);
    // Export these bytes, because the file may change before the zip reads it.
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

  /** The commits that may be stashes. An empty id stands for one that can't be determined. */
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

/** Why a file that isn't exported might have run something. Null if Git would not have used it for that. */
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
/** Nothing below `hooks`: in a log folder that looks like a repository, a log would be a hook. */
const isLog = (rel: string) =>
  rel === "logs/HEAD" || (rel.startsWith("logs/refs/") && isSafeRef(rel.slice(5)) && !formOf(rel).split("/").includes("hooks"));

/**
 * Whether a ref's name is safe: no script can treat it as an option, and no shell prompt that shows it can treat it as a command. Replacement
 * refs are not safe, because Git would then see different files in a commit than Vibey.
 */
function isSafeRef(name: string): boolean {
  return isRefName(name) && !/[$`]|\/-/.test(name) && !formOf(name).startsWith("refs/replace/");
}

function isHead(text: string): boolean {
  return text.startsWith("ref: refs/heads/") ? isTarget(text) : line.oid.test(text.replace(/\n$/, ""));
}

/** Whether this is a valid content of a ref: an object id, or another ref. */
function isTarget(text: string): boolean {
  const one = text.replace(/\n$/, "");
  const other = /^ref: (refs\/.+)$/.exec(one)?.[1];
  return other === undefined ? line.oid.test(one) : isSafeRef(other);
}

/** Whether this is the stash or its log, also under the longer names that Git accepts for `refs/stash`. */
const isStash = (rel: string) => /^(?:logs\/)?refs\/(?:.*\/refs\/)?stash$/s.test(formOf(rel));
const isStashLine = (one: string) => isStash(line.packedRef.exec(one)?.[1] ?? "");
const hasStash = (text: string | null) => linesOf(text ?? "").some(isStashLine);
const maxStashes = 100;

/** A line with `^` belongs to the ref in the line before. */
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

/** Only the valid lines. */
function checked(text: string, isGood: (one: string) => boolean): Uint8Array {
  return encode(linesOf(text).filter(isGood));
}

function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((one) => `${one}\n`).join(""));
}

/** Null if it isn't valid UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return text.includes("\ufffd") ? null : text;
}
