import { endMerge, moveHead, subjectOf } from "../commit.ts";
import { type Options, parseOptions } from "../options.ts";
import { favorOf } from "../merge-trees.ts";
import { type Picked, pickHeads, pickOne } from "../pick.ts";
import type { Repository } from "../repository.ts";
import { shortOid, withParents } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import {
  dropSequence,
  isWhereStopped,
  markStop,
  readSequence,
  readStepOptions,
  startSequence,
  type StepOptions,
  writeTodo,
} from "../sequence.ts";
import { readStatus } from "../status.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Oid } from "../store/model.ts";
import { resetMerge } from "../switch-tree.ts";
import { commit } from "./commit.ts";
import { startsOf } from "./log.ts";
import { longText } from "./status.ts";

type Kind = "cherry-pick" | "revert";

export const cherryPick: GitCommand = (run, args) => replay(run, args, "cherry-pick");
export const revert: GitCommand = (run, args) => replay(run, args, "revert");

async function replay(run: Run, args: readonly string[], kind: Kind): Promise<number> {
  const options = parseOptions(kind, args, [
    "continue",
    "abort",
    "skip",
    "quit",
    "n no-commit",
    "x",
    "m mainline=",
    "allow-empty",
    "e edit",
    "no-edit",
    "s signoff",
    "ff",
    "keep-redundant-commits",
    "strategy=",
    "X strategy-option=",
    "allow-empty-message",
    "no-gpg-sign",
  ]);
  for (const name of ["edit", "signoff", "ff", "keep-redundant-commits", "strategy", "allow-empty-message"])
    if (options.has(name)) absent(`${kind} --${name}`);
  const repo = await run.repository();
  const stopped = await repo.refs.resolve(pickHeads[kind]);
  const sequence = await readSequence(repo);
  const verb = ["continue", "abort", "skip", "quit"].find((name) => options.has(name));
  if (verb !== undefined) {
    const wrong = notWithVerb.find((name) => options.has(name));
    if (wrong !== undefined) fatal(`${kind}: ${wrong === "x" ? "-x" : `--${wrong}`} cannot be used with --${verb}`);
    if (stopped === null && sequence === null && verb === "quit") return 0;
    if (stopped === null && sequence === null)
      throw new Stop(128, `error: no ${verb === "skip" ? kind : "cherry-pick or revert"} in progress\nfatal: ${kind} failed\n`);
    return resume(run, repo, kind, verb, stopped);
  }
  if (options.words.length === 0) throw new Stop(129, `usage: git ${kind} [--no-edit] [-n] [-m <parent-number>] <commit>...\n`);
  const words = await withParents(repo, options.words);
  const commits = await commitsOf(repo, words, kind);
  // As in git, a range of one commit is a sequence, too, and so is `x^@` with one parent.
  const inSequence = words.length > 1 || hasRange(words) || words[0] !== options.words[0];
  if (sequence !== null && inSequence)
    throw new Stop(
      128,
      `error: ${sequence.kind} is already in progress\nhint: try "git ${sequence.kind} (--continue | ${stopped === null ? "" : "--skip | "}--abort | --quit)"\nfatal: ${kind} failed\n`,
    );
  const asked = askedFor(options, kind);
  const head = (await repo.refs.resolve("HEAD")) ?? fatal(`Vibey's git can't ${kind} onto a branch without a commit`);
  if (inSequence) await startSequence(repo, { kind, head, todo: commits }, asked);
  return runAll(run, repo, asked, kind, commits, inSequence);
}

/** Options that `--continue` and the like refuse: the ones given at the start count. */
const notWithVerb = ["no-commit", "mainline", "strategy-option", "x"];

function askedFor(options: Options, kind: Kind): StepOptions {
  const mainline = options.value("mainline");
  if (mainline !== null && !/^[1-9]\d*$/.test(mainline))
    throw new Stop(129, `error: option \`mainline' expects a number greater than zero\n`);
  return {
    mainline: mainline === null ? null : Number(mainline),
    onlyStage: options.has("no-commit"),
    saysSource: options.has("x") && kind === "cherry-pick",
    keepsEmpty: options.has("allow-empty"),
    favor: favorOf(kind, options),
    edits: options.has("no-edit") ? false : null,
  };
}

const hasRange = (words: readonly string[]): boolean => words.some((word) => word.includes("..") || word.startsWith("^"));

/** The single commits and the commits of ranges, oldest first; for `revert` newest first. */
async function commitsOf(repo: Repository, words: readonly string[], kind: Kind): Promise<Oid[]> {
  const { from, without } = await startsOf(repo, words, null);
  if (!hasRange(words)) return [...new Set(from)];
  const hidden = await reachable(repo, without);
  const shown = await Promise.all(
    [...(await reachable(repo, from))].filter((oid) => !hidden.has(oid)).map((oid) => repo.objects.commit(oid)),
  );
  if (shown.length === 0) throw new Stop(128, `error: empty commit set passed\nfatal: ${kind} failed\n`);
  const open = new Map(shown.map((one) => [one.oid, one]));
  const ordered: Oid[] = [];
  const add = async (oid: Oid): Promise<void> => {
    const one = open.get(oid);
    if (one === undefined) return;
    open.delete(oid);
    for (const parent of one.parents) await add(parent);
    ordered.push(oid);
  };
  for (const one of shown.toSorted((a, b) => a.committer.time - b.committer.time)) await add(one.oid);
  return kind === "revert" ? ordered.toReversed() : ordered;
}

/** `inSequence`: whether `.git/sequencer` records the commits. It does not record a single one. */
async function runAll(
  run: Run,
  repo: Repository,
  options: StepOptions,
  kind: Kind,
  commits: readonly Oid[],
  inSequence: boolean,
): Promise<number> {
  for (const [i, oid] of commits.entries()) {
    if (inSequence) await writeTodo(repo, kind, commits.slice(i));
    let done: Picked;
    try {
      done = await pickOne(run, repo, { ...options, kind, commit: oid });
    } finally {
      await markStop(repo);
    }
    if (done === "conflict") {
      await tellConflict(run, repo, kind, oid, options.onlyStage);
      return 1;
    }
    if (done === "empty") {
      await tellEmpty(run, repo, kind);
      return 1;
    }
  }
  if (inSequence) await dropSequence(repo);
  return 0;
}

async function tellConflict(run: Run, repo: Repository, kind: Kind, oid: Oid, onlyStage: boolean): Promise<void> {
  const { message } = await repo.objects.commit(oid);
  run.err(`error: could not ${kind === "revert" ? "revert" : "apply"} ${shortOid(oid)}... ${subjectOf(message)}\n`);
  if (onlyStage) {
    run.err("hint: after resolving the conflicts, mark the corrected paths\nhint: with 'git add <paths>' or 'git rm <paths>'\n");
    return;
  }
  const lines = [
    "After resolving the conflicts, mark them with",
    '"git add/rm <pathspec>", then run',
    `"git ${kind} --continue".`,
    `You can instead skip this commit with "git ${kind} --skip".`,
    `To abort and get back to the state before "git ${kind}",`,
    `run "git ${kind} --abort".`,
  ];
  run.err(lines.map((line) => `hint: ${line}\n`).join(""));
}

async function tellEmpty(run: Run, repo: Repository, kind: Kind): Promise<void> {
  if (kind === "cherry-pick")
    run.err(
      "The previous cherry-pick is now empty, possibly due to conflict resolution.\nIf you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\nOtherwise, please use 'git cherry-pick --skip'\n",
    );
  run.out(await longText(repo, await readStatus(repo, repo.spec([":/"]), { untracked: "normal" }), false, true));
}

async function resume(run: Run, repo: Repository, kind: Kind, verb: string, stopped: Oid | null): Promise<number> {
  const sequence = await readSequence(repo);
  const rest = sequence?.todo.slice(1) ?? [];
  switch (verb) {
    case "continue": {
      const options = await readStepOptions(repo);
      if (stopped !== null) {
        const code = await commit(run, ["--no-edit"]);
        if (code !== 0) return code;
      }
      return runAll(run, repo, options, kind, rest, sequence !== null);
    }
    case "skip": {
      const options = await readStepOptions(repo);
      if (stopped === null && !(await isWhereStopped(repo)))
        throw new Stop(
          128,
          `error: there is nothing to skip\nhint: have you committed already?\nhint: try "git ${kind} --continue"\nfatal: ${kind} failed\n`,
        );
      await backTo(repo, null);
      return runAll(run, repo, options, kind, rest, sequence !== null);
    }
    case "abort":
      if (sequence === null || (await isWhereStopped(repo))) await backTo(repo, sequence?.head ?? null);
      else run.err("warning: You seem to have moved HEAD. Not rewinding, check your HEAD!\n");
      await dropSequence(repo);
      return 0;
    default:
      await endMerge(repo);
      await dropSequence(repo);
      return 0;
  }
}

/** Resets as `git reset --merge` does. Null: to HEAD. */
async function backTo(repo: Repository, target: Oid | null): Promise<void> {
  const head = await repo.refs.resolve("HEAD");
  const to = target ?? head;
  const index = await repo.readIndex();
  await resetMerge(repo, index, await repo.snapshot(to), to ?? "HEAD");
  await repo.writeIndex(index);
  if (head !== null) await repo.refs.set("ORIG_HEAD", head);
  if (to !== null) await moveHead(repo, to, `reset: moving to ${to}`);
  await endMerge(repo);
}
