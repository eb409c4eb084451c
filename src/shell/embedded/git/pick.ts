import { changesBetween } from "./changes.ts";
import { announce, endsInTrailers, indexTree, moveHead, subjectOf, writeMessageFile } from "./commit.ts";
import { type Favor, mergeTrees } from "./merge-trees.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import type { Run } from "./run.ts";
import { Stop } from "./stop.ts";
import type { Commit, Oid, Snapshot } from "./store/model.ts";
import { blockers, refuseBlocked, takeMerged } from "./switch-tree.ts";
import { formatDate } from "./text/dates.ts";

/** A commit whose change is applied, or reverted, on top of HEAD. */
export interface Pick {
  readonly kind: "cherry-pick" | "revert" | "rebase";
  readonly commit: Oid;
  /** The parent that a merge is compared with, from 1; null: the commit must not be a merge. */
  readonly mainline: number | null;
  /** Leave the commit to the caller; staged changes stay. */
  readonly onlyStage: boolean;
  /** Record the source commit in the message. */
  readonly saysSource: boolean;
  readonly keepsEmpty: boolean;
  /** `-X`. */
  readonly favor?: Favor;
  /** The new commit has no parent: HEAD is only where a `rebase --root` began. */
  readonly isRoot?: boolean;
}

/** "empty": HEAD already has the change. */
export type Picked = "done" | "conflict" | "empty";

/** The file that names the commit while its change is in conflict. */
export const pickHeads = { "cherry-pick": "CHERRY_PICK_HEAD", revert: "REVERT_HEAD", rebase: "REBASE_HEAD" } as const;

export async function pickOne(run: Run, repo: Repository, pick: Pick): Promise<Picked> {
  const { kind, onlyStage } = pick;
  const commit = await repo.objects.commit(pick.commit);
  const parent = parentOf(pick, commit);
  const head = await repo.refs.head();
  if (head.oid === null) throw new Stop(128, `fatal: Vibey's git can't ${kind} onto a branch without a commit\n`);
  const index = await repo.readIndex();
  const top = await repo.snapshot(head.oid);
  const before: Snapshot = onlyStage ? new Map(index.files) : top;
  const staged = changesBetween(top, index.files, () => true).length > 0 && !onlyStage;
  if (index.conflicts.size > 0)
    throw new Stop(
      128,
      `error: ${kind === "revert" ? "Reverting" : "Cherry-picking"} is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: ${kind} failed\n`,
    );
  if (staged)
    throw new Stop(
      128,
      `error: your local changes would be overwritten by ${kind}.\nhint: commit your changes or stash them to proceed.\nfatal: ${kind} failed\n`,
    );

  const subject = subjectOf(commit.message);
  const name = `${shortOid(commit.oid)} (${subject})`;
  const [base, theirs] = [await repo.snapshot(parent), await repo.snapshot(commit.oid)];
  const merged =
    kind === "revert"
      ? await mergeTrees(repo, theirs, before, base, { ours: "HEAD", theirs: `parent of ${name}`, favor: pick.favor ?? null })
      : await mergeTrees(repo, base, before, theirs, { ours: "HEAD", theirs: name, favor: pick.favor ?? null });
  try {
    refuseBlocked(await blockers(repo, index, before, merged.files), "merge");
  } catch (error) {
    throw error instanceof Stop && kind !== "rebase" ? new Stop(128, `${error.message}fatal: ${kind} failed\n`) : error;
  }
  await takeMerged(repo, index, before, merged);
  // As in git, a rebase is silent about what it merged.
  if (kind !== "rebase" || merged.conflicts.size > 0) for (const line of merged.messages) run.out(`${line}\n`);
  const message = messageOf(pick, commit);
  if (merged.conflicts.size > 0) {
    if (!onlyStage) await repo.refs.set(pickHeads[kind], commit.oid);
    const list = [...merged.conflicts.keys()].map((path) => `#\t${path}\n`).join("");
    await writeMessageFile(repo, "MERGE_MSG", `${message}\n# Conflicts:\n${list}`);
    return "conflict";
  }
  if (onlyStage) {
    // A following `git commit` uses the message.
    await writeMessageFile(repo, "MERGE_MSG", message);
    if (kind === "revert") await repo.refs.set(pickHeads.revert, commit.oid);
    return "done";
  }
  const tree = await indexTree(repo, index);
  const wasEmpty = (parent === null ? null : (await repo.objects.commit(parent)).tree) === commit.tree;
  if (tree === (await repo.objects.commit(head.oid)).tree && !(wasEmpty && (pick.keepsEmpty || kind === "rebase"))) {
    if (kind === "cherry-pick") {
      await repo.refs.set(pickHeads[kind], commit.oid);
      await writeMessageFile(repo, "MERGE_MSG", message);
    }
    return "empty";
  }
  await commitPick(run, repo, pick, tree, head.oid, commit, message);
  return "done";
}

async function commitPick(
  run: Run,
  repo: Repository,
  { kind, isRoot = false }: Pick,
  tree: Oid,
  head: Oid,
  source: Commit,
  message: string,
): Promise<void> {
  const author = kind === "revert" ? await repo.author() : source.author;
  const committer = await repo.committer();
  const parents = isRoot ? [] : [head];
  const oid = await repo.writeCommit({ tree, parents, author, committer, message });
  const subject = subjectOf(message);
  await moveHead(repo, oid, `${kind === "rebase" ? "rebase (pick)" : kind}: ${subject}`);
  // An earlier pick that was empty left them.
  for (const name of ["CHERRY_PICK_HEAD", "MERGE_MSG"]) await repo.files.remove(`${repo.gitdir}/${name}`, repo.gitdir);
  if (kind === "rebase") return;
  const showDate = formatDate(author, "default", run.shell.now());
  run.out(await announce(repo, { oid, subject, parents, author, committer, showDate }));
}

function parentOf({ kind, mainline }: Pick, commit: Commit): Oid | null {
  if (commit.parents.length > 1) {
    if (mainline === null)
      throw new Stop(128, `error: commit ${commit.oid} is a merge but no -m option was given.\nfatal: ${kind} failed\n`);
    const parent = commit.parents[mainline - 1];
    if (parent === undefined) throw new Stop(128, `error: commit ${commit.oid} does not have parent ${mainline}\nfatal: ${kind} failed\n`);
    return parent;
  }
  if (mainline !== null && mainline !== 1)
    throw new Stop(128, `error: commit ${commit.oid} does not have parent ${mainline}\nfatal: ${kind} failed\n`);
  return commit.parents[0] ?? null;
}

function messageOf({ kind, saysSource, mainline }: Pick, commit: Commit): string {
  if (kind === "revert") {
    const against =
      commit.parents.length > 1 && mainline !== null ? `, reversing\nchanges made to ${commit.parents[mainline - 1] ?? ""}` : "";
    return `Revert "${subjectOf(commit.message)}"\n\nThis reverts commit ${commit.oid}${against}.\n`;
  }
  if (!saysSource) return commit.message;
  const ends = endsInTrailers(commit.message) ? "" : "\n";
  return `${commit.message.replace(/\n*$/, "\n")}${ends}(cherry picked from commit ${commit.oid})\n`;
}
