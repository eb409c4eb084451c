import { changesBetween } from "../changes.ts";
import { endMerge, subjectOf } from "../commit.ts";
import { withMarkers } from "../merge-trees.ts";
import { type Options, parseOptions } from "../options.ts";
import { choosePatches, questions } from "../patch-mode.ts";
import { nameStatus } from "../print-changes.ts";
import { readRebase } from "../rebase-state.ts";
import type { Repository } from "../repository.ts";
import { findCommit, findObject, mustFindCommit, refTips, shortOid, switchTarget, treeOf } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { dropFinished, readSequence } from "../sequence.ts";
import { absent, failed, fatal } from "../stop.ts";
import { type Index, makeRoom } from "../store/index-file.ts";
import type { FileRef, Oid, Snapshot } from "../store/model.ts";
import { blockers, carryChanges, refuseBlocked, resetTree, switchTree } from "../switch-tree.ts";
import { removeFile, replaceFile, worktreeSnapshot, writeFile } from "../worktree.ts";
import { refuseElsewhere } from "../worktrees.ts";
import { distanceText, trackingRef } from "../tracking.ts";
import { unstagePatch } from "../unstage-patch.ts";
import { mustBeBranchName, trackStart } from "./branch.ts";
import { remoteNames } from "./fetch.ts";
import { walk } from "./log.ts";

export const checkout: GitCommand = async (run, args) => {
  const options = parseOptions("checkout", args, [
    "b=",
    "B=",
    "f force",
    "q quiet",
    "detach",
    "d",
    "orphan=",
    "ours",
    "theirs",
    "t track",
    "no-track",
    "p patch",
    "m merge",
    "progress",
    "no-progress",
    "guess",
    "no-guess",
  ]);
  const repo = await run.repository();
  if (options.has("patch")) {
    if (options.words.length > 0 && (await findObject(repo, options.words[0] ?? "")) !== null)
      absent("checkout --patch of a commit; use git checkout <commit> -- <path>, then git reset -p");
    return discardPatch(run, repo, [...options.words, ...(options.paths ?? [])]);
  }
  const orphan = options.value("orphan");
  if (orphan !== null) return startOrphan(run, repo, orphan, options.words[0] ?? null, options.has("quiet"));
  const created = options.value("b") ?? options.value("B") ?? (options.has("track") ? trackedName(options.words[0]) : null);
  if (created !== null)
    return switchTo(run, repo, { ...readSwitch(options), create: created, recreate: options.has("B"), target: options.words[0] ?? null });
  const [first, ...rest] = options.words;
  if (options.paths !== null && rest.length > 0) fatal(`only one reference expected, ${options.words.length} given.`);
  if (options.paths !== null && options.paths.length > 0) return checkoutFiles(run, repo, first ?? null, options.paths, options);
  if (first === undefined && (options.has("detach") || options.has("d")))
    return switchTo(run, repo, { ...readSwitch(options), create: null, recreate: false, target: "HEAD" });
  if (first === undefined && options.has("force"))
    return switchTo(run, repo, { ...readSwitch(options), create: null, recreate: false, target: "HEAD" });
  if (first === undefined) {
    run.out((await localChanges(repo)) + (await distanceText(repo, (await repo.refs.head()).branch)));
    return 0;
  }
  const isCommit = first === "-" || (await findObject(repo, first)) !== null;
  const guessed = isCommit || rest.length > 0 || options.has("no-guess") ? null : await guess(repo, first);
  if (guessed !== null) return switchTo(run, repo, { ...readSwitch(options), create: first, recreate: false, target: guessed });
  if (isCommit && rest.length > 0) return checkoutFiles(run, repo, first, rest, options);
  if (isCommit) return switchTo(run, repo, { ...readSwitch(options), create: null, recreate: false, target: first });
  if (options.paths !== null) fatal(`invalid reference: ${first}`);
  return checkoutFiles(run, repo, null, options.words, options);
};

export const switchCommand: GitCommand = async (run, args) => {
  const options = parseOptions("switch", args, [
    "c create=",
    "C force-create=",
    "d detach",
    "f force",
    "discard-changes",
    "q quiet",
    "orphan=",
    "t track",
    "no-track",
    "m merge",
    "guess",
    "no-guess",
    "progress",
    "no-progress",
  ]);
  if (options.has("orphan")) absent("switch --orphan; use git checkout --orphan");
  const repo = await run.repository();
  const create = options.value("create") ?? options.value("force-create") ?? (options.has("track") ? trackedName(options.words[0]) : null);
  const typed = options.words[0] ?? null;
  const target = typed === null ? null : ((await switchTarget(repo, typed)) ?? fatal(`invalid reference: ${typed}`));
  if (create === null && target === null && !options.has("detach")) fatal("missing branch or commit argument");
  if (create === null && target !== null && !options.has("detach") && (await repo.refs.resolve(`refs/heads/${target}`)) === null) {
    const guessed = options.has("no-guess") || (await findCommit(repo, target)) !== null ? null : await guess(repo, target);
    if (guessed !== null) {
      await refuseUnderWay(repo);
      return switchTo(run, repo, { ...readSwitch(options, false), create: target, recreate: false, target: guessed });
    }
    if ((await findCommit(repo, target)) === null) fatal(`invalid reference: ${target}`);
    fatal(
      `a branch is expected, got ${(await repo.refs.resolve(`refs/tags/${target}`)) === null ? "commit" : "tag"} '${target}'\nhint: If you want to detach HEAD at the commit, try again with the --detach option.`,
    );
  }
  await refuseUnderWay(repo);
  return switchTo(run, repo, {
    ...readSwitch(options, false),
    force: options.has("force") || options.has("discard-changes"),
    create,
    recreate: options.has("force-create"),
    target,
  });
};

/** `git switch` fails during a merge and the like; `git checkout` ends a merge, cherry-pick or revert instead. */
async function refuseUnderWay(repo: Repository): Promise<void> {
  const refuse = (why: string, quit: string): never =>
    fatal(`cannot switch branch ${why}\nConsider "git ${quit} --quit" or "git worktree add".`);
  if ((await repo.refs.resolve("MERGE_HEAD")) !== null) refuse("while merging", "merge");
  if ((await repo.files.stat(`${repo.gitdir}/rebase-apply`)) !== null) refuse("in the middle of an am session", "am");
  if ((await readRebase(repo)) !== null) refuse("while rebasing", "rebase");
  const kind = (await readSequence(repo))?.kind;
  if (kind === "cherry-pick" || (await repo.refs.resolve("CHERRY_PICK_HEAD")) !== null) refuse("while cherry-picking", "cherry-pick");
  if (kind === "revert" || (await repo.refs.resolve("REVERT_HEAD")) !== null) refuse("while reverting", "revert");
}

/** A commit on the new branch must not complete a merge, cherry-pick or revert that began on the old one. */
async function endUnderWay(repo: Repository, say: (text: string) => void): Promise<void> {
  if ((await repo.refs.resolve("CHERRY_PICK_HEAD")) !== null) say("warning: cancelling a cherry picking in progress\n");
  if ((await repo.refs.resolve("REVERT_HEAD")) !== null) say("warning: cancelling a revert in progress\n");
  await endMerge(repo);
  await dropFinished(repo);
}

/** `--orphan`: starts a branch whose first commit has no parent. The index and the files stay. */
async function startOrphan(run: Run, repo: Repository, name: string, start: string | null, quiet: boolean): Promise<number> {
  mustBeBranchName(name);
  if ((await repo.refs.resolve(`refs/heads/${name}`)) !== null) fatal(`a branch named '${name}' already exists`);
  if (start !== null) absent("checkout --orphan with a start point; check that out first");
  refuseConflicts(run, await repo.readIndex());
  await repo.refs.attach(name);
  const say = (text: string): void => {
    if (!quiet) run.err(text);
  };
  say(`Switched to a new branch '${name}'\n`);
  await endUnderWay(repo, say);
  return 0;
}

function refuseConflicts(run: Run, index: Index): void {
  if (index.conflicts.size === 0) return;
  run.out([...index.conflicts.keys()].map((path) => `${path}: needs merge\n`).join(""));
  failed("you need to resolve your current index first");
}

interface Switch {
  readonly create: string | null;
  readonly recreate: boolean;
  readonly target: string | null;
  readonly force: boolean;
  /** `-m`: merges local changes into what is switched to. */
  readonly merge: boolean;
  readonly quiet: boolean;
  readonly detach: boolean;
  /** Whether this is `git checkout` rather than `git switch`. */
  readonly byName: boolean;
  /** Whether a new branch follows the branch that it starts from; null: only if that is a remote branch. */
  readonly track: boolean | null;
}

/** The remote branch of this name, such as "refs/remotes/origin/topic", if exactly one remote has it. */
async function guess(repo: Repository, name: string): Promise<string | null> {
  const found: string[] = [];
  for (const remote of await remoteNames(repo)) {
    const ref = await trackingRef(repo, remote, `refs/heads/${name}`);
    if (ref !== null && (await repo.refs.resolve(ref)) !== null) found.push(ref);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The name of the branch that `--track origin/topic` creates. */
function trackedName(start: string | undefined): string {
  const name = start?.replace(/^(?:refs\/)?(?:remotes\/)?[^/]+\//, "") ?? "";
  return name === "" || name === start ? fatal("missing branch name; try -b") : name;
}

function readSwitch(options: Options, byName = true): Pick<Switch, "force" | "merge" | "quiet" | "detach" | "track" | "byName"> {
  const track = options.has("track") ? true : options.has("no-track") ? false : null;
  return {
    track,
    byName,
    force: options.has("force"),
    merge: options.has("merge"),
    quiet: options.has("quiet"),
    detach: options.has("detach") || options.has("d"),
  };
}

async function switchTo(
  run: Run,
  repo: Repository,
  { create, recreate, target, force, merge, quiet, detach, track, byName }: Switch,
): Promise<number> {
  const head = await repo.refs.head();
  const say = (text: string): void => {
    if (!quiet) run.err(text);
  };
  if (create !== null) {
    mustBeBranchName(create);
    if (!recreate && (await repo.refs.resolve(`refs/heads/${create}`)) !== null) fatal(`a branch named '${create}' already exists`);
    if (head.oid === null && target === null) {
      await repo.refs.attach(create);
      say(`Switched to a new branch '${create}'\n`);
      return 0;
    }
  }
  const name =
    target === null
      ? "HEAD"
      : ((await switchTarget(repo, target)) ?? failed(`pathspec '${target}' did not match any file(s) known to git`));
  const branch = create === null && !detach && (await repo.refs.resolve(`refs/heads/${name}`)) !== null ? name : null;
  if (create === null && head.branch === name && head.oid === null) return 0;
  if (create !== null && (await findCommit(repo, name)) === null)
    fatal(byName ? `'${name}' is not a commit and a branch '${create}' cannot be created from it` : `invalid reference: ${name}`);
  const to = branch === null ? await mustFindCommit(repo, name) : await mustFindCommit(repo, `refs/heads/${branch}`);
  if (branch !== null && branch !== head.branch) await refuseElsewhere(repo, branch);
  const index = await repo.readIndex();
  // As in git, a plain `-b` leaves the index and all files alone, even in a conflict.
  const isPlain = create !== null && target === null && !force && !(recreate && byName);
  if (!force && !isPlain) refuseConflicts(run, index);
  const after = await repo.snapshot(to);
  const before = await repo.snapshot(head.oid);
  if (force) await resetTree(repo, index, after);
  else if (!isPlain) {
    const blocked = await blockers(repo, index, before, after);
    if (merge && blocked.untracked.length + blocked.folders.length === 0 && blocked.changed.length > 0) {
      const staged = changesBetween(before, index.files, () => true).map(({ path }) => path);
      if (staged.length > 0) fatal(`cannot continue with staged changes in the following files:\n${staged.join("\n")}`);
      await carryChanges(repo, index, before, after, { ours: create ?? branch ?? name, theirs: "local" });
    } else {
      refuseBlocked(blocked, "checkout");
      await switchTree(repo, index, before, after);
    }
  }
  if (!isPlain) await repo.writeIndex(index);
  const from = head.branch ?? head.oid ?? "";
  if (head.branch === null && head.oid !== null && head.oid !== to) say(await leavingText(repo, head.oid, to));
  if (create !== null) {
    const existed = recreate && (await repo.refs.resolve(`refs/heads/${create}`)) !== null;
    const was = await repo.refs.resolve(`refs/heads/${create}`);
    await repo.refs.set(`refs/heads/${create}`, to);
    await repo.refs.log(
      was,
      to,
      await repo.committer(),
      `branch: ${was === null ? "Created from" : "Reset to"} ${name}`,
      `refs/heads/${create}`,
    );
    await repo.refs.attach(create);
    const followed = target === null ? "" : await trackStart(repo, create, target, track);
    if (!quiet) run.out(followed);
    const said = !existed ? "Switched to a new branch" : head.branch === create ? "Reset branch" : "Switched to and reset branch";
    say(`${said} '${create}'\n`);
  } else if (branch !== null) {
    await repo.refs.attach(branch);
    say(head.branch === branch ? `Already on '${branch}'\n` : `Switched to branch '${branch}'\n`);
  } else if (name !== "HEAD" || detach) {
    await repo.refs.detach(to);
    const advice = head.branch !== null && !detach && (await repo.setting("advice.detachedhead")) !== "false";
    say(`${advice ? detachedAdvice(name) : ""}HEAD is now at ${await described(repo, to)}\n`);
  }
  const isLogged = create !== null || branch !== null || (head.branch === null ? head.oid !== to : name !== "HEAD" || detach);
  if (isLogged) await repo.refs.log(head.oid, to, await repo.committer(), `checkout: moving from ${from} to ${create ?? branch ?? name}`);
  await endUnderWay(repo, say);
  if (!quiet && !force && !isPlain) run.out(await localChanges(repo));
  if (!quiet && create === null && branch !== null) run.out(await distanceText(repo, branch));
  return 0;
}

/** The number of commits that are named. */
const mostNamed = 4;

/** Names the detached commit that HEAD leaves, and warns about commits that no ref leads to. */
async function leavingText(repo: Repository, from: Oid, to: Oid): Promise<string> {
  const lost: string[] = [];
  const starts = { from: [from], without: [to, ...(await refTips(repo))] };
  for await (const { commit } of walk(repo, starts, false, false, repo.spec([])))
    lost.push(`  ${shortOid(commit.oid)} ${subjectOf(commit.message)}\n`);
  if (lost.length === 0) return `Previous HEAD position was ${await described(repo, from)}\n`;
  const [commits, them] = lost.length === 1 ? ["commit", "it"] : ["commits", "them"];
  const more = lost.length - mostNamed;
  const named = more > 1 ? [...lost.slice(0, mostNamed), ` ... and ${more} more.\n`] : lost;
  const text = `Warning: you are leaving ${lost.length} ${commits} behind, not connected to\nany of your branches:\n\n${named.join("")}\n`;
  if ((await repo.setting("advice.detachedhead")) === "false") return text;
  return `${text}If you want to keep ${them} by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> ${shortOid(from)}\n\n`;
}

export const detachedAdvice = (name: string): string => `Note: switching to '${name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;

export async function described(repo: Repository, oid: string): Promise<string> {
  return `${shortOid(oid)} ${subjectOf((await repo.objects.commit(oid)).message)}`;
}

/** Lists what differs from HEAD after the switch. */
async function localChanges(repo: Repository): Promise<string> {
  const index = await repo.readIndex();
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]));
  const head = await repo.snapshot(await repo.refs.resolve("HEAD"));
  return nameStatus(
    repo,
    changesBetween(head, work, () => true),
    "\n",
  );
}

async function checkoutFiles(
  run: Run,
  repo: Repository,
  source: string | null,
  paths: readonly string[],
  options: Options,
): Promise<number> {
  const index = await repo.readIndex();
  const side = options.has("ours") ? "ours" : options.has("theirs") ? "theirs" : null;
  const spec = repo.spec(paths);
  const from: Snapshot =
    source === null
      ? new Map<string, FileRef>(index.files)
      : await repo.objects.files(await treeOf(repo, (await findObject(repo, source)) ?? fatal(`invalid reference: ${source}`)));
  const conflicts = [...index.conflicts].filter(([path]) => spec.matches(path));
  const merges = options.has("merge") && side === null;
  if (source !== null && merges) fatal("'--merge', '--ours' or '--theirs' cannot be used with a tree-ish");
  const recreated = new Map<string, FileRef>();
  if (merges) for (const [path, conflict] of conflicts) recreated.set(path, await withMarkers(repo, path, conflict));
  if (source === null && conflicts.length > 0 && side === null && !merges)
    failed(conflicts.map(([path]) => `path '${path}' is unmerged`).join("\nerror: "));
  const wrong = spec.unmatched([...from.keys(), ...(source === null ? index.conflicts.keys() : [])]);
  if (wrong.length > 0) failed(wrong.map((text) => `pathspec '${text}' did not match any file(s) known to git`).join("\nerror: "));
  const work = await worktreeSnapshot(repo, index, spec);
  if (source !== null) makeRoom(index, new Set([...from.keys()].filter(spec.matches)));
  let count = 0;
  for (const [path, file] of from) {
    if (!spec.matches(path)) continue;
    const there = work.get(path);
    const same = there?.oid === file.oid && there.mode === file.mode;
    if (source === null && same) continue;
    const entry = await replaceFile(repo, path, file);
    index.files.set(path, entry);
    if (source !== null) index.conflicts.delete(path);
    count++;
  }
  if (source === null && side !== null) {
    for (const [path] of conflicts) {
      await writeSide(repo, index, path, side);
      count++;
    }
  }
  for (const [path, file] of recreated) await replaceFile(repo, path, file);
  await repo.writeIndex(index);
  const told = recreated.size;
  if (!options.has("quiet") && options.paths === null && told > 0) run.err(`Recreated ${told} merge conflict${told === 1 ? "" : "s"}\n`);
  if (told > 0 && count === 0) return 0;
  // As git does, prints the count if the paths came without "--".
  if (!options.has("quiet") && options.paths === null) {
    const origin = source === null ? "the index" : shortOid(await treeOf(repo, (await findObject(repo, source)) ?? ""));
    run.err(`Updated ${count} path${count === 1 ? "" : "s"} from ${origin}\n`);
  }
  return 0;
}

/** Writes one side of a conflict to the working tree. The path stays in conflict. */
async function writeSide(repo: Repository, index: Index, path: string, side: "ours" | "theirs"): Promise<void> {
  const file = index.conflicts.get(path)?.[side] ?? failed(`path '${path}' does not have ${side === "ours" ? "our" : "their"} version`);
  await writeFile(repo, path, file);
}

/** `git checkout -p` and `git restore -p`: reads the answers from standard input. */
async function discardPatch(run: Run, repo: Repository, paths: readonly string[]): Promise<number> {
  const index = await repo.readIndex();
  const spec = repo.spec(paths.length === 0 ? [":/"] : paths);
  const work = await worktreeSnapshot(repo, index, spec);
  const changes = changesBetween(index.files, work, (path) => spec.matches(path) && !index.conflicts.has(path));
  for (const { path, bytes, mode } of await choosePatches(run, repo, changes, questions.discard)) {
    if (bytes === null) await removeFile(repo, path, mode);
    else await writeFile(repo, path, { mode, oid: repo.objects.hold(bytes) });
  }
  return 0;
}

export const restore: GitCommand = async (run, args) => {
  const options = parseOptions("restore", args, [
    "s source=",
    "S staged",
    "W worktree",
    "q quiet",
    "ours",
    "theirs",
    "p patch",
    "m merge",
    "progress",
    "no-progress",
    "overlay",
    "no-overlay",
  ]);
  for (const name of ["merge", "overlay"]) if (options.has(name)) absent(`restore --${name}`);
  const side = options.has("ours") ? "ours" : options.has("theirs") ? "theirs" : null;
  if (side !== null && (options.has("staged") || options.has("source"))) absent(`restore --${side} with --staged or --source`);
  const repo = await run.repository();
  const paths = [...options.words, ...(options.paths ?? [])];
  if (options.has("patch")) {
    if (options.has("staged") !== options.has("worktree") && options.has("staged")) {
      await unstagePatch(run, repo, options.value("source") ?? "HEAD", paths);
      return 0;
    }
    if (options.has("source") || options.has("staged")) absent("restore --patch with --source or with both --staged and --worktree");
    return discardPatch(run, repo, paths);
  }
  if (paths.length === 0) fatal("you must specify path(s) to restore");
  const staged = options.has("staged");
  const worktree = options.has("worktree") || !staged;
  const given = options.value("source");
  const index = await repo.readIndex();
  const spec = repo.spec(paths);
  const source = given ?? (staged ? "HEAD" : null);
  let from: Snapshot = new Map<string, FileRef>(index.files);
  if (source !== null) {
    const oid = await findObject(repo, source);
    if (oid === null && given !== null) fatal(`could not resolve '${given}'`);
    if (oid === null) fatal("could not resolve 'HEAD'");
    else from = await repo.objects.files(await treeOf(repo, oid));
  }
  const known = new Set([...from.keys(), ...index.files.keys(), ...index.conflicts.keys()]);
  const wrong = spec.unmatched(known);
  if (wrong.length > 0) failed(wrong.map((text) => `pathspec '${text}' did not match any file(s) known to git`).join("\nerror: "));
  const unmerged = [...index.conflicts.keys()].filter((path) => spec.matches(path));
  if (source === null && side === null && unmerged.length > 0)
    failed(unmerged.map((path) => `path '${path}' is unmerged`).join("\nerror: "));
  if (side !== null) for (const path of unmerged) await writeSide(repo, index, path, side);
  const work = await worktreeSnapshot(repo, index, spec);
  if (staged) makeRoom(index, new Set([...from.keys()].filter(spec.matches)));
  for (const path of known) {
    if (!spec.matches(path)) continue;
    const file = from.get(path) ?? null;
    const old = index.files.get(path) ?? null;
    const there = work.get(path) ?? null;
    if (worktree) {
      if (file === null) {
        if (old) await removeFile(repo, path, old.mode);
      } else if (there?.oid !== file.oid || there.mode !== file.mode) {
        const entry = await replaceFile(repo, path, file);
        if (!staged && old?.oid === file.oid) index.files.set(path, entry);
        if (staged) index.files.set(path, entry);
      }
    }
    if (!staged) continue;
    index.conflicts.delete(path);
    if (file === null) index.files.delete(path);
    else if (index.files.get(path)?.oid !== file.oid || index.files.get(path)?.mode !== file.mode)
      index.files.set(path, { ...file, size: -1, mtime: 0 });
  }
  await repo.writeIndex(index);
  return 0;
};
