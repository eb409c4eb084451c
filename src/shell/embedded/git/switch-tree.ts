import { type MergedTrees, type MergeNames, mergeTrees } from "./merge-trees.ts";
import type { Repository } from "./repository.ts";
import { Stop } from "./stop.ts";
import type { Index, IndexEntry } from "./store/index-file.ts";
import { type FileRef, modes, type Snapshot } from "./store/model.ts";
import { compareBytes } from "./text/bytes.ts";
import { isIgnoredPath, isOutside, removeFile, replaceFile, worktreeSnapshot } from "./worktree.ts";

export interface Blocked {
  /** Tracked files whose changes would be lost. */
  readonly changed: readonly string[];
  /** Untracked files that would be replaced. */
  readonly untracked: readonly string[];
  /** Folders with untracked files that a file would replace. */
  readonly folders: readonly string[];
}

/** What prevents changing these paths from the state in `before` to the state in `after`. */
export async function blockers(repo: Repository, index: Index, before: Snapshot, after: Snapshot): Promise<Blocked> {
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]), { looksAtKept: true });
  const goes = (path: string): boolean => index.files.has(path) && before.has(path);
  const changed: string[] = [];
  const untracked = new Set<string>();
  for (const path of differing(before, after)) {
    const old = before.get(path) ?? null;
    const now = after.get(path) ?? null;
    const staged = index.files.get(path) ?? null;
    if (index.conflicts.has(path)) changed.push(path);
    else if (staged === null) {
      const inTheWay = now !== null && !isOutside(repo, path, now.mode) ? await standsInTheWay(repo, goes, path) : null;
      if (inTheWay !== null) untracked.add(inTheWay);
      else if (old !== null && now !== null) changed.push(path);
    } else if (equal(staged, now)) continue;
    else if (!equal(staged, old)) changed.push(path);
    else {
      const file = work.get(path);
      if (file ? !equal(file, staged) : await isReplaced(repo, path)) changed.push(path);
    }
  }
  return { changed, ...(await apart(repo, untracked)) };
}

/** The files and the folders of these paths. */
async function apart(repo: Repository, paths: ReadonlySet<string>): Promise<Pick<Blocked, "untracked" | "folders">> {
  const [untracked, folders]: [string[], string[]] = [[], []];
  for (const path of paths) ((await repo.files.stat(repo.absolute(path)))?.isFolder === true ? folders : untracked).push(path);
  return { untracked, folders };
}

/** Whether anything is at the place of a missing file, or a file at the place of a folder above it. */
export async function isReplaced(repo: Repository, path: string): Promise<boolean> {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
    if ((await repo.files.stat(repo.absolute(path.slice(0, at))))?.isFolder === false) return true;
  return (await repo.files.stat(repo.absolute(path))) !== null;
}

/**
 * The untracked file or folder that is in the way of the file; null if there is none. `goes`: whether the file at a path can be removed and
 * restored.
 */
async function standsInTheWay(repo: Repository, goes: (path: string) => boolean, path: string): Promise<string | null> {
  // A file where a folder must go, or a folder where the file must go that contains something that can't be restored.
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const above = path.slice(0, at);
    if ((await repo.files.stat(repo.absolute(above)))?.isFolder === false && !goes(above)) return above;
  }
  if ((await repo.files.stat(repo.absolute(path)))?.isFolder === true) return (await holdsOthers(repo, goes, path)) ? path : null;
  if ((await repo.files.stat(repo.absolute(path))) === null) return null;
  return (await isIgnoredPath(repo, path, false)) ? null : path;
}

async function holdsOthers(repo: Repository, goes: (path: string) => boolean, folder: string): Promise<boolean> {
  for (const { name, isFolder } of await repo.files.list(repo.absolute(folder))) {
    const path = `${folder}/${name}`;
    if (isFolder ? await holdsOthers(repo, goes, path) : !goes(path)) return true;
  }
  return false;
}

export function refuseBlocked({ changed, untracked, folders }: Blocked, by: "checkout" | "merge" | "reset", exitCode = 1): void {
  const list = (paths: readonly string[]): string => paths.map((path) => `\t${path}\n`).join("");
  const then = by === "checkout" ? "switch branches" : by;
  let text = "";
  if (changed.length > 0)
    text += `error: Your local changes to the following files would be overwritten by ${by}:\n${list(changed)}Please commit your changes or stash them before you ${then}.\n`;
  if (folders.length > 0) text += `error: Updating the following directories would lose untracked files in them:\n${list(folders)}\n`;
  if (untracked.length > 0)
    text += `error: The following untracked working tree files would be overwritten by ${by}:\n${list(untracked)}Please move or remove them before you ${then}.\n`;
  if (text !== "") throw new Stop(exitCode, `${text}Aborting\n`);
}

/**
 * Changes the index and the working tree from `before` to `after`, where `blockers` found nothing. Files that are equal in both stay as they
 * are. A folder in a file's place contains no files by then, only folders.
 */
export async function switchTree(repo: Repository, index: Index, before: Snapshot, after: Snapshot): Promise<void> {
  const paths = differing(before, after);
  for (const path of paths) {
    if (after.has(path)) continue;
    const old = index.files.get(path) ?? before.get(path);
    if (old && index.files.has(path)) await removeFile(repo, path, old.mode);
    index.files.delete(path);
  }
  for (const path of paths) {
    const now = after.get(path);
    const staged = index.files.get(path) ?? null;
    if (now && !equal(staged, now)) index.files.set(path, await replaceFile(repo, path, now));
  }
}

/**
 * `git checkout -m`: changes the working tree from `before` to `after` and merges its own changes, none of which is staged, into that.
 */
export async function carryChanges(repo: Repository, index: Index, before: Snapshot, after: Snapshot, names: MergeNames): Promise<void> {
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]), { looksAtKept: true });
  const merged = await mergeTrees(repo, before, after, work, names);
  for (const { oid, mode } of [...merged.files.values(), ...work.values()])
    if (mode !== modes.submodule && repo.objects.isHeld(oid)) await repo.objects.write("blob", await repo.objects.blob(oid));
  const paths = differing(work, merged.files);
  for (const path of paths) if (!merged.files.has(path)) await removeFile(repo, path, work.get(path)?.mode ?? modes.file);
  const written = new Map<string, IndexEntry>();
  for (const path of paths) {
    const now = merged.files.get(path);
    if (now) written.set(path, await replaceFile(repo, path, now));
  }
  const entries = new Map([...index.files, ...written]);
  index.files.clear();
  for (const [path, file] of after) {
    const entry = entries.get(path);
    if (!merged.conflicts.has(path)) index.files.set(path, entry && equal(entry, file) ? entry : { ...file, size: -1, mtime: 0 });
  }
  for (const [path, conflict] of merged.conflicts) index.conflicts.set(path, conflict);
}

/** Puts the result of a merge into the index and the working tree, and writes the index. */
export async function takeMerged(repo: Repository, index: Index, before: Snapshot, merged: MergedTrees): Promise<void> {
  // The merge's new blobs are written only now, when nothing stands in its way.
  for (const { oid, mode } of merged.files.values())
    if (mode !== modes.submodule && repo.objects.isHeld(oid)) await repo.objects.write("blob", await repo.objects.blob(oid));
  await switchTree(repo, index, before, merged.files);
  for (const [path, conflict] of merged.conflicts) {
    index.files.delete(path);
    index.conflicts.set(path, conflict);
  }
  await repo.writeIndex(index);
}

/**
 * Makes the index equal to `after`, as `git reset --merge` does: ends conflicts, and changes the files whose index entries differ from `after`. Fails
 * before anything changes if such a file has changes that are not in the index. Other files stay as they are. `revision`: its name, for the message.
 */
export async function resetMerge(repo: Repository, index: Index, after: Snapshot, revision: string): Promise<void> {
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]), { looksAtKept: true });
  const goes = (path: string): boolean => index.files.has(path) || index.conflicts.has(path);
  const paths = differing(index.files, after).filter((path) => !index.conflicts.has(path));
  for (const path of index.conflicts.keys())
    if (after.has(path) && (await repo.files.stat(repo.absolute(path)))?.isFolder === true && (await holdsOthers(repo, goes, path)))
      refuseReset(`Updating '${path}' would lose untracked files in it`, revision);
  for (const path of paths) {
    const staged = index.files.get(path);
    const now = after.get(path);
    const there = work.get(path);
    if (staged && (there ? !equal(staged, there) : await isReplaced(repo, path)))
      refuseReset(`Entry '${path}' not uptodate. Cannot merge.`, revision);
    const inTheWay = !staged && now && !isOutside(repo, path, now.mode) ? await standsInTheWay(repo, goes, path) : null;
    if (inTheWay !== null) refuseReset(`Untracked working tree file '${inTheWay}' would be overwritten by merge.`, revision);
  }
  for (const path of [...index.conflicts.keys(), ...paths]) {
    const old = index.files.get(path);
    if (!after.has(path)) await removeFile(repo, path, old?.mode ?? modes.file);
    index.files.delete(path);
  }
  for (const path of [...index.conflicts.keys(), ...paths]) {
    const now = after.get(path);
    if (now) index.files.set(path, await replaceFile(repo, path, now));
  }
  index.conflicts.clear();
}

export function refuseReset(why: string, revision: string): never {
  throw new Stop(128, `error: ${why}\nfatal: Could not reset index file to revision '${revision}'.\n`);
}

/** Fails if `resetTree` would overwrite untracked files. */
export async function refuseUntracked(repo: Repository, index: Index, after: Snapshot): Promise<void> {
  const goes = (path: string): boolean => index.files.has(path) || index.conflicts.has(path);
  const untracked = new Set<string>();
  for (const [path, now] of after) {
    if (isOutside(repo, path, now.mode)) continue;
    const isFolder = (await repo.files.stat(repo.absolute(path)))?.isFolder === true;
    const inTheWay = !goes(path) ? await standsInTheWay(repo, goes, path) : isFolder && (await holdsOthers(repo, goes, path)) ? path : null;
    if (inTheWay !== null) untracked.add(inTheWay);
  }
  refuseBlocked({ changed: [], ...(await apart(repo, untracked)) }, "reset", 128);
}

/** Makes the index and the working tree equal to `after`, whatever was there. Untracked files stay. */
export async function resetTree(
  repo: Repository,
  index: Index,
  after: Snapshot,
  matches: (path: string) => boolean = () => true,
): Promise<void> {
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]));
  const tracked = new Map<string, FileRef>(index.files);
  for (const [path, { base, ours, theirs }] of index.conflicts) {
    const side = ours ?? theirs ?? base;
    if (side) tracked.set(path, side);
  }
  for (const [path, old] of tracked) if (matches(path) && !after.has(path)) await removeFile(repo, path, old.mode);
  const entries = new Map(index.files);
  index.files.clear();
  index.conflicts.clear();
  for (const [path, entry] of entries) if (!matches(path)) index.files.set(path, entry);
  for (const [path, now] of after) {
    if (!matches(path)) continue;
    const there = work.get(path);
    const entry = entries.get(path);
    if (there && equal(there, now) && entry && equal(entry, now)) index.files.set(path, entry);
    else index.files.set(path, await replaceFile(repo, path, now));
  }
}

function differing(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => !equal(before.get(path) ?? null, after.get(path) ?? null)).toSorted(compareBytes);
}

function equal(a: FileRef | null, b: FileRef | null): boolean {
  return a === null || b === null ? a === b : a.oid === b.oid && a.mode === b.mode;
}
