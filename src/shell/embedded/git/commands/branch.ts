import { subjectOf } from "../commit.ts";
import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findCommit, shortOid } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, failed, fatal } from "../stop.ts";
import { readRebase } from "../rebase-state.ts";
import type { Oid } from "../store/model.ts";
import { globPattern } from "../store/ignore.ts";
import { isRefName } from "../store/refs.ts";
import { checkedOutAt, readWorktrees } from "../worktrees.ts";
import { distanceWords, follow, sourceOf, upstreamOf } from "../tracking.ts";
import { refText, sortedRefs } from "./refs.ts";
import { detachedText } from "./status.ts";

export const branch: GitCommand = async (run, args) => {
  const options = parseOptions("branch", args, [
    "d delete",
    "D",
    "m move",
    "M",
    "c copy",
    "C",
    "a all",
    "r remotes",
    "l list",
    "v verbose",
    "show-current",
    "f force",
    "q quiet",
    "no-color",
    "color=?",
    "merged=*",
    "no-merged=*",
    "contains=*",
    "points-at=",
    "u set-upstream-to=",
    "unset-upstream",
    "format=",
    "sort=",
    "no-track",
    "t track",
  ]);
  for (const name of ["copy", "C"]) if (options.has(name)) absent(`branch ${name.length === 1 ? "-" : "--"}${name}`);
  const repo = await run.repository();
  const words = [...options.words, ...(options.paths ?? [])];
  const head = await repo.refs.head();
  if (options.has("show-current")) {
    if (head.branch !== null) run.out(`${head.branch}\n`);
    return 0;
  }
  const upstream = options.value("set-upstream-to");
  if (upstream !== null)
    return setUpstream(
      run,
      repo,
      words[0] ?? head.branch ?? fatal("could not set upstream of HEAD when it does not point to any branch."),
      upstream,
    );
  if (options.has("unset-upstream"))
    return unsetUpstream(repo, words[0] ?? head.branch ?? fatal("could not unset upstream of HEAD when it does not point to any branch."));
  if (options.has("delete") || options.has("D")) return remove(run, repo, words, options.has("D") || options.has("force"));
  if (options.has("move") || options.has("M")) return rename(repo, words, options.has("M") || options.has("force"));
  if (options.has("sort") || options.has("format")) {
    run.out(await chosen(repo, options, words));
    return 0;
  }
  const lists = ["list", "all", "remotes", "merged", "no-merged", "contains", "points-at"].some((one) => options.has(one));
  if (words.length === 0 || lists) {
    run.out(
      await list(repo, words, {
        own: !options.has("remotes"),
        remotes: options.has("remotes") || options.has("all"),
        all: options.has("all"),
        verbose: options.order.filter((one) => one === "verbose").length,
        selects: await selection(repo, options),
      }),
    );
    return 0;
  }
  const [name = "", start = "HEAD"] = words;
  await createBranch(repo, name, start, options.has("force"));
  const said = await trackStart(repo, name, start, options.has("track") ? true : options.has("no-track") ? false : null);
  if (!options.has("quiet")) run.out(said);
  return 0;
};

/** The commits that an option names each time it is given, or HEAD's if it names none. */
async function commitsNamed(repo: Repository, options: Options, option: string, exitCode: number): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (const text of options.values(option))
    oids.push((await findCommit(repo, text || "HEAD")) ?? failed(`malformed object name ${text}`, exitCode));
  return oids;
}

/** Whether `--contains`, `--points-at`, `--merged`, and `--no-merged` select a branch at this commit. */
async function selection(repo: Repository, options: Options): Promise<(oid: Oid) => Promise<boolean>> {
  const contained = await commitsNamed(repo, options, "contains", 129);
  const pointed = await commitsNamed(repo, options, "points-at", 129);
  const [merged, unmerged] = [await commitsNamed(repo, options, "merged", 128), await commitsNamed(repo, options, "no-merged", 128)];
  const behind = merged.length === 0 ? null : await reachable(repo, merged);
  const without = await reachable(repo, unmerged);
  return async (oid) => {
    if ((pointed.length > 0 && !pointed.includes(oid)) || behind?.has(oid) === false || without.has(oid)) return false;
    if (contained.length === 0) return true;
    const own = await reachable(repo, [oid]);
    return contained.some((one) => own.has(one));
  };
}

/** Lists branches by `--sort` and `--format`. */
async function chosen(repo: Repository, options: Options, given: readonly string[]): Promise<string> {
  const selects = await selection(repo, options);
  const patterns = given.map((word) => globPattern(word, false));
  const isShown = (ref: string): boolean =>
    (ref.startsWith("refs/heads/") && !options.has("remotes")) ||
    (ref.startsWith("refs/remotes/") && (options.has("remotes") || options.has("all")));
  const refs: { readonly ref: string; readonly oid: string }[] = [];
  for (const { ref, oid } of await repo.refs.all()) {
    const name = ref.replace(/^refs\/(?:heads|remotes)\//, "");
    if (!isShown(ref) || (patterns.length > 0 && !patterns.some((pattern) => pattern.test(name)))) continue;
    if (await selects(oid)) refs.push({ ref, oid });
  }
  const format = options.value("format") ?? "%(HEAD) %(refname:short)";
  let text = "";
  for (const ref of await sortedRefs(repo, refs, options.values("sort"))) text += `${await refText(repo, ref, format)}\n`;
  return text;
}

/** Makes a new branch follow the remote branch that it starts from. Returns the message that git prints. */
export async function trackStart(repo: Repository, name: string, start: string, asked: boolean | null): Promise<string> {
  if (asked === false) return "";
  const found = start === "HEAD" ? null : await repo.refs.find(start);
  const ref = found === null ? null : ((await repo.refs.symbolic(found.ref)) ?? found.ref);
  const source = ref === null || (asked === null && !ref.startsWith("refs/remotes/")) ? null : await sourceOf(repo, ref);
  if (source !== null) return follow(repo, name, source.remote, source.merge);
  return asked === true ? fatal("cannot set up tracking information; starting point is not a branch") : "";
}

async function setUpstream(run: Run, repo: Repository, name: string, upstream: string): Promise<number> {
  if ((await repo.refs.resolve(`refs/heads/${name}`)) === null) fatal(`branch '${name}' does not exist`);
  const found = await repo.refs.find(upstream);
  if (found === null)
    fatal(
      `the requested upstream branch '${upstream}' does not exist\nhint: \nhint: If you are planning on basing your work on an upstream\nhint: branch that already exists at the remote, you may need to\nhint: run "git fetch" to retrieve it.\nhint: \nhint: If you are planning to push out a new local branch that\nhint: will track its remote counterpart, you may want to use\nhint: "git push -u" to set the upstream config as you push.\nhint: Disable this message with "git config advice.setUpstreamFailure false"`,
    );
  const source =
    (await sourceOf(repo, found.ref)) ?? fatal(`cannot set up tracking information; starting point '${upstream}' is not a branch`);
  run.out(await follow(repo, name, source.remote, source.merge));
  return 0;
}

async function unsetUpstream(repo: Repository, name: string): Promise<number> {
  if ((await repo.setting(`branch.${name}.merge`)) === null) fatal(`Branch '${name}' has no upstream information`);
  for (const key of ["remote", "merge"]) await repo.changeSetting(`branch.${name}.${key}`, null);
  return 0;
}

export async function createBranch(repo: Repository, name: string, start: string, force: boolean): Promise<string> {
  if (!isRefName(name)) fatal(`'${name}' is not a valid branch name`);
  const exists = (await repo.refs.resolve(`refs/heads/${name}`)) !== null;
  if (exists && !force) fatal(`a branch named '${name}' already exists`);
  if (exists && (await repo.refs.head()).branch === name) fatal(`cannot force update the branch '${name}' checked out at '${repo.top}'`);
  const elsewhere = exists ? await checkedOutAt(repo, name) : null;
  if (elsewhere !== null) fatal(`cannot force update the branch '${name}' checked out at '${elsewhere}'`);
  const oid =
    (await findCommit(repo, start)) ??
    fatal(`not a valid object name: '${start === "HEAD" ? ((await repo.refs.head()).branch ?? start) : start}'`);
  const before = await repo.refs.resolve(`refs/heads/${name}`);
  await repo.refs.set(`refs/heads/${name}`, oid);
  const why = exists ? `branch: Reset to ${start}` : `branch: Created from ${start}`;
  await repo.refs.log(before, oid, await repo.committer(), why, `refs/heads/${name}`);
  return oid;
}

async function remove(run: Run, repo: Repository, names: readonly string[], force: boolean): Promise<number> {
  if (names.length === 0) fatal("branch name required");
  const head = await repo.refs.head();
  let code = 0;
  for (const name of names) {
    const oid = await repo.refs.resolve(`refs/heads/${name}`);
    if (oid === null) run.err(`error: branch '${name}' not found.\n`);
    else if (head.branch === name || (await checkedOutAt(repo, name)) !== null)
      run.err(
        `error: Cannot delete branch '${name}' checked out at '${head.branch === name ? repo.top : ((await checkedOutAt(repo, name)) ?? "")}'\n`,
      );
    else if (!force && !(await isMerged(repo, name, oid, head.oid))) {
      run.err(`error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.\n`);
    } else {
      await repo.refs.remove(`refs/heads/${name}`);
      await repo.refs.dropLog(`refs/heads/${name}`);
      await repo.moveSection(`branch.${name}`, null);
      run.out(`Deleted branch ${name} (was ${shortOid(oid)}).\n`);
      continue;
    }
    code = 1;
  }
  return code;
}

/** Whether the branch is merged into its upstream, or into the checked-out branch if it has no upstream. */
async function isMerged(repo: Repository, name: string, oid: Oid, head: Oid | null): Promise<boolean> {
  const into = (await upstreamOf(repo, name))?.oid ?? head;
  return into !== null && (await reachable(repo, [into])).has(oid);
}

async function rename(repo: Repository, words: readonly string[], force: boolean): Promise<number> {
  const head = await repo.refs.head();
  const from = words.length > 1 ? (words[0] ?? "") : (head.branch ?? fatal("cannot rename the current branch while not on any."));
  const to = words.at(-1) ?? fatal("branch name required");
  if (!isRefName(to)) fatal(`'${to}' is not a valid branch name`);
  const oid = await repo.refs.resolve(`refs/heads/${from}`);
  if (oid === null && head.branch !== from) fatal(`No branch named '${from}'.`);
  const isTaken = from !== to && (await repo.refs.resolve(`refs/heads/${to}`)) !== null;
  if (isTaken && !force) fatal(`a branch named '${to}' already exists`);
  const place = isTaken ? (head.branch === to ? repo.top : await checkedOutAt(repo, to)) : null;
  if (place !== null) fatal(`cannot force update the branch '${to}' checked out at '${place}'`);
  if (oid !== null && from !== to) {
    await repo.refs.remove(`refs/heads/${from}`);
    await repo.refs.set(`refs/heads/${to}`, oid);
  }
  if (from !== to) await repo.moveSection(`branch.${from}`, `branch.${to}`);
  if (head.branch === from) await repo.refs.attach(to);
  return 0;
}

interface ListOptions {
  readonly own: boolean;
  readonly remotes: boolean;
  readonly all: boolean;
  /** How often the option was given: 2 shows the upstream branches. */
  readonly verbose: number;
  readonly selects: (oid: Oid) => Promise<boolean>;
}

async function list(repo: Repository, patterns: readonly string[], options: ListOptions): Promise<string> {
  const head = await repo.refs.head();
  const found: { mark: string; name: string; oid: string; target: string | null; own: boolean }[] = [];
  const add = (mark: string, name: string, oid: string | null, own = false, target: string | null = null): void => {
    if (oid === null) return;
    const fits =
      patterns.length === 0 ||
      patterns.some((pattern) =>
        new RegExp(
          `^${pattern
            .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
            .replaceAll("*", ".*")
            .replaceAll("?", ".")}$`,
        ).test(name),
      );
    if (fits) found.push({ mark, name, oid, own, target });
  };
  if (options.own) {
    if (head.branch === null && head.oid !== null) {
      const detached = await detachedText(repo, head);
      const rebasing = (await readRebase(repo))?.headName ?? null;
      if (rebasing !== null) add("*", `(no branch, rebasing ${rebasing.replace("refs/heads/", "")})`, head.oid);
      else add("*", `(${detached ?? "no branch"})`, head.oid);
    }
    const others = new Set((await readWorktrees(repo)).flatMap((tree) => (tree.branch === null || tree.isBare ? [] : [tree.branch])));
    for (const name of await repo.refs.branches())
      add(name === head.branch ? "*" : others.has(name) ? "+" : " ", name, await repo.refs.resolve(`refs/heads/${name}`), true);
  }
  if (options.remotes)
    for (const name of await repo.refs.remoteBranches()) {
      const target = await repo.refs.symbolic(`refs/remotes/${name}`);
      const shown = target?.replace("refs/remotes/", "") ?? null;
      add(" ", `${options.all ? "remotes/" : ""}${name}`, await repo.refs.resolve(`refs/remotes/${name}`), false, shown);
    }
  const rows: typeof found = [];
  for (const row of found) if (await options.selects(row.oid)) rows.push(row);
  const longest = Math.max(0, ...rows.map((row) => row.name.length));
  let text = "";
  for (const { mark, name, oid, own, target } of rows) {
    if (options.verbose === 0) text += `${mark} ${name}${target === null ? "" : ` -> ${target}`}\n`;
    else if (target !== null) text += `${mark} ${name.padEnd(longest)} -> ${target}\n`;
    else {
      const { message } = await repo.objects.commit(oid);
      text += `${mark} ${name.padEnd(longest)} ${shortOid(oid)} ${own ? await followed(repo, name, oid, options.verbose > 1) : ""}${subjectOf(message)}\n`;
    }
  }
  return text;
}

/** Returns for example "[origin/main: ahead 1] ". */
async function followed(repo: Repository, branchName: string, oid: Oid, named: boolean): Promise<string> {
  const upstream = await upstreamOf(repo, branchName);
  if (upstream === null) return "";
  const words = await distanceWords(repo, oid, upstream);
  if (!named) return words === "" ? "" : `[${words}] `;
  return `[${upstream.name}${words === "" ? "" : `: ${words}`}] `;
}

export function mustBeBranchName(name: string): void {
  if (!isRefName(name)) failed(`'${name}' is not a valid branch name`, 128);
}
