import { changesBetween, type FileChange } from "../changes.ts";
import { endMerge, moveHead } from "../commit.ts";
import { parseOptions } from "../options.ts";
import { letterOf } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { findCommit, findObject, splitRevisions, treeOf, unknownRevision } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { fatal } from "../stop.ts";
import { type Index, type IndexEntry, makeRoom } from "../store/index-file.ts";
import type { Snapshot } from "../store/model.ts";
import { blockers, refuseReset, resetMerge, resetTree, switchTree } from "../switch-tree.ts";
import { worktreeSnapshot } from "../worktree.ts";
import { dropFinished } from "../sequence.ts";
import { unstagePatch } from "../unstage-patch.ts";
import { described } from "./checkout.ts";

export const reset: GitCommand = async (run, args) => {
  const options = parseOptions("reset", args, [
    "soft",
    "mixed",
    "hard",
    "merge",
    "keep",
    "q quiet",
    "p patch",
    "N intent-to-add",
    "no-refresh",
    "refresh",
  ]);
  // The last one counts.
  const mode = options.order.findLast((name) => ["mixed", "hard", "soft", "merge", "keep"].includes(name)) ?? "mixed";
  const adds = options.has("intent-to-add");
  if (adds && mode !== "mixed") fatal("the option '-N' requires '--mixed'");
  const repo = await run.repository();
  // After a commit, all words are paths, whether they exist or not.
  const [named, ...others] = options.words;
  const isCommit = options.paths === null && others.length > 0 && named !== undefined && (await findObject(repo, named)) !== null;
  const { revisions, paths } = isCommit ? { revisions: [named], paths: others } : await splitRevisions(repo, options.words, options.paths);
  // `x^@` and the like can't be reset to, even if they stand for one commit.
  if (revisions[0] !== undefined && revisions[0] !== named) unknownRevision(named ?? "");
  if (revisions.length > 1) unknownRevision(revisions[1] ?? "");
  const target = revisions[0] ?? "HEAD";
  const index = await repo.readIndex();
  const head = await repo.refs.head();
  const quiet = options.has("quiet");

  if (options.has("patch")) {
    if (mode !== "mixed") fatal(`options '--${mode}' and '--patch' cannot be used together`);
    await unstagePatch(run, repo, target, paths);
    return 0;
  }
  if (paths.length > 0) {
    if (mode !== "mixed" || options.has("mixed")) fatal(`Cannot do ${mode} reset with paths.`);
    const oid = await findObject(repo, target);
    if (oid === null && (target !== "HEAD" || head.oid !== null)) fatal(`Failed to resolve '${target}' as a valid tree.`);
    const from = oid === null ? new Map() : await repo.objects.files(await treeOf(repo, oid));
    const spec = repo.spec(paths);
    takeIndex(index, from, spec.matches, adds);
    await repo.writeIndex(index);
    if (!quiet) run.out(await unstagedText(repo, index));
    return 0;
  }

  const to = await findCommit(repo, target);
  if (to === null && (target !== "HEAD" || head.oid !== null)) unknownRevision(target);
  const after = await repo.snapshot(to);
  if ((mode === "soft" || mode === "keep") && (index.conflicts.size > 0 || (await repo.refs.resolve("MERGE_HEAD")) !== null))
    fatal(`Cannot do a ${mode} reset in the middle of a merge.`);
  if (mode === "hard") await resetTree(repo, index, after);
  if (mode === "merge") await resetMerge(repo, index, after, target);
  if (mode === "keep") {
    const before = await repo.snapshot(head.oid);
    const { changed, untracked, folders } = await blockers(repo, index, before, after);
    if (changed[0] !== undefined) refuseReset(`Entry '${changed[0]}' not uptodate. Cannot merge.`, target);
    if (folders[0] !== undefined) refuseReset(`Updating '${folders[0]}' would lose untracked files in it`, target);
    if (untracked[0] !== undefined) refuseReset(`Untracked working tree file '${untracked[0]}' would be overwritten by merge.`, target);
    await switchTree(repo, index, before, after);
  }
  if (mode === "mixed" || mode === "keep") takeIndex(index, after, () => true, adds);
  if (mode !== "soft") await repo.writeIndex(index);
  if (to !== null) {
    if (head.oid !== null) await repo.refs.set("ORIG_HEAD", head.oid);
    await moveHead(repo, to, `reset: moving to ${target}`);
  }
  if (mode !== "soft") await endMerge(repo);
  if (mode !== "soft") await dropFinished(repo);
  if (!quiet) await tell(run, repo, index, mode, to);
  return 0;
};

async function tell(run: Run, repo: Repository, index: Index, mode: string, to: string | null): Promise<void> {
  if (mode === "hard" && to !== null) run.out(`HEAD is now at ${await described(repo, to)}\n`);
  if (mode === "mixed") run.out(await unstagedText(repo, index));
}

/** Gives the index the entries of `from` for these paths. `adds`: other paths stay in it, as those of `git add -N`. */
function takeIndex(index: Index, from: Snapshot, matches: (path: string) => boolean, adds: boolean): void {
  for (const path of index.intents?.keys() ?? []) if (matches(path) && !(adds && !from.has(path))) index.intents?.delete(path);
  for (const [path, { mode }] of index.files) {
    if (!matches(path) || from.has(path)) continue;
    index.files.delete(path);
    if (adds) index.intents?.set(path, mode);
  }
  for (const path of index.conflicts.keys()) if (matches(path)) index.conflicts.delete(path);
  makeRoom(index, new Set([...from.keys()].filter(matches)));
  for (const [path, file] of from) {
    const old: IndexEntry | undefined = index.files.get(path);
    if (matches(path) && (old?.oid !== file.oid || old.mode !== file.mode)) index.files.set(path, { ...file, size: -1, mtime: 0 });
  }
}

async function unstagedText(repo: Repository, index: Index): Promise<string> {
  const changes: FileChange[] = changesBetween(index.files, await worktreeSnapshot(repo, index, repo.spec([":/"])), () => true);
  // git quotes no names here.
  const list = changes.map((change) => `${letterOf(change)}\t${change.path}\n`).join("");
  return list === "" ? "" : `Unstaged changes after reset:\n${list}`;
}
