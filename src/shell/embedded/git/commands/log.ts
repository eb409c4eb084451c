import { changesBetween, type FileChange } from "../changes.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import { type CommitFormat, commitFormat, formatOptions } from "../print-commit.ts";
import type { Repository } from "../repository.ts";
import { findCommit, mergeBases, mustFindCommit, splitRevisions } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import type { Commit, Oid } from "../store/model.ts";
import type { Pathspec } from "../store/pathspec.ts";
import { parseDate } from "../text/dates.ts";
import { changeOptions, printChanges } from "./diff.ts";

const spec = [
  ...formatOptions,
  ...changeOptions,
  "n max-count=",
  "number=",
  "skip=",
  "reverse",
  "all",
  "branches",
  "tags",
  "merges",
  "no-merges",
  "first-parent",
  "author=",
  "committer=",
  "grep=",
  "i regexp-ignore-case",
  "since=",
  "after=",
  "until=",
  "before=",
  "topo-order",
  "date-order",
  "author-date-order",
  "graph",
  "follow",
  "S",
  "G",
  "L",
  "g walk-reflogs",
  "m",
  "c",
  "cc",
  "full-history",
  "left-right",
  "parents",
];

export const log: GitCommand = async (run, args) => {
  const options = parseOptions("log", args, spec);
  for (const name of ["graph", "follow", "S", "G", "L", "walk-reflogs", "m", "c", "cc", "left-right", "parents", "full-history"])
    if (options.has(name)) absent(`log ${name.length === 1 ? "-" : "--"}${name}`, 128);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  const starts = await startsOf(repo, revisions, options);
  const format = await commitFormat(repo, options);
  const selected = await selectCommits(repo, starts, options, repo.spec(paths));
  run.out(await printCommits(repo, selected, options, format, paths));
  return 0;
};

/** Where to start, and what to leave out. */
interface Starts {
  readonly from: readonly Oid[];
  readonly without: readonly Oid[];
}

export async function startsOf(repo: Repository, revisions: readonly string[], options: Options | null): Promise<Starts> {
  const from: Oid[] = [];
  const without: Oid[] = [];
  for (const text of revisions) {
    const range = /^(.*?)(\.{2,3})(.*)$/.exec(text);
    if (range) {
      const left = await mustFindCommit(repo, range[1] || "HEAD");
      const right = await mustFindCommit(repo, range[3] || "HEAD");
      from.push(right);
      if (range[2] === "...") {
        from.push(left);
        without.push(...(await mergeBases(repo, left, right)));
      } else without.push(left);
    } else if (text.startsWith("^")) without.push(await mustFindCommit(repo, text.slice(1)));
    else from.push(await mustFindCommit(repo, text));
  }
  const add = async (names: readonly string[], prefix: string): Promise<void> => {
    for (const name of names) {
      const oid = await findCommit(repo, prefix + name);
      if (oid !== null) from.push(oid);
    }
  };
  const all = options?.has("all") === true;
  if (all || options?.has("branches") === true) await add(await repo.refs.branches(), "refs/heads/");
  if (all || options?.has("tags") === true) await add(await repo.refs.tags(), "refs/tags/");
  if (all) await add([...(await repo.refs.remoteBranches()).map((name) => `remotes/${name}`), "stash"], "refs/");
  if (all || from.length === 0) {
    const { oid, branch } = await repo.refs.head();
    if (oid !== null) from.push(oid);
    else if (from.length === 0) fatal(`your current branch '${branch ?? "HEAD"}' does not have any commits yet`);
  }
  return { from, without };
}

async function selectCommits(repo: Repository, starts: Starts, options: Options, paths: Pathspec): Promise<Commit[]> {
  const most = countOf(options, "number") ?? countOf(options, "max-count") ?? -1;
  let skip = countOf(options, "skip") ?? 0;
  const wanted = conditions(repo, options);
  const selected: Commit[] = [];
  for await (const { commit, shown } of walk(repo, starts, options.has("first-parent"), options.has("topo-order"), paths)) {
    if (most >= 0 && selected.length >= most) break;
    if (!shown || !wanted(commit)) continue;
    if (skip > 0) skip--;
    else selected.push(commit);
  }
  return options.has("reverse") ? selected.toReversed() : selected;
}

/** Commits, newest first; of those with the same date the one that was found first. With paths, history follows the parent that has the same files. */
export async function* walk(
  repo: Repository,
  { from, without }: Starts,
  firstParent: boolean,
  topological: boolean,
  paths: Pathspec,
): AsyncGenerator<{ readonly commit: Commit; readonly shown: boolean }> {
  const hidden = await reachable(repo, without);
  const seen = new Set<Oid>();
  const open: Commit[] = [];
  const pending = topological ? await childCounts(repo, from, hidden, firstParent) : null;
  const push = async (oid: Oid): Promise<void> => {
    if (seen.has(oid) || hidden.has(oid)) return;
    seen.add(oid);
    const commit = await repo.objects.commit(oid);
    if (pending) open.push(commit);
    else {
      let at = open.length;
      while (at > 0 && (open[at - 1]?.committer.time ?? 0) < commit.committer.time) at--;
      open.splice(at, 0, commit);
    }
  };
  for (const oid of from) if (!pending || (pending.get(oid) ?? 0) === 0) await push(oid);
  for (let commit = pending ? open.pop() : open.shift(); commit !== undefined; commit = pending ? open.pop() : open.shift()) {
    const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
    let shown = true;
    let follow = parents;
    if (!paths.all) {
      const files = await repo.snapshot(commit.oid);
      const isSame = async (parent: Oid | null): Promise<boolean> =>
        changesBetween(await repo.snapshot(parent), files, paths.matches).length === 0;
      if (parents.length === 0) shown = !(await isSame(null));
      for (const parent of parents) {
        if (!(await isSame(parent))) continue;
        shown = false;
        follow = [parent];
        break;
      }
    }
    yield { commit, shown };
    for (const parent of pending ? follow.toReversed() : follow) {
      if (pending) {
        const left = (pending.get(parent) ?? 1) - 1;
        pending.set(parent, left);
        if (left > 0) continue;
      }
      await push(parent);
    }
  }
}

async function childCounts(
  repo: Repository,
  from: readonly Oid[],
  hidden: ReadonlySet<Oid>,
  firstParent: boolean,
): Promise<Map<Oid, number>> {
  const counts = new Map<Oid, number>();
  for (const oid of await reachable(repo, from)) {
    if (hidden.has(oid)) continue;
    const { parents } = await repo.objects.commit(oid);
    for (const parent of firstParent ? parents.slice(0, 1) : parents) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  return counts;
}

function conditions(repo: Repository, options: Options): (commit: Commit) => boolean {
  const flags = options.has("regexp-ignore-case") ? "i" : "";
  const pattern = (name: string): RegExp | null => {
    const value = options.value(name);
    if (value === null) return null;
    try {
      return new RegExp(value, flags);
    } catch (error) {
      return fatal(`invalid pattern '${value}': ${String(error)}`);
    }
  };
  const time = (name: string, other: string): number | null => {
    const value = options.value(name) ?? options.value(other);
    return value === null ? null : (parseDate(value, repo.shell.now())?.time ?? fatal(`invalid date: ${value}`));
  };
  const author = pattern("author");
  const committer = pattern("committer");
  const grep = pattern("grep");
  const since = time("since", "after");
  const until = time("until", "before");
  return (commit) =>
    (author === null || author.test(`${commit.author.name} <${commit.author.email}>`)) &&
    (committer === null || committer.test(`${commit.committer.name} <${commit.committer.email}>`)) &&
    (grep === null || commit.message.split("\n").some((line) => grep.test(line))) &&
    (since === null || commit.committer.time >= since) &&
    (until === null || commit.committer.time <= until) &&
    !(options.has("merges") && commit.parents.length < 2) &&
    !(options.has("no-merges") && commit.parents.length > 1);
}

/** The commits with their changes, as `git log` separates them. */
async function printCommits(
  repo: Repository,
  commits: readonly Commit[],
  options: Options,
  format: CommitFormat,
  paths: readonly string[],
): Promise<string> {
  const matches = repo.spec(paths).matches;
  let text = "";
  for (const [i, commit] of commits.entries()) {
    const changes = await changesOf(repo, commit, matches, options.has("first-parent"));
    const printed = changes === null ? "" : await printChanges(repo, options, changes, "nothing");
    text += joinCommit(format, await format.print(commit), printed, i === commits.length - 1, options);
  }
  return text;
}

/** null: a merge, which shows no changes. */
export async function changesOf(
  repo: Repository,
  commit: Commit,
  matches: (path: string) => boolean,
  firstParent: boolean,
): Promise<FileChange[] | null> {
  if (commit.parents.length > 1 && !firstParent) return null;
  return changesBetween(await repo.snapshot(commit.parents[0] ?? null), await repo.snapshot(commit.oid), matches);
}

export function joinCommit(format: CommitFormat, head: string, changes: string, last: boolean, options: Options): string {
  const end = options.has("null") || options.has("z") ? "\0" : "\n";
  const withStat = options.has("stat") && (options.has("patch") || options.has("u"));
  switch (format.kind) {
    case "oneline":
      return `${head}${end}${changes}`;
    case "nothing":
      return changes;
    case "terminated":
      return `${head}${end}${changes === "" ? "" : `\n${changes}`}`;
    case "separated":
      return `${head}${changes === "" ? "" : `\n${changes}`}${last ? "" : end}`;
    case "long":
      return `${head}${changes === "" ? "" : `${withStat ? "---" : ""}\n${changes}`}${last ? "" : "\n"}`;
  }
}
