import { cleaned, forgetAttributes, readAttributes, smudged } from "./attributes.ts";
import type { Repository } from "./repository.ts";
import { failed, fatal } from "./stop.ts";
import type { Index, IndexEntry } from "./store/index-file.ts";
import { type IgnoreRules, parseIgnore } from "./store/ignore.ts";
import { type FileRef, modes, type Oid, type Snapshot } from "./store/model.ts";
import type { Pathspec } from "./store/pathspec.ts";
import type { WorkStat } from "./store/files.ts";
import { compareBytes, decode, encode } from "./text/bytes.ts";

/** Whether the path has no content here: a submodule, or a file of Vibey's. Such an entry is never compared. */
export function isOutside(repo: Repository, path: string, mode: number): boolean {
  return mode === modes.submodule || repo.isVibeys(path);
}

export interface SnapshotOptions {
  readonly refreshed?: (path: string, entry: IndexEntry) => void;
  readonly looksAtKept?: boolean;
  /** `git add --renormalize`: reads each file, and its content in the index says nothing about its line endings. */
  readonly renormalizes?: boolean;
}

/**
 * Snapshots the working tree's content of every index path in `spec`, and leaves out missing files. `objects` holds the contents without storing
 * them. If an entry's time and size still match, the file is not read, unless it was written at the same time as the index. `refreshed` receives
 * entries whose content turned out unchanged, with the new time. `looksAtKept`: also looks at files marked by `git update-index --assume-unchanged`.
 */
export async function worktreeSnapshot(
  repo: Repository,
  index: Index,
  spec: Pathspec,
  { refreshed, looksAtKept = false, renormalizes = false }: SnapshotOptions = {},
): Promise<Snapshot> {
  const indexTime = await repo.indexTime();
  const found = new Map<string, FileRef>();
  const look = async (path: string, entry: FileRef & Partial<IndexEntry>, isOpen = false): Promise<void> => {
    if (!spec.matches(path)) return;
    if (isOutside(repo, path, entry.mode) || (entry.kept !== undefined && !looksAtKept)) {
      found.set(path, { mode: entry.mode, oid: entry.oid });
      return;
    }
    const stat = await repo.files.stat(repo.absolute(path));
    if (stat === null || stat.isFolder) return;
    const mayHaveRun = stat.canRun && entry.mode === modes.file;
    if (!mayHaveRun && !renormalizes && stat.size === entry.size && stat.mtime === entry.mtime && stat.mtime < indexTime) {
      found.set(path, { mode: entry.mode, oid: entry.oid });
      return;
    }
    const bytes = await readWorkFile(repo, path, stat, renormalizes ? null : entry.oid);
    const oid = repo.objects.hold(bytes);
    const mode = modeOf(entry.mode, stat, bytes);
    found.set(path, { mode, oid });
    // A path in conflict has no index entry to refresh, even if the file equals one side again.
    if (!isOpen && oid === entry.oid && stat.mtime !== entry.mtime)
      refreshed?.(path, { mode: entry.mode, oid, size: stat.size, mtime: stat.mtime });
  };
  for (const [path, entry] of index.files) await look(path, entry);
  for (const [path, mode] of index.intents ?? []) {
    const stat = spec.matches(path) && !index.files.has(path) ? await repo.files.stat(repo.absolute(path)) : null;
    if (stat === null || stat.isFolder) continue;
    found.set(path, { mode, oid: repo.objects.hold(await readWorkFile(repo, path, stat, null)) });
  }
  for (const [path, { ours, theirs }] of index.conflicts) {
    const side = ours ?? theirs;
    if (side) await look(path, side, true);
  }
  return found;
}

/**
 * The project stores no modes, and a script runs without one. So a tracked file keeps its mode: it becomes executable only if someone made it so, and
 * stops being executable only by `git add --chmod=-x`. Where links are not supported, a link is a file that contains its target, and it keeps its
 * mode, too.
 */
function modeOf(old: number | null, { canRun, isLink }: WorkStat, bytes: Uint8Array): number {
  if (isLink) return modes.link;
  if (old === null) return canRun ? modes.program : modes.file;
  const isScript = bytes[0] === 0x23 && bytes[1] === 0x21;
  return old === modes.file && canRun && !isScript ? modes.program : old;
}

async function readWorkFile(repo: Repository, path: string, { isLink }: WorkStat, staged: Oid | null): Promise<Uint8Array> {
  const at = repo.absolute(path);
  if (isLink) return encode(await repo.files.readLink(at));
  const bytes = (await repo.files.read(at)) ?? fatal(`could not read ${path}`);
  // Only a file with carriage returns can differ from its committed content.
  if (!bytes.includes(carriageReturn)) return bytes;
  const ends = await (await readAttributes(repo)).lineEnds(path);
  return cleaned(bytes, ends, async () => (staged === null ? null : repo.objects.blob(staged)));
}

const carriageReturn = 0x0d;

export interface Found {
  /** Files that are not in the index, and folders without any file in the index, which end with a slash. */
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  /** Folders without any file, which end with a slash. Only known if folders are named once. */
  readonly empty: readonly string[];
}

export interface FindOptions {
  /** Name a folder without tracked files once, instead of each of its files. */
  readonly fold: boolean;
  /** Descend into ignored folders, except repositories, which are named once. */
  readonly ignoredFiles?: boolean;
}

/** Finds what is in the working tree and not in the index. */
export async function findUntracked(
  repo: Repository,
  index: Index,
  spec: Pathspec,
  { fold, ignoredFiles = false }: FindOptions,
): Promise<Found> {
  const tracked = new Set<string>([...index.files.keys(), ...index.conflicts.keys(), ...(index.intents?.keys() ?? [])]);
  const trackedFolders = new Set<string>();
  for (const path of tracked)
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) trackedFolders.add(path.slice(0, at));
  const untracked: string[] = [];
  const ignored: string[] = [];
  const empty: string[] = [];
  const isIgnored = await ignoreCheck(repo);

  async function visit(folder: string): Promise<void> {
    await isIgnored.enter(folder);
    for (const { name, isFolder } of await repo.files.list(folder === "" ? repo.top : repo.absolute(folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" || repo.isVibeys(path)) continue;
      // The files of a folder that replaces a tracked file are untracked. As in git, the folder itself is not named.
      if (tracked.has(path) && (!isFolder || fold || index.files.get(path)?.mode === modes.submodule)) continue;
      if (isIgnored.check(path, isFolder)) {
        const looksInside = isFolder && (trackedFolders.has(path) || (ignoredFiles && !(await isRepository(repo, path))));
        if (looksInside) await collect(path, ignored);
        else if (spec.matches(path)) ignored.push(isFolder ? `${path}/` : path);
      } else if (!isFolder) {
        if (spec.matches(path)) untracked.push(path);
      } else if (trackedFolders.has(path)) await visit(path);
      else if (await isRepository(repo, path)) {
        if (spec.matches(path)) untracked.push(`${path}/`);
      } else if (spec.mayMatchBelow(path)) {
        if (fold && spec.matches(path)) await foldInto(path);
        else await visit(path);
      }
    }
  }

  /** Visits a folder without tracked files: it is named once if anything in it is untracked. */
  async function foldInto(path: string): Promise<void> {
    const before = untracked.length;
    const ignoredBefore = ignored.length;
    const emptyBefore = empty.length;
    await visit(path);
    if (untracked.length > before) {
      untracked.length = before;
      empty.length = emptyBefore;
      untracked.push(`${path}/`);
    } else if (ignored.length > ignoredBefore) {
      ignored.length = ignoredBefore;
      ignored.push(`${path}/`);
    } else {
      empty.length = emptyBefore;
      empty.push(`${path}/`);
    }
  }

  async function collect(folder: string, into: string[]): Promise<void> {
    for (const { name, isFolder } of await repo.files.list(repo.absolute(folder))) {
      const path = `${folder}/${name}`;
      if (isFolder && (await isRepository(repo, path))) {
        if (spec.matches(path)) into.push(`${path}/`);
      } else if (isFolder) await collect(path, into);
      else if (!tracked.has(path) && spec.matches(path)) into.push(path);
    }
  }

  await visit("");
  return { untracked: untracked.toSorted(compareBytes), ignored: ignored.toSorted(compareBytes), empty };
}

/** Whether the folder is a repository of its own, or a worktree, whose `.git` is a file. */
export async function isRepository(repo: Repository, path: string): Promise<boolean> {
  const at = `${repo.absolute(path)}/.git`;
  if ((await repo.files.stat(`${at}/HEAD`)) !== null) return true;
  const bytes = await repo.files.read(at);
  return bytes !== null && decode(bytes).startsWith("gitdir: ");
}

/** The rule that decides about a path, and its place; null if there is none. */
export async function ignoreRule(
  repo: Repository,
  path: string,
  isFolder: boolean,
): Promise<{ readonly file: string; readonly line: number; readonly text: string } | null> {
  const files: [name: string, folder: string][] = [[".git/info/exclude", ""]];
  const parts = path.split("/");
  for (let depth = 0; depth < parts.length; depth++) {
    const folder = parts.slice(0, depth).join("/");
    files.push([folder === "" ? ".gitignore" : `${folder}/.gitignore`, folder]);
  }
  const places: [text: string, isFolder: boolean][] = [];
  for (let end = 1; end <= parts.length; end++) places.push([parts.slice(0, end).join("/"), end < parts.length || isFolder]);
  // A rule that ignores a folder applies to everything in it.
  for (const [place, folds] of places) {
    for (const [name, folder] of files.toReversed()) {
      if (folder !== "" && !place.startsWith(`${folder}/`)) continue;
      const bytes = await repo.files.read(name.startsWith(".git/") ? `${repo.common}/info/exclude` : repo.absolute(name));
      const lines = bytes === null ? [] : decode(bytes).split(/\r?\n/);
      for (const [i, text] of [...lines.entries()].toReversed()) {
        const says = parseIgnore(text)(folder === "" ? place : place.slice(folder.length + 1), folds);
        if (says === null) continue;
        if (says || place === path) return { file: name, line: i + 1, text };
        break;
      }
    }
  }
  return null;
}

interface IgnoreCheck {
  /** Reads the folder's .gitignore. Call it before checking the folder's paths. */
  enter(folder: string): Promise<void>;
  check(path: string, isFolder: boolean): boolean;
}

async function ignoreCheck(repo: Repository): Promise<IgnoreCheck> {
  const own = await repo.files.read(`${repo.common}/info/exclude`);
  const exclude: IgnoreRules = own === null ? () => null : parseIgnore(decode(own));
  const rules = new Map<string, IgnoreRules>();
  return {
    async enter(folder) {
      if (rules.has(folder)) return;
      const bytes = await repo.files.read(repo.absolute(folder === "" ? ".gitignore" : `${folder}/.gitignore`));
      if (bytes !== null) rules.set(folder, parseIgnore(decode(bytes)));
    },
    check(path, isFolder) {
      for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
        const folder = end < 0 ? "" : path.slice(0, end);
        const says = rules.get(folder)?.(path.slice(end + 1), isFolder) ?? null;
        if (says !== null) return says;
        if (end < 0) return exclude(path, isFolder) ?? false;
      }
    },
  };
}

/** Whether a path or a folder above it is ignored. */
export async function isIgnoredPath(repo: Repository, path: string, isFolder: boolean): Promise<boolean> {
  if (repo.isVibeys(path)) return true;
  const check = await ignoreCheck(repo);
  await check.enter("");
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    if (check.check(folder, true)) return true;
    await check.enter(folder);
  }
  return check.check(path, isFolder);
}

/** Writes a file like `writeFile`, and removes a folder in its place and files in place of the folders above it, with all they contain. */
export async function replaceFile(repo: Repository, path: string, file: FileRef): Promise<IndexEntry> {
  if (!isOutside(repo, path, file.mode)) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
      const above = repo.absolute(path.slice(0, at));
      if ((await repo.files.stat(above))?.isFolder === false) await repo.files.remove(above, repo.top);
    }
    const place = repo.absolute(path);
    if ((await repo.files.stat(place))?.isFolder === true) await repo.files.removeFolder(place);
  }
  return writeFile(repo, path, file);
}

/** Writes a file of a commit or of the index to the working tree. */
export async function writeFile(repo: Repository, path: string, file: FileRef): Promise<IndexEntry> {
  if (isOutside(repo, path, file.mode)) return { ...file, size: -1, mtime: 0 };
  const at = repo.absolute(path);
  if ((await repo.files.stat(at))?.isFolder === true) failed(`unable to create file ${path}: Is a directory`, 128);
  const bytes = await repo.objects.blob(file.oid);
  const isLink = file.mode === modes.link && (await repo.files.writeLink(at, decode(bytes)));
  if (!isLink) {
    // Remove a link first: writing to it would keep the link.
    if ((await repo.files.stat(at))?.isLink === true) await repo.files.remove(at, repo.top);
    await repo.files.write(at, smudged(bytes, await (await readAttributes(repo)).lineEnds(path)));
    if (path === ".gitattributes" || path.endsWith("/.gitattributes")) forgetAttributes(repo);
  }
  const runs = file.mode === modes.program;
  let stat = await repo.files.stat(at);
  if (stat !== null && file.mode !== modes.link && stat.canRun !== runs) {
    await repo.files.setRuns(at, runs);
    stat = await repo.files.stat(at);
  }
  return { ...file, size: stat?.size ?? -1, mtime: stat?.mtime ?? 0 };
}

export async function removeFile(repo: Repository, path: string, mode: number): Promise<void> {
  if (isOutside(repo, path, mode)) return;
  const at = repo.absolute(path);
  if ((await repo.files.stat(at))?.isFolder === false) await repo.files.remove(at, repo.top);
}

/** Stores a file of the working tree and returns its index entry. `old`: its mode so far. `staged`: its content in the index. */
export async function storeFile(repo: Repository, path: string, old: number | null, staged: Oid | null = null): Promise<IndexEntry | null> {
  const at = repo.absolute(path);
  const stat = await repo.files.stat(at);
  if (stat === null || stat.isFolder) return null;
  const bytes = await readWorkFile(repo, path, stat, staged);
  const oid = await repo.objects.write("blob", bytes);
  return { mode: modeOf(old, stat, bytes), oid, size: stat.size, mtime: stat.mtime };
}
