import { changesBetween, type FileChange, withRenames } from "./changes.ts";
import { readMessageFile } from "./commit.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import { findUntracked, worktreeSnapshot } from "./worktree.ts";
import type { Index, IndexEntry } from "./store/index-file.ts";
import type { FileRef } from "./store/model.ts";
import type { Pathspec } from "./store/pathspec.ts";
import { compareBytes } from "./text/bytes.ts";
import type { Head } from "./store/refs.ts";
import { type UnderWay, underWay } from "./under-way.ts";

export interface Status {
  readonly head: Head;
  readonly index: Index;
  /** The differences between HEAD and the index. */
  readonly staged: readonly FileChange[];
  /** The differences between the index and the working tree. */
  readonly unstaged: readonly FileChange[];
  /** Paths in conflict, each with the two letters of `git status --short`. */
  readonly conflicts: ReadonlyMap<string, string>;
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  /** A merge is under way. */
  readonly merging: boolean;
  /** What else is under way, as `git status` prints it before the files. */
  readonly under: UnderWay | null;
  /** Where a `git bisect` under way began: a branch or a short hash. */
  readonly bisectsFrom: string | null;
}

export interface StatusOptions {
  /** "no": don't look; "normal": name a folder without tracked files once; "all": name each file. */
  readonly untracked: "no" | "normal" | "all";
  /** An index to use instead of the stored one. It is not written. */
  readonly proposed?: Index;
}

export async function readStatus(repo: Repository, spec: Pathspec, { untracked, proposed }: StatusOptions): Promise<Status> {
  const head = await repo.refs.head();
  const index = proposed ?? (await repo.readIndex());
  const refreshed = new Map<string, IndexEntry>();
  const work = await worktreeSnapshot(repo, index, spec, { refreshed: (path, entry) => refreshed.set(path, entry) });
  const matches = (path: string): boolean => spec.matches(path) && !index.conflicts.has(path);
  const staged = await withRenames(repo, changesBetween(await repo.snapshot(head.oid), index.files, matches));
  const unstaged = changesBetween(index.files, work, matches);
  const found =
    untracked === "no"
      ? { untracked: [], ignored: [], empty: [] }
      : await findUntracked(repo, index, spec, { fold: untracked === "normal" });
  // As git does, records that these files were read and are unchanged, so that they need not be read again.
  if (refreshed.size > 0 && proposed === undefined) {
    for (const [path, entry] of refreshed) index.files.set(path, entry);
    await repo.writeIndex(index);
  }
  const conflicts = [...index.conflicts].filter(([path]) => spec.matches(path)).toSorted(([a], [b]) => compareBytes(a, b));
  const began = (await readMessageFile(repo, "BISECT_START"))?.trim() ?? null;
  return {
    head,
    index,
    staged,
    unstaged,
    conflicts: new Map(conflicts.map(([path, { base, ours, theirs }]) => [path, conflictLetters(base, ours, theirs)])),
    ...found,
    merging: (await repo.refs.resolve("MERGE_HEAD")) !== null,
    under: await underWay(repo, index.conflicts.size > 0),
    bisectsFrom: began !== null && /^[0-9a-f]{40}$/.test(began) ? shortOid(began) : began,
  };
}

function conflictLetters(base: FileRef | null, ours: FileRef | null, theirs: FileRef | null): string {
  if (base === null) return ours && theirs ? "AA" : ours ? "AU" : "UA";
  return ours && theirs ? "UU" : ours ? "UD" : theirs ? "DU" : "DD";
}

const conflictWords: Readonly<Record<string, string>> = {
  UU: "both modified:",
  AA: "both added:",
  DD: "both deleted:",
  UD: "deleted by them:",
  DU: "deleted by us:",
  AU: "added by us:",
  UA: "added by them:",
};

export interface LongOptions {
  readonly name: (path: string) => string;
  readonly untracked: boolean;
  readonly showIgnored: boolean;
  /** "HEAD detached at v1"; null: unknown. */
  readonly detached: string | null;
  /** How far the branch is from its upstream. */
  readonly followed: string;
}

/** Prints `git status` in the long format. */
export function longStatus(status: Status, { name, untracked, showIgnored, detached, followed }: LongOptions): string {
  const { head, staged, unstaged, conflicts, merging, under } = status;
  // In these states, git prints no advice on unstaging files.
  const own = merging || under?.hidesAdvice === true;
  let text =
    head.branch === null
      ? under?.onto != null
        ? `${under.onto}\n`
        : `${detached ?? "Not currently on any branch."}\n`
      : `On branch ${head.branch}\n`;
  if (followed !== "") text += `${followed}\n`;
  if (merging) {
    text +=
      conflicts.size > 0
        ? 'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n'
        : 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n';
  }
  if (under) text += `${under.text}\n`;
  if (status.bisectsFrom !== null)
    text += `You are currently bisecting, started from branch '${status.bisectsFrom}'.\n  (use "git bisect reset" to get back to the original branch)\n\n`;
  if (head.oid === null) text += "\nNo commits yet\n\n";
  if (staged.length > 0) {
    text += "Changes to be committed:\n";
    if (!own)
      text +=
        head.oid === null ? '  (use "git rm --cached <file>..." to unstage)\n' : '  (use "git restore --staged <file>..." to unstage)\n';
    for (const change of staged)
      text += `\t${label(change)}${change.from === null ? "" : `${name(change.from)} -> `}${name(change.path)}\n`;
    text += "\n";
  }
  if (conflicts.size > 0) {
    const gone = [...conflicts.values()].some((letters) => letters.includes("D"));
    text += `Unmerged paths:\n${own ? "" : '  (use "git restore --staged <file>..." to unstage)\n'}  (use "git ${gone ? "add/rm" : "add"} <file>..." ${gone ? "as appropriate " : ""}to mark resolution)\n`;
    for (const [path, letters] of conflicts) text += `\t${(conflictWords[letters] ?? "").padEnd(17)}${name(path)}\n`;
    text += "\n";
  }
  if (unstaged.length > 0) {
    const gone = unstaged.some((change) => change.new === null);
    text += `Changes not staged for commit:\n  (use "git ${gone ? "add/rm" : "add"} <file>..." to update what will be committed)\n  (use "git restore <file>..." to discard changes in working directory)\n`;
    for (const change of unstaged) text += `\t${label(change)}${name(change.path)}\n`;
    text += "\n";
  }
  if (status.untracked.length > 0) {
    text += 'Untracked files:\n  (use "git add <file>..." to include in what will be committed)\n';
    for (const path of status.untracked) text += `\t${name(path)}\n`;
    text += "\n";
  }
  if (showIgnored && status.ignored.length > 0) {
    text += 'Ignored files:\n  (use "git add -f <file>..." to include in what will be committed)\n';
    for (const path of status.ignored) text += `\t${name(path)}\n`;
    text += "\n";
  }
  if (!untracked && (staged.length > 0 || head.oid !== null)) {
    text += staged.length > 0 ? "Untracked files not listed (use -u option to show untracked files)\n" : "";
  }
  return text + lastLine(status, untracked);
}

function lastLine({ head, staged, unstaged, conflicts, untracked, merging }: Status, looked: boolean): string {
  if (staged.length > 0 || (merging && conflicts.size === 0)) return "";
  if (unstaged.length > 0 || conflicts.size > 0) return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (untracked.length > 0) return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  if (head.oid === null) return 'nothing to commit (create/copy files and use "git add" to track)\n';
  return looked ? "nothing to commit, working tree clean\n" : "nothing to commit (use -u to show untracked files)\n";
}

function label(change: FileChange): string {
  const word =
    change.from !== null
      ? "renamed:"
      : !change.old
        ? "new file:"
        : !change.new
          ? "deleted:"
          : change.old.mode >> 12 === change.new.mode >> 12
            ? "modified:"
            : "typechange:";
  return word.padEnd(12);
}
