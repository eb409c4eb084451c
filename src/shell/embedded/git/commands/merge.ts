import { changesBetween, withRenames } from "../changes.ts";
import { cleanMessage, endMerge, indexTree, moveHead, writeMessageFile } from "../commit.ts";
import { favorOf, mergeTrees } from "../merge-trees.ts";
import { parseOptions } from "../options.ts";
import { stat, summary } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { findCommit, mergeBases, shortOid } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Oid, Snapshot } from "../store/model.ts";
import { blockers, refuseBlocked, resetMerge, switchTree, takeMerged } from "../switch-tree.ts";
import { formatDate } from "../text/dates.ts";
import { commit } from "./commit.ts";
import { walk } from "./log.ts";

export const merge: GitCommand = async (run, args) => {
  const options = parseOptions("merge", args, [
    "m message=",
    "F file=",
    "ff",
    "no-ff",
    "ff-only",
    "no-commit",
    "commit",
    "squash",
    "no-squash",
    "abort",
    "continue",
    "quit",
    "q quiet",
    "n no-stat",
    "stat",
    "no-edit",
    "e edit",
    "X strategy-option=",
    "s strategy=",
    "no-verify",
    "allow-unrelated-histories",
    "v verbose",
    "no-progress",
    "no-gpg-sign",
  ]);
  for (const name of ["file", "edit"]) if (options.has(name)) absent(`merge --${name}`);
  const strategy = options.value("strategy");
  if (strategy !== null && !["ort", "recursive", "ours"].includes(strategy)) absent(`merge -s ${strategy}`);
  const repo = await run.repository();
  const merging = await repo.refs.resolve("MERGE_HEAD");
  if (options.has("abort")) return abort(repo, merging);
  if (options.has("quit")) {
    // As in git, the index and the files stay as they are, and so does a cherry-pick or revert.
    for (const file of ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"]) await repo.files.remove(`${repo.gitdir}/${file}`, repo.gitdir);
    return 0;
  }
  if (options.has("continue")) {
    if (merging === null) fatal("There is no merge in progress (MERGE_HEAD missing).");
    return commit(run, []);
  }
  await refuseUnfinished(repo, "merge");
  if (options.words.length !== 1)
    fatal(options.words.length === 0 ? "No remote for the current branch." : "Vibey's git merges one branch at a time");
  const name = options.words[0] ?? "";
  const theirs = (await findCommit(repo, name)) ?? notMergeable(name);
  const { branch } = await repo.refs.head();
  const message = options.has("message") ? cleanMessage(options.values("message").join("\n\n")) : await usualMessage(repo, name, branch);
  return mergeCommit(run, repo, {
    theirs,
    name,
    message,
    forward: options.has("ff-only") ? "only" : options.has("no-ff") ? "never" : "may",
    stop: options.has("no-commit"),
    squash: options.has("squash"),
    unrelated: options.has("allow-unrelated-histories"),
    quiet: options.has("quiet"),
    showStat: !options.has("no-stat"),
    why: `merge ${name}`,
    favor: favorOf("merge", options),
    keepsOurs: strategy === "ours",
  });
};

function notMergeable(name: string): never {
  throw new Stop(1, `merge: ${name} - not something we can merge\n`);
}

/** Refuses to start a merge or pull in the middle of another one. */
export async function refuseUnfinished(repo: Repository, what: "merge" | "pull"): Promise<void> {
  if ((await repo.readIndex()).conflicts.size > 0) {
    throw new Stop(
      128,
      `error: ${what === "merge" ? "Merging" : "Pulling"} is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\nhint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.\n`,
    );
  }
  if ((await repo.refs.resolve("MERGE_HEAD")) !== null)
    fatal(
      `You have not concluded your merge (MERGE_HEAD exists).\n${what === "merge" ? "Please, commit your changes before you merge." : "hint: Please, commit your changes before merging.\nfatal: Exiting because of unfinished merge."}`,
    );
  if (what === "merge" && (await repo.refs.resolve("CHERRY_PICK_HEAD")) !== null)
    fatal("You have not concluded your cherry-pick (CHERRY_PICK_HEAD exists).\nPlease, commit your changes before you merge.");
}

/** A commit to merge into HEAD. */
export interface MergeRequest {
  readonly theirs: Oid;
  /** The name of their side in conflict markers. */
  readonly name: string;
  readonly message: string;
  /** Whether a branch without commits of its own may fast-forward. */
  readonly forward: "may" | "only" | "never";
  /** Leave the commit to the caller. */
  readonly stop: boolean;
  /** Take only the changes, without a merge: the next commit has one parent. */
  readonly squash?: boolean;
  /** Allow histories without a common commit. */
  readonly unrelated: boolean;
  readonly quiet: boolean;
  readonly showStat: boolean;
  /** The reason in HEAD's log: "merge topic". */
  readonly why: string;
  /** `-X`. */
  readonly favor?: "ours" | "theirs" | null;
  /** `-s ours`: ignore the other side's changes. */
  readonly keepsOurs?: boolean;
}

export async function mergeCommit(run: Run, repo: Repository, request: MergeRequest): Promise<number> {
  const { theirs, showStat } = request;
  const head = await repo.refs.head();
  const say = (text: string): void => {
    if (!request.quiet) run.out(text);
  };
  if (head.oid === null) {
    // Files that are staged or untracked must not be lost.
    const [index, after] = [await repo.readIndex(), await repo.snapshot(theirs)];
    refuseBlocked(await blockers(repo, index, new Map(), after), "merge");
    await switchTree(repo, index, new Map(), after);
    await repo.writeIndex(index);
    await moveHead(repo, theirs, "initial pull");
    return 0;
  }
  const bases = await mergeBases(repo, head.oid, theirs);
  if (bases[0] === theirs) {
    say(request.squash === true ? "Already up to date. (nothing to squash)\n" : "Already up to date.\n");
    return 0;
  }
  if (bases[0] === head.oid && request.forward !== "never" && request.keepsOurs !== true) return fastForward(repo, head.oid, request, say);
  if (request.forward === "only") fatal("Not possible to fast-forward, aborting.");
  if (bases[0] === undefined && !request.unrelated) fatal("refusing to merge unrelated histories");
  return trueMerge(run, repo, request, head.oid, bases, say, showStat);
}

/** The end of a merge's subject: empty for the usual main branches. */
export function intoText(branch: string | null): string {
  return branch === "main" || branch === "master" ? "" : ` into ${branch ?? "HEAD"}`;
}

async function usualMessage(repo: Repository, name: string, into: string | null): Promise<string> {
  const kind =
    (await repo.refs.resolve(`refs/heads/${name}`)) !== null
      ? "branch"
      : (await repo.refs.resolve(`refs/tags/${name}`)) !== null
        ? "tag"
        : "commit";
  const destination = intoText(into);
  return `Merge ${kind} '${name}'${destination}\n`;
}

async function fastForward(
  repo: Repository,
  from: Oid,
  { theirs: to, why, showStat, squash = false }: MergeRequest,
  say: (text: string) => void,
): Promise<number> {
  say(`Updating ${shortOid(from)}..${shortOid(to)}\n`);
  const index = await repo.readIndex();
  const before = await repo.snapshot(from);
  const after = await repo.snapshot(to);
  refuseBlocked(await blockers(repo, index, before, after), "merge");
  await switchTree(repo, index, before, after);
  await repo.writeIndex(index);
  await writeOriginal(repo, from);
  say("Fast-forward\n");
  if (squash) {
    await writeSquashMessage(repo, from, to);
    say("Squash commit -- not updating HEAD\n");
  } else await moveHead(repo, to, `${why}: Fast-forward`);
  const changes = await withRenames(
    repo,
    changesBetween(before, after, () => true),
  );
  if (showStat) say((await stat(repo, changes)) + (await summary(repo, changes)));
  return 0;
}

/** The message of the commit that follows `merge --squash`: a log of the other side's commits. */
async function writeSquashMessage(repo: Repository, ours: Oid, theirs: Oid): Promise<void> {
  let text = "Squashed commit of the following:\n";
  for await (const { commit: one } of walk(repo, { from: [theirs], without: [ours] }, false, false, repo.spec([]))) {
    const { name, email } = one.author;
    const message = one.message.trimEnd().replaceAll(/^/gm, "    ");
    text += `\ncommit ${one.oid}\nAuthor: ${name} <${email}>\nDate:   ${formatDate(one.author, "default", repo.shell.now())}\n\n${message}\n`;
  }
  await writeMessageFile(repo, "SQUASH_MSG", text);
}

/** Merges several common ancestors into one snapshot. */
async function commonSnapshot(repo: Repository, bases: readonly Oid[]): Promise<Snapshot> {
  const [first, ...others] = bases;
  let common = await repo.snapshot(first ?? null);
  for (const other of others) {
    const before = await commonSnapshot(repo, await mergeBases(repo, first ?? other, other));
    const names = { ours: "Temporary merge branch 1", theirs: "Temporary merge branch 2" };
    common = (await mergeTrees(repo, before, common, await repo.snapshot(other), names)).files;
  }
  return common;
}

async function trueMerge(
  run: Run,
  repo: Repository,
  { theirs, name, message, stop, why, squash = false, favor = null, keepsOurs = false }: MergeRequest,
  ours: Oid,
  bases: readonly Oid[],
  say: (text: string) => void,
  showStat: boolean,
): Promise<number> {
  const index = await repo.readIndex();
  const before = await repo.snapshot(ours);
  const staged = changesBetween(before, index.files, () => true);
  if (staged.length > 0)
    throw new Stop(
      2,
      `error: Your local changes to the following files would be overwritten by merge:\n  ${staged.map((change) => change.path).join(" ")}\nMerge with strategy ort failed.\n`,
    );
  const other = keepsOurs ? before : await repo.snapshot(theirs);
  const merged = await mergeTrees(repo, await commonSnapshot(repo, bases), before, other, { ours: "HEAD", theirs: name, favor });
  const blocked = await blockers(repo, index, before, merged.files);
  if (blocked.changed.length + blocked.untracked.length + blocked.folders.length > 0) {
    try {
      refuseBlocked(blocked, "merge", 2);
    } catch (error) {
      throw error instanceof Stop ? new Stop(2, `${error.message}Merge with strategy ort failed.\n`) : error;
    }
  }
  await takeMerged(repo, index, before, merged);
  await writeOriginal(repo, ours);
  // As in git, --quiet doesn't silence these.
  run.out(merged.messages.map((line) => `${line}\n`).join(""));
  const list = [...merged.conflicts.keys()].map((path) => `#\t${path}\n`).join("");
  const remarks = list === "" ? "" : `\n# Conflicts:\n${list}`;
  if (squash) {
    await writeSquashMessage(repo, ours, theirs);
    run.out("Squash commit -- not updating HEAD\n");
    if (merged.conflicts.size > 0) {
      await writeMessageFile(repo, "MERGE_MSG", remarks);
      run.out("Automatic merge failed; fix conflicts and then commit the result.\n");
      return 1;
    }
    run.err("Automatic merge went well; stopped before committing as requested\n");
    return 0;
  }
  if (merged.conflicts.size > 0 || stop) {
    await repo.refs.set("MERGE_HEAD", theirs);
    await writeMessageFile(repo, "MERGE_MODE", "");
    await writeMessageFile(repo, "MERGE_MSG", message + remarks);
    if (merged.conflicts.size === 0) {
      run.err("Automatic merge went well; stopped before committing as requested\n");
      return 0;
    }
    run.out("Automatic merge failed; fix conflicts and then commit the result.\n");
    return 1;
  }
  const tree = await indexTree(repo, index);
  const oid = await repo.writeCommit({
    tree,
    parents: [ours, theirs],
    author: await repo.author(),
    committer: await repo.committer(),
    message,
  });
  const made = `Merge made by the '${keepsOurs ? "ours" : "ort"}' strategy.`;
  await moveHead(repo, oid, `${why}: ${made}`);
  say(`${made}\n`);
  const changes = await withRenames(
    repo,
    changesBetween(before, merged.files, () => true),
  );
  if (showStat) say((await stat(repo, changes)) + (await summary(repo, changes)));
  return 0;
}

async function writeOriginal(repo: Repository, oid: Oid): Promise<void> {
  await repo.refs.set("ORIG_HEAD", oid);
}

async function abort(repo: Repository, merging: Oid | null): Promise<number> {
  if (merging === null) fatal("There is no merge to abort (MERGE_HEAD missing).");
  await restoreHead(repo);
  const head = await repo.refs.resolve("HEAD");
  if (head !== null) await repo.refs.log(head, head, await repo.committer(), "reset: moving to HEAD");
  return 0;
}

/** Returns to HEAD and ends conflicts. Files that the merge did not touch stay as they are; a file that was changed since is an error. */
export async function restoreHead(repo: Repository): Promise<void> {
  const index = await repo.readIndex();
  await resetMerge(repo, index, await repo.snapshot(await repo.refs.resolve("HEAD")), "HEAD");
  await repo.writeIndex(index);
  await endMerge(repo);
}
