import { fetchFrom } from "../network/fetch.ts";
import { findRemote } from "../network/url.ts";
import { parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { mergeBases } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Oid } from "../store/model.ts";
import { fetchSpec, readFetchOptions, refuseFetchOptions, remoteNames, usualRemote } from "./fetch.ts";
import { intoText, mergeCommit, refuseUnfinished } from "./merge.ts";
import { favorOf } from "../merge-trees.ts";
import { rebaseOnto } from "./rebase.ts";

export const pull: GitCommand = async (run, args) => {
  const options = parseOptions("pull", args, [
    ...fetchSpec,
    "ff",
    "no-ff",
    "ff-only",
    "r rebase=?",
    "no-rebase",
    "no-edit",
    "e edit",
    "no-commit",
    "commit",
    "squash",
    "stat",
    "no-stat",
    "autostash",
    "no-autostash",
    "X strategy-option=",
    "s strategy=",
    "allow-unrelated-histories",
    "no-verify",
  ]);
  refuseFetchOptions(options, "pull");
  for (const name of ["edit", "squash", "autostash", "strategy"]) if (options.has(name)) absent(`pull --${name}`);
  const repo = await run.repository();
  await refuseUnfinished(repo, "pull");
  const { branch } = await repo.refs.head();
  const [name, ...refspecs] = options.words;
  const own = branch === null ? null : await repo.setting(`branch.${branch}.remote`);
  if (name === undefined && (await remoteNames(repo)).length === 0) nothingToMerge(run, branch, "<remote>", null, []);
  const remote = await findRemote(repo, name ?? (await usualRemote(repo, branch)));
  const merge = branch !== null && own === remote.name ? await repo.setting(`branch.${branch}.merge`) : null;
  const fetched = await fetchFrom(run, repo, remote, readFetchOptions(options, refspecs, merge ?? "")).catch((error: unknown) => {
    throw error instanceof Stop ? new Stop(1, error.message) : error;
  });
  if (fetched.exitCode !== 0) return fetched.exitCode;
  const [first, ...others] = fetched.heads;
  if (!first) return nothingToMerge(run, branch, remote.name, merge, refspecs);
  if (others.length > 0) fatal("Cannot merge multiple branches: Vibey's git merges one branch at a time");

  const rebase = await rebaseMode(repo, branch, options.has("no-rebase") ? "false" : options.value("rebase"));
  const head = await repo.refs.resolve("HEAD");
  const forward = await forwardMode(repo, options.order);
  if (head !== null && (await diverged(repo, head, first.oid)) && rebase === null && forward === null && !options.has("no-rebase"))
    tellOfDivergence(run);
  if (rebase === true) {
    if (head === null) fatal("Updating an unborn branch with changes added to the index.");
    return rebaseOnto(run, repo, { onto: first.oid, upstream: first.oid, ontoName: first.oid, quiet: options.has("quiet") });
  }
  return mergeCommit(run, repo, {
    theirs: first.oid,
    name: first.oid,
    message: `Merge ${first.what}${intoText(branch)}\n`,
    forward: forward ?? "may",
    stop: options.has("no-commit"),
    unrelated: options.has("allow-unrelated-histories"),
    quiet: options.has("quiet"),
    showStat: !options.has("no-stat"),
    why: ["pull", ...run.words].join(" "),
    favor: favorOf("pull", options),
  });
};

/** Whether to rebase; null if it was not specified. */
async function rebaseMode(repo: Repository, branch: string | null, given: string | null): Promise<boolean | null> {
  const own = branch === null ? null : await repo.setting(`branch.${branch}.rebase`);
  const value = given ?? own ?? (await repo.setting("pull.rebase"));
  if (value === null) return null;
  if (["", "true", "yes", "on", "1"].includes(value)) return true;
  return ["false", "no", "off", "0"].includes(value) ? false : absent(`pull --rebase=${value}`);
}

async function forwardMode(repo: Repository, given: readonly string[]): Promise<"may" | "only" | "never" | null> {
  const last = given.findLast((name) => ["ff", "no-ff", "ff-only"].includes(name));
  if (last !== undefined) return last === "ff" ? "may" : last === "no-ff" ? "never" : "only";
  const value = await repo.setting("pull.ff");
  return value === null ? null : value === "only" ? "only" : value === "false" ? "never" : "may";
}

async function diverged(repo: Repository, head: Oid, theirs: Oid): Promise<boolean> {
  const [base] = await mergeBases(repo, head, theirs);
  return base !== head && base !== theirs;
}

function tellOfDivergence(run: Run): never {
  const lines = [
    "You have divergent branches and need to specify how to reconcile them.",
    "You can do so by running one of the following commands sometime before",
    "your next pull:",
    "",
    "  git config pull.rebase false  # merge",
    "  git config pull.rebase true   # rebase",
    "  git config pull.ff only       # fast-forward only",
    "",
    'You can replace "git config" with "git config --global" to set a default',
    "preference for all repositories. You can also pass --rebase, --no-rebase,",
    "or --ff-only on the command line to override the configured default per",
    "invocation.",
  ];
  run.err(lines.map((line) => `hint: ${line}\n`).join(""));
  return fatal("Need to specify how to reconcile divergent branches.");
}

function nothingToMerge(run: Run, branch: string | null, remote: string, merge: string | null, refspecs: readonly string[]): never {
  if (refspecs.length > 0)
    throw new Stop(
      1,
      "There are no candidates for merging among the refs that you just fetched.\nGenerally this means that you provided a wildcard refspec which had no\nmatches on the remote end.\n",
    );
  if (branch === null)
    throw new Stop(
      1,
      "You are not currently on a branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\n",
    );
  if (merge !== null)
    throw new Stop(1, `Your configuration specifies to merge with the ref '${merge}'\nfrom the remote, but no such ref was fetched.\n`);
  const which = run.words.some((word) => !word.startsWith("-"))
    ? `You asked to pull from the remote '${remote}', but did not specify\na branch. Because this is not the default configured remote\nfor your current branch, you must specify a branch on the command line.\n`
    : `There is no tracking information for the current branch.\nPlease specify which branch you want to merge with.\nSee git-pull(1) for details.\n\n    git pull <remote> <branch>\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=${remote}/<branch> ${branch}\n\n`;
  throw new Stop(1, which);
}
