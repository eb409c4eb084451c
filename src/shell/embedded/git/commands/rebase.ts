import { changesBetween } from "../changes.ts";
import { announce, cleanMessage, endMerge, indexTree, moveHead, readMessageFile, subjectOf } from "../commit.ts";
import { edited } from "../editor.ts";
import { type Favor, favorOf } from "../merge-trees.ts";
import { parseOptions } from "../options.ts";
import { patch } from "../print-changes.ts";
import { endRebase, readRebase, type Rebase, writeRebase } from "../rebase-state.ts";
import { amend, doStep, finishMeld, squashFile } from "../rebase-steps.ts";
import { autosquashed, parseTodo, type Step, stepLine, todoText, withCommands } from "../rebase-todo.ts";
import type { Repository } from "../repository.ts";
import { findCommit, mergeBases, shortOid } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import { readStashes, writeStashes } from "../stashes.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Commit, Oid } from "../store/model.ts";
import { blockers, refuseBlocked, refuseUntracked, resetTree, switchTree } from "../switch-tree.ts";
import { upstreamOf } from "../tracking.ts";
import { worktreeSnapshot } from "../worktree.ts";
import { checkout } from "./checkout.ts";
import { show } from "./show.ts";
import { stash as stashCommand } from "./stash.ts";

export const rebase: GitCommand = async (run, args) => {
  const options = parseOptions("rebase", args, [
    "onto=",
    "continue",
    "abort",
    "skip",
    "quit",
    "i interactive",
    "q quiet",
    "v verbose",
    "n no-stat",
    "stat",
    "no-verify",
    "no-autostash",
    "autostash",
    "r rebase-merges=?",
    "x exec=",
    "root",
    "f force-rebase",
    "no-ff",
    "autosquash",
    "no-autosquash",
    "keep-base",
    "edit-todo",
    "show-current-patch",
    "fork-point",
    "no-fork-point",
    "X strategy-option=",
    "s strategy=",
    "apply",
    "m merge",
    "signoff",
    "reapply-cherry-picks",
    "empty=",
    "no-gpg-sign",
    "update-refs",
    "committer-date-is-author-date",
  ]);
  for (const name of ["rebase-merges", "fork-point", "apply", "signoff", "empty", "update-refs", "committer-date-is-author-date"])
    if (options.has(name)) absent(`rebase --${name}`);
  const strategy = options.value("strategy") ?? "ort";
  if (strategy !== "ort" && strategy !== "recursive") absent(`rebase --strategy=${strategy}; it has ort and recursive`);
  const repo = await run.repository();
  const under = await readRebase(repo);
  const quiet = options.has("quiet");
  const verb = ["continue", "abort", "skip", "quit", "edit-todo", "show-current-patch"].find((name) => options.has(name));
  if (verb !== undefined) {
    if (under === null) fatal("No rebase in progress?");
    return verb === "continue"
      ? continueRebase(run, repo, under, quiet)
      : verb === "skip"
        ? skip(run, repo, under, quiet)
        : verb === "abort"
          ? abort(run, repo, under)
          : otherVerb(run, repo, under, verb);
  }
  if (under !== null)
    fatal(
      'It seems that there is already a rebase-merge directory, and\nI wonder if you are in the middle of another rebase.  If that is the\ncase, please try\n\tgit rebase (--continue | --abort | --skip)\nIf that is not the case, please\n\trm -fr ".git/rebase-merge"\nand run me again.  I am stopping in case you still have something\nvaluable there.\n',
    );
  const isRoot = options.has("root");
  const words = isRoot ? ["", ...options.words] : options.words;
  const [typed, branch] = words;
  if (words.length > 2) throw new Stop(129, "usage: git rebase [--onto <newbase>] [<upstream> [<branch>] | --root [<branch>]]\n");
  const onto = options.value("onto");
  if (options.has("keep-base") && onto !== null) fatal("options '--keep-base' and '--onto' cannot be used together");
  if (options.has("keep-base") && isRoot) fatal("options '--keep-base' and '--root' cannot be used together");
  const favor = favorOf("rebase", options);
  const name = isRoot ? null : (typed ?? (await usualUpstream(run, repo)));
  const found = name === null ? null : ((await findCommit(repo, name)) ?? fatal(`invalid upstream '${name}'`));
  const target = onto === null ? found : ((await findCommit(repo, onto)) ?? fatal(`Does not point to a valid commit: ${onto}`));
  if (branch !== undefined && (await findCommit(repo, branch)) === null) fatal(`no such branch/commit '${branch}'`);
  const stashes = options.has("no-autostash")
    ? false
    : options.has("autostash") || (await repo.setting("rebase.autostash"))?.toLowerCase() === "true";
  const stash = stashes ? await setAside(run, repo) : null;
  try {
    if (branch !== undefined) {
      await refuseChanges(repo);
      const code = await checkout(silent(run), ["-q", branch]);
      if (code !== 0) throw new Stop(code, "");
    }
    const base = options.has("keep-base") && found !== null ? await onlyBase(repo, found) : target;
    const squashOnto = base === null ? await emptyCommit(repo) : null;
    const start = base ?? squashOnto ?? fatal("there is nothing to rebase onto");
    return await rebaseOnto(run, repo, {
      onto: start,
      upstream: found ?? start,
      ontoName: onto ?? name ?? start,
      quiet,
      favor,
      squashOnto,
      isRoot,
      isForced: options.has("force-rebase") || options.has("no-ff"),
      keepsApplied: options.has("reapply-cherry-picks") || options.has("keep-base"),
      stash,
      interactive: options.has("interactive"),
      autosquash:
        !options.has("no-autosquash") && (options.has("autosquash") || (await repo.setting("rebase.autosquash"))?.toLowerCase() === "true"),
      commands: options.values("exec"),
    });
  } catch (error) {
    // A rebase that has begun keeps the stash itself.
    if ((await readMessageFile(repo, "rebase-merge/onto")) === null) await putBack(run, repo, stash);
    throw error;
  }
};

/** `--keep-base`: where HEAD and the upstream parted. */
async function onlyBase(repo: Repository, upstream: Oid): Promise<Oid> {
  const head = (await repo.refs.resolve("HEAD")) ?? fatal("Vibey's git can't rebase a branch without a commit");
  const [base, ...others] = await mergeBases(repo, upstream, head);
  if (base === undefined || others.length > 0) fatal("need exactly one merge base with branch");
  return base;
}

/** `--root`: the commits are made again on top of an empty commit, which the first one replaces. */
async function emptyCommit(repo: Repository): Promise<Oid> {
  const tree = await repo.objects.writeTree(new Map());
  return repo.writeCommit({ tree, parents: [], author: await repo.author(), committer: await repo.committer(), message: "" });
}

/** `--autostash`: moves the changes into a stash that is in no list. */
async function setAside(run: Run, repo: Repository): Promise<Oid | null> {
  const before = (await readStashes(repo)).length;
  await stashCommand(silent(run), ["push", "-q", "-m", "autostash"]);
  const [made, ...rest] = await readStashes(repo);
  if (made === undefined || rest.length + 1 === before) return null;
  await writeStashes(repo, rest);
  run.out(`Created autostash: ${shortOid(made.oid)}\n`);
  return made.oid;
}

/** Restores the changes. If they don't apply, they stay in the list of stashes. */
async function putBack(run: Run, repo: Repository, stash: Oid | null): Promise<void> {
  if (stash === null) return;
  await listStash(repo, stash);
  if (await applies(run)) {
    await writeStashes(repo, (await readStashes(repo)).slice(1));
    run.err("Applied autostash.\n");
    return;
  }
  run.err(
    'Applying autostash resulted in conflicts.\nYour changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.\n',
  );
}

async function listStash(repo: Repository, oid: Oid): Promise<void> {
  await writeStashes(repo, [{ oid, why: "autostash", who: await repo.committer() }, ...(await readStashes(repo))]);
}

/** Applies the newest stash. Returns whether that succeeded. */
async function applies(run: Run): Promise<boolean> {
  try {
    return (await stashCommand(silent(run), ["apply", "-q"])) === 0;
  } catch (error) {
    if (error instanceof Stop) return false;
    throw error;
  }
}

const silent = (run: Run): Run => ({ ...run, out: () => undefined, err: () => undefined });

async function otherVerb(run: Run, repo: Repository, state: Rebase, verb: string): Promise<number> {
  if (verb === "quit") {
    if (state.stash !== null) {
      await listStash(repo, state.stash);
      run.err(
        'Autostash exists; creating a new stash entry.\nYour changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.\n',
      );
    }
    await endRebase(repo);
    await endMerge(repo);
    return 0;
  }
  if (verb === "show-current-patch") return show(run, ["REBASE_HEAD"]);
  const path = `${repo.gitdir}/rebase-merge/git-rebase-todo`;
  const text = await edited(run, repo, "list", path, await todoText(repo, state.todo, shortOid(state.onto)));
  await writeRebase(repo, { ...state, todo: await parseTodo(repo, text) });
  return 0;
}

async function usualUpstream(run: Run, repo: Repository): Promise<string> {
  const { branch } = await repo.refs.head();
  const upstream = branch === null ? null : await upstreamOf(repo, branch);
  if (upstream) return upstream.ref;
  run.out(
    branch === null
      ? "You are not currently on a branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n"
      : `There is no tracking information for the current branch.\nPlease specify which branch you want to rebase against.\nSee git-rebase(1) for details.\n\n    git rebase '<branch>'\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=<remote>/<branch> ${branch}\n\n`,
  );
  throw new Stop(1, "");
}

export interface RebaseRequest {
  readonly onto: Oid;
  readonly upstream: Oid;
  /** As typed, for the log. */
  readonly ontoName: string;
  readonly quiet: boolean;
  readonly stash?: Oid | null;
  readonly interactive?: boolean;
  readonly autosquash?: boolean;
  /** `--exec`. */
  readonly commands?: readonly string[];
  readonly favor?: Favor;
  readonly squashOnto?: Oid | null;
  readonly isRoot?: boolean;
  readonly isForced?: boolean;
  /** `--reapply-cherry-picks`: also picks commits whose change `onto` already has. */
  readonly keepsApplied?: boolean;
}

/** Puts the commits of HEAD that `upstream` lacks on top of `onto`. */
export async function rebaseOnto(run: Run, repo: Repository, request: RebaseRequest): Promise<number> {
  const { onto, upstream, ontoName, quiet, stash = null, interactive = false, autosquash = false, commands = [] } = request;
  const { favor = null, squashOnto = null, isRoot = false, isForced = false, keepsApplied = false } = request;
  await refuseChanges(repo);
  const head = await repo.refs.head();
  const original = head.oid ?? fatal("Vibey's git can't rebase a branch without a commit");
  const all = await commitsBetween(repo, upstream, original);
  // Merges are not picked; the commits they brought in are picked one after another.
  const commits = all.filter((commit) => commit.parents.length < 2);
  const [base] = await mergeBases(repo, onto, original);
  const linear = all.every((commit) => commit.parents.length === 1);
  const asks = interactive || commands.length > 0;
  if (!asks && base === onto && linear && (await mergeBases(repo, upstream, original))[0] === onto) {
    const name = head.branch === null ? "HEAD" : `Current branch ${head.branch}`;
    if (!quiet) run.out(`${name} is up to date${isForced ? ", rebase forced" : ""}.\n`);
    if (!isForced) {
      await putBack(run, repo, stash);
      return 0;
    }
  }
  const left = keepsApplied ? commits : await withoutApplied(run, repo, commits, upstream, original);
  let todo = withCommands(interactive && autosquash ? autosquashed(left) : left.map(({ oid }): Step => ({ verb: "pick", oid })), commands);
  if (interactive) {
    const about = `${isRoot ? "" : `${shortOid(upstream)}..`}${shortOid(original)} onto ${shortOid(onto)}`;
    try {
      todo = await parseTodo(
        repo,
        await edited(run, repo, "list", `${repo.gitdir}/rebase-merge/git-rebase-todo`, await todoText(repo, todo, about)),
      );
      if (todo.length === 0) throw new Stop(1, "error: nothing to do\n");
      const [first] = todo;
      if (first?.verb === "squash" || first?.verb === "fixup")
        throw new Stop(1, `error: cannot '${first.verb}' without a previous commit\n`);
    } catch (error) {
      await endRebase(repo);
      throw error;
    }
  }
  await repo.refs.set("ORIG_HEAD", original);
  const index = await repo.readIndex();
  const [before, after] = [await repo.snapshot(original), await repo.snapshot(onto)];
  try {
    refuseBlocked(await blockers(repo, index, before, after), "checkout");
  } catch (error) {
    throw error instanceof Stop ? new Stop(error.exitCode, `${error.message}error: could not detach HEAD\n`) : error;
  }
  await switchTree(repo, index, before, after);
  await repo.writeIndex(index);
  await repo.refs.detach(onto);
  await repo.refs.log(original, onto, await repo.committer(), `rebase (start): checkout ${ontoName}`);
  const headName = head.branch === null ? "detached HEAD" : `refs/heads/${head.branch}`;
  return pickAll(run, repo, { headName, onto, original, done: [], todo, stash, favor, squashOnto }, quiet, isForced);
}

async function refuseChanges(repo: Repository): Promise<void> {
  const index = await repo.readIndex();
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]));
  const staged = changesBetween(await repo.snapshot(await repo.refs.resolve("HEAD")), index.files, () => true).length > 0;
  const changed = changesBetween(index.files, work, () => true).length > 0 || index.conflicts.size > 0;
  if (changed)
    throw new Stop(
      1,
      `error: cannot rebase: You have unstaged changes.\n${staged ? "error: additionally, your index contains uncommitted changes.\n" : ""}error: Please commit or stash them.\n`,
    );
  if (staged) throw new Stop(1, "error: cannot rebase: Your index contains uncommitted changes.\nerror: Please commit or stash them.\n");
}

/** Includes merges; parents come first. */
async function commitsBetween(repo: Repository, upstream: Oid, head: Oid): Promise<Commit[]> {
  const hidden = await reachable(repo, [upstream]);
  const seen = new Set<Oid>();
  const ordered: Commit[] = [];
  const visit = async (oid: Oid): Promise<void> => {
    // No recursion: a history is longer than the stack allows.
    const open: { oid: Oid; left: Oid[] | null }[] = [{ oid, left: null }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const commit = await repo.objects.commit(top.oid);
      top.left ??= hidden.has(top.oid) || seen.has(top.oid) ? [] : [...commit.parents].toReversed();
      const next = top.left.pop();
      if (next !== undefined) {
        if (!hidden.has(next) && !seen.has(next)) open.push({ oid: next, left: null });
        continue;
      }
      open.pop();
      if (hidden.has(top.oid) || seen.has(top.oid)) continue;
      seen.add(top.oid);
      ordered.push(commit);
    }
  };
  await visit(head);
  return ordered;
}

/** Leaves out commits whose change the other side already has. */
async function withoutApplied(run: Run, repo: Repository, commits: readonly Commit[], upstream: Oid, head: Oid): Promise<Commit[]> {
  const theirs = new Set<string>();
  for (const commit of await commitsBetween(repo, head, upstream)) if (commit.parents.length < 2) theirs.add(await changeOf(repo, commit));
  const todo: Commit[] = [];
  for (const commit of commits) {
    const change = theirs.size === 0 ? "" : await changeOf(repo, commit);
    if (change === "" || !theirs.has(change)) todo.push(commit);
    else run.err(`warning: skipped previously applied commit ${shortOid(commit.oid)}\n`);
  }
  if (todo.length < commits.length)
    run.err(
      'hint: use --reapply-cherry-picks to include skipped commits\nhint: Disable this message with "git config advice.skippedCherryPicks false"\n',
    );
  return todo;
}

/** A commit's change independent of its place: without line numbers, hashes and white space. */
async function changeOf(repo: Repository, commit: Commit): Promise<string> {
  const changes = changesBetween(await repo.snapshot(commit.parents[0] ?? null), await repo.snapshot(commit.oid), () => true);
  const text = await patch(repo, changes, 3);
  // A binary file's change shows only in the hashes, not in the text.
  const binary = text.includes("\nBinary files ");
  return text
    .split("\n")
    .filter((line) => binary || !line.startsWith("index "))
    .map((line) => (line.startsWith("@@ ") ? "@@" : line.replaceAll(/\s/g, "")))
    .join("\n");
}

async function pickAll(run: Run, repo: Repository, state: Rebase, quiet: boolean, isForced = false): Promise<number> {
  let { done, todo } = state;
  while (todo.length > 0) {
    const [step, ...rest] = todo;
    if (step === undefined) break;
    await writeRebase(repo, { ...state, done: [...done, step], todo: rest });
    const head = await repo.refs.resolve("HEAD");
    try {
      const stopped = await doStep(run, repo, step, rest[0], { favor: state.favor, squashOnto: state.squashOnto, isForced });
      if (stopped !== null) return stopped;
    } catch (error) {
      // A step that changed nothing runs again with `--continue`.
      if ((await repo.refs.resolve("HEAD")) !== head) throw error;
      await writeRebase(repo, { ...state, done, todo });
      throw error instanceof Stop ? new Stop(error.exitCode, error.message + rescheduledHint(await stepLine(repo, step, true))) : error;
    }
    done = [...done, step];
    todo = rest;
  }
  return finish(run, repo, state, quiet);
}

function rescheduledHint(step: string): string {
  const lines = [
    "Could not execute the todo command",
    "",
    `    ${step}`,
    "",
    "It has been rescheduled; To edit the command before continuing, please",
    "edit the todo list first:",
    "",
    "    git rebase --edit-todo",
    "    git rebase --continue",
  ];
  return lines.map((line) => `hint: ${line}\n`).join("");
}

async function finish(run: Run, repo: Repository, { headName, onto, original, stash }: Rebase, quiet: boolean): Promise<number> {
  const head = await repo.refs.resolve("HEAD");
  if (headName.startsWith("refs/heads/") && head !== null) {
    await repo.refs.set(headName, head);
    if (head !== original)
      await repo.refs.log(original, head, await repo.committer(), `rebase (finish): ${headName} onto ${onto}`, headName);
    await repo.refs.attach(headName.slice("refs/heads/".length));
    await repo.refs.log(head, head, await repo.committer(), `rebase (finish): returning to ${headName}`);
  }
  await endRebase(repo);
  await endMerge(repo);
  await putBack(run, repo, stash);
  if (!quiet) run.err(`Successfully rebased and updated ${headName.startsWith("refs/") ? headName : "detached HEAD"}.\n`);
  return 0;
}

async function continueRebase(run: Run, repo: Repository, state: Rebase, quiet: boolean): Promise<number> {
  const index = await repo.readIndex();
  const stopped = await repo.refs.resolve("REBASE_HEAD");
  const head = (await repo.refs.resolve("HEAD")) ?? fatal("there is no HEAD");
  if (index.conflicts.size > 0) {
    run.out([...index.conflicts.keys()].map((path) => `${path}: needs merge\n`).join(""));
    run.out("You must edit all merge conflicts and then\nmark them as resolved using git add\n");
    return 1;
  }
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]));
  if (changesBetween(index.files, work, () => true).length > 0)
    throw new Stop(1, "error: cannot rebase: You have unstaged changes.\nerror: Please commit or stash them.\n");
  const staged = changesBetween(await repo.snapshot(head), index.files, () => true).length > 0;
  if (staged && (await readMessageFile(repo, squashFile)) !== null) {
    const { verb } = state.todo[0] ?? { verb: "pick" };
    await finishMeld(run, repo, verb === "squash" || verb === "fixup");
  } else if (staged && (await readMessageFile(repo, "rebase-merge/amend"))?.trim() === head) {
    await amend(run, repo, await indexTree(repo, index), (await repo.objects.commit(head)).message, "continue");
  } else if (staged) {
    if (stopped === null) fatal("there are staged changes, and no commit that they belong to; commit them first");
    const { author } = await repo.objects.commit(stopped);
    const message = cleanMessage((await readMessageFile(repo, "MERGE_MSG")) ?? (await repo.objects.commit(stopped)).message, true);
    const committer = await repo.committer();
    const parents = head === state.squashOnto ? [] : [head];
    const oid = await repo.writeCommit({ tree: await indexTree(repo, index), parents, author, committer, message });
    const subject = subjectOf(message);
    await moveHead(repo, oid, `rebase (continue): ${subject}`);
    run.out(await announce(repo, { oid, subject, parents, author, committer, showDate: null }));
  }
  await endMerge(repo);
  for (const name of ["REBASE_HEAD", "rebase-merge/amend"]) await repo.files.remove(`${repo.gitdir}/${name}`, repo.gitdir);
  return pickAll(run, repo, state, quiet);
}

async function skip(run: Run, repo: Repository, state: Rebase, quiet: boolean): Promise<number> {
  // As in git, uncommitted changes are discarded.
  const index = await repo.readIndex();
  const after = await repo.snapshot(await repo.refs.resolve("HEAD"));
  await refuseUntracked(repo, index, after);
  await resetTree(repo, index, after);
  await repo.writeIndex(index);
  await endMerge(repo);
  await repo.files.remove(`${repo.gitdir}/REBASE_HEAD`, repo.gitdir);
  return pickAll(run, repo, state, quiet);
}

/** As in git, uncommitted changes are discarded, too. */
async function abort(run: Run, repo: Repository, { headName, original, stash }: Rebase): Promise<number> {
  const index = await repo.readIndex();
  const head = await repo.refs.resolve("HEAD");
  const after = await repo.snapshot(original);
  await refuseUntracked(repo, index, after);
  await resetTree(repo, index, after);
  await repo.writeIndex(index);
  if (headName.startsWith("refs/heads/")) await repo.refs.attach(headName.slice("refs/heads/".length));
  else await repo.refs.detach(original);
  await repo.refs.log(head, original, await repo.committer(), `rebase (abort): returning to ${headName}`);
  await endRebase(repo);
  await endMerge(repo);
  await putBack(run, repo, stash);
  return 0;
}
