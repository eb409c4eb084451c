import type { Repository } from "./repository.ts";
import { type FileRef, modes, type Snapshot } from "./store/model.ts";
import { compareBytes } from "./text/bytes.ts";
import { fromBytes } from "../encoding.ts";
import { splitLines } from "../../../fs/text/line-diff.ts";

/** One file that differs between two snapshots. */
export interface FileChange {
  /** The path on the new side; for a removed file, on the old side. */
  readonly path: string;
  /** The path on the old side, if the file was renamed. */
  readonly from: string | null;
  readonly old: FileRef | null;
  readonly new: FileRef | null;
  /** The similarity of a rename, in percent. */
  readonly similarity: number;
  /** The path is in conflict: it gets one line and no content. */
  readonly unmerged?: boolean;
}

/** The changes, sorted by path. */
export function changesBetween(before: Snapshot, after: Snapshot, matches: (path: string) => boolean): FileChange[] {
  const changes: FileChange[] = [];
  const add = (path: string, old: FileRef | null, now: FileRef | null): void => {
    if (matches(path)) changes.push({ path, from: null, old, new: now, similarity: 0 });
  };
  for (const [path, old] of before) {
    const now = after.get(path) ?? null;
    if (now === null || now.oid !== old.oid || now.mode !== old.mode) add(path, old, now);
  }
  for (const [path, now] of after) if (!before.has(path)) add(path, null, now);
  return changes.toSorted((a, b) => compareBytes(a.path, b.path));
}

/** Above this many pairs only equal contents count as renames, as in git (diff.renameLimit). */
const renameLimit = 1000;
/** Out of 60,000. */
const leastScore = 30_000;

/** Joins a removed and an added file into a rename if their contents are at least half alike. */
export async function withRenames(repo: Repository, changes: readonly FileChange[]): Promise<FileChange[]> {
  const isFile = (file: FileRef | null): file is FileRef => file !== null && file.mode !== modes.submodule;
  const removed = changes.filter((change) => change.new === null && isFile(change.old));
  const added = changes.filter((change) => change.old === null && isFile(change.new));
  if (removed.length === 0 || added.length === 0) return [...changes];
  const pairs = new Map<string, { readonly from: FileChange; readonly score: number }>();
  const gone = new Set<string>();
  const pair = (from: FileChange, to: FileChange, score: number): void => {
    pairs.set(to.path, { from, score });
    gone.add(from.path);
  };

  for (const to of added) {
    const equal = removed.filter((from) => !gone.has(from.path) && from.old?.oid === to.new?.oid);
    const from = equal.find((one) => nameOf(one.path) === nameOf(to.path)) ?? equal[0];
    if (from) pair(from, to, 60_000);
  }

  const restRemoved = removed.filter((from) => !gone.has(from.path));
  const restAdded = added.filter((to) => !pairs.has(to.path));
  if (restRemoved.length * restAdded.length <= renameLimit * renameLimit) {
    const chunks = new Map<string, Chunks>();
    const chunksOf = async (oid: string): Promise<Chunks> => {
      const known = chunks.get(oid);
      if (known) return known;
      const made = readChunks(await repo.objects.blob(oid));
      chunks.set(oid, made);
      return made;
    };
    const scores: { from: FileChange; to: FileChange; score: number; sameName: boolean }[] = [];
    for (const to of restAdded) {
      for (const from of restRemoved) {
        const score = similarity(await chunksOf(from.old?.oid ?? ""), await chunksOf(to.new?.oid ?? ""));
        if (score >= leastScore) scores.push({ from, to, score, sameName: nameOf(from.path) === nameOf(to.path) });
      }
    }
    scores.sort((a, b) => b.score - a.score || Number(b.sameName) - Number(a.sameName));
    for (const { from, to, score } of scores) if (!gone.has(from.path) && !pairs.has(to.path)) pair(from, to, score);
  }

  return changes.flatMap((change): FileChange[] => {
    if (change.new === null && gone.has(change.path)) return [];
    const found = change.old === null ? pairs.get(change.path) : undefined;
    return found
      ? [{ ...change, from: found.from.path, old: found.from.old, similarity: Math.floor((found.score * 100) / 60_000) }]
      : [change];
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

interface Chunks {
  readonly size: number;
  /** For each chunk's text, how many bytes of the file are in such chunks. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** Splits the content into lines, and long lines into pieces of 64 bytes. */
function readChunks(content: Uint8Array): Chunks {
  const bytes = new Map<string, number>();
  const count = (chunk: string): void => void bytes.set(chunk, (bytes.get(chunk) ?? 0) + chunk.length);
  for (const line of splitLines(fromBytes(content, "latin1").replaceAll("\r\n", "\n")))
    for (let at = 0; at < line.length; at += 64) count(line.slice(at, at + 64));
  return { size: content.length, bytes };
}

/** How much of the larger file is in both files, out of 60,000. */
function similarity(a: Chunks, b: Chunks): number {
  const largest = Math.max(a.size, b.size);
  const smallest = Math.min(a.size, b.size);
  if (smallest === 0 || smallest * 60_000 < largest * leastScore) return 0;
  let both = 0;
  for (const [chunk, count] of a.bytes) both += Math.min(count, b.bytes.get(chunk) ?? 0);
  return Math.floor((both * 60_000) / largest);
}
