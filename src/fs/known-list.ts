import type { FileStat } from "./files.ts";
import type { Path } from "./path.ts";

/** The most changed files that wait to be sorted into the list together, because waiting entries use memory too. */
const maxWaiting = 1_000;

/**
 * All files of a project after one commit, so that a list reads nothing if nothing has changed. Every commit of every handle has its own number, and
 * the list is returned only for its number. So a list that missed a commit is never used.
 */
export interface KnownList {
  /** The files whose path starts with `prefix`, sorted, after commit `version`. Null if unknown. The caller owns the array. */
  at(version: number, prefix: string): FileStat[] | null;
  /** `stats` are all files after commit `version`, sorted by path in code-unit order. */
  learn(version: number, stats: readonly FileStat[]): void;
  /** Commit `version` was stored and changed these files. Null: the file was removed. */
  follow(version: number, changed: ReadonlyMap<Path, FileStat | null>): void;
}

export function knownList(): KnownList {
  let version: number | null = null;
  let all: readonly FileStat[] = [];
  /** Changes that are not in `all` yet. */
  const waiting = new Map<Path, FileStat | null>();

  const forget = (): void => {
    version = null;
    all = [];
    waiting.clear();
  };
  const settle = (): void => {
    if (waiting.size === 0) return;
    all = merged(all, waiting);
    waiting.clear();
  };

  return {
    at(wanted, prefix) {
      if (wanted !== version) return null;
      settle();
      return startingWith(all, prefix);
    },
    learn(at, stats) {
      if (version !== null && at < version) return;
      version = at;
      all = [...stats];
      waiting.clear();
    },
    follow(next, changed) {
      if (version === null || next <= version) return;
      // Another handle's commit came between, and its changes are unknown here.
      if (next !== version + 1) return forget();
      version = next;
      for (const [path, stat] of changed) waiting.set(path, stat);
      if (waiting.size > maxWaiting) settle();
    },
  };
}

/** The list with these changes, in one pass. */
function merged(all: readonly FileStat[], changed: ReadonlyMap<Path, FileStat | null>): readonly FileStat[] {
  const paths = [...changed.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const parts: (readonly FileStat[])[] = [];
  let from = 0;
  for (const path of paths) {
    const at = place(all, path, from);
    parts.push(all.slice(from, at));
    from = all[at]?.path === path ? at + 1 : at;
    const stat = changed.get(path);
    if (stat) parts.push([stat]);
  }
  return [...parts, all.slice(from)].flat();
}

function startingWith(all: readonly FileStat[], prefix: string): FileStat[] {
  if (prefix === "") return [...all];
  const first = place(all, prefix);
  const rest = all.slice(first);
  const end = rest.findIndex(({ path }) => !path.startsWith(prefix));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The index, from `low` on, of the first file whose path is not before `path`. */
function place(all: readonly FileStat[], path: string, low = 0): number {
  let high = all.length;
  let first = low;
  while (first < high) {
    const middle = (first + high) >>> 1;
    const stat = all[middle];
    if (stat !== undefined && stat.path < path) first = middle + 1;
    else high = middle;
  }
  return first;
}
