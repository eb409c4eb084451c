import { changesBetween, type FileChange, withRenames } from "../changes.ts";
import { createGraph, type Graph } from "../graph.ts";
import { lineLog } from "../line-log.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import { type CommitFormat, commitFormat, decorations, formatOptions } from "../print-commit.ts";
import type { Repository } from "../repository.ts";
import { findCommit, mergeBases, mustFindCommit, splitRevisions } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { type Commit, modes, type Oid } from "../store/model.ts";
import type { Pathspec } from "../store/pathspec.ts";
import { decode, isBinary } from "../text/bytes.ts";
import { parseDate } from "../text/dates.ts";
import { PatternError, toRegExp } from "../../posix-regex.ts";
import { diffLines, splitLines } from "../../../../fs/text/line-diff.ts";
import { walkReflog } from "./reflog.ts";
import { asksForChanges, changeOptions, filtered, printChanges } from "./diff.ts";

/** The options that `conditions` reads. */
export const conditionOptions = [
  "merges",
  "no-merges",
  "min-parents=",
  "max-parents=",
  "author=",
  "committer=",
  "grep=",
  "i regexp-ignore-case",
  "since=",
  "after=",
  "until=",
  "before=",
  "invert-grep",
  "all-match",
  "E extended-regexp",
  "F fixed-strings",
  "P perl-regexp",
];

const spec = [
  ...formatOptions,
  ...changeOptions,
  ...conditionOptions,
  "n max-count=",
  "number=",
  "skip=",
  "reverse",
  "all",
  "branches",
  "tags",
  "first-parent",
  "topo-order",
  "date-order",
  "author-date-order",
  "graph",
  "follow",
  "S=",
  "G=",
  "pickaxe-regex",
  "pickaxe-all",
  "simplify-by-decoration",
  "L=",
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
  for (const name of ["m", "c", "cc", "left-right", "parents", "full-history"])
    if (options.has(name)) absent(`log ${name.length === 1 ? "-" : "--"}${name}`, 128);
  if (options.has("graph") && options.has("reverse")) fatal("options '--reverse' and '--graph' cannot be used together");
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  if (options.has("walk-reflogs")) {
    if (asksForChanges(options) || paths.length > 0 || options.has("graph")) absent("log -g with changes, paths or --graph", 128);
    return walkReflog(run, repo, options, revisions[0] ?? "HEAD");
  }
  const starts = await startsOf(repo, revisions, options);
  const format = await commitFormat(repo, options);
  if (options.has("L")) {
    const given = options.values("L");
    if (given.length > 1 || paths.length > 0 || options.has("graph")) absent("log -L with a second -L, with paths or with --graph", 128);
    const most = countOf(options, "number") ?? countOf(options, "max-count") ?? Number.POSITIVE_INFINITY;
    const rows = await lineLog(repo, starts.from[0] ?? "", given[0] ?? "", most);
    for (const [i, { commit, patch }] of rows.entries()) {
      const head = await format.print(commit);
      const gap = format.kind === "long" && i > 0 ? "\n" : "";
      run.out(
        `${gap}${format.kind === "nothing" || head.endsWith("\n") ? head : `${head}\n`}${options.has("no-patch") ? "" : `\n${patch}`}`,
      );
    }
    return 0;
  }
  const picks = pickaxe(repo, options);
  if (options.has("follow") && paths.length !== 1) fatal("--follow requires exactly one pathspec");
  const selected = options.has("follow")
    ? await followFile(repo, starts, options, repo.files.resolve(run.shell.cwd, paths[0] ?? "").slice(repo.top.length + 1), picks)
    : await selectCommits(repo, starts, options, repo.spec(paths), picks);
  run.out(await printCommits(repo, selected, options, format));
  return 0;
};

/** A commit that is shown. `changes`: the changes to show, if the options ask for any; null for a merge. */
interface Selected {
  readonly commit: Commit;
  readonly changes: readonly FileChange[] | null;
  /** Its parents within the part of the history that is considered. */
  readonly parents: readonly Oid[];
}

/** The commits to start from, and the commits whose history is left out. */
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

async function selectCommits(
  repo: Repository,
  starts: Starts,
  options: Options,
  paths: Pathspec,
  picks: Pickaxe | null,
): Promise<Selected[]> {
  const most = countOf(options, "number") ?? countOf(options, "max-count") ?? -1;
  let skip = countOf(options, "skip") ?? 0;
  const wanted = conditions(repo, options);
  const selected: Selected[] = [];
  const hasNames = options.has("simplify-by-decoration") ? await decorations(repo) : null;
  const needsChanges = picks !== null || asksForChanges(options);
  const topological = options.has("topo-order") || options.has("graph");
  for await (const { commit, shown, parents } of walk(repo, starts, options.has("first-parent"), topological, paths)) {
    if (most >= 0 && selected.length >= most) break;
    if (!shown || !wanted(commit) || hasNames?.has(commit.oid) === false) continue;
    const all = needsChanges ? await changesOf(repo, commit, paths.matches, options.has("first-parent")) : [];
    const changes = picks === null || all === null ? all : await picks(all);
    if (picks !== null && (changes === null || changes.length === 0)) continue;
    if (skip > 0) skip--;
    else selected.push({ commit, changes, parents });
  }
  return options.has("reverse") ? selected.toReversed() : selected;
}

/** `--follow`: the history of one file, including its earlier names. */
async function followFile(repo: Repository, starts: Starts, options: Options, path: string, picks: Pickaxe | null): Promise<Selected[]> {
  const most = countOf(options, "number") ?? countOf(options, "max-count") ?? -1;
  const wanted = conditions(repo, options);
  const selected: Selected[] = [];
  let name = path;
  for await (const { commit } of walk(repo, starts, options.has("first-parent"), false, repo.spec([]))) {
    if (most >= 0 && selected.length >= most) break;
    if (commit.parents.length > 1) continue;
    const before = await repo.snapshot(commit.parents[0] ?? null);
    const after = await repo.snapshot(commit.oid);
    if (before.get(name)?.oid === after.get(name)?.oid && before.get(name)?.mode === after.get(name)?.mode) continue;
    const plain = changesBetween(before, after, (one) => one === name);
    const renamed = before.has(name)
      ? plain
      : (
          await withRenames(
            repo,
            changesBetween(before, after, () => true),
          )
        ).filter((one) => one.path === name);
    const changes = picks === null ? renamed : await picks(renamed);
    if (changes.length > 0 && wanted(commit)) selected.push({ commit, changes, parents: commit.parents });
    name = renamed[0]?.from ?? name;
  }
  return options.has("reverse") ? selected.toReversed() : selected;
}

type Pickaxe = (changes: readonly FileChange[]) => Promise<readonly FileChange[]>;

/** `-S`: the text occurs more or less often than before. `-G`: a changed line matches the expression. */
function pickaxe(repo: Repository, options: Options): Pickaxe | null {
  const text = options.value("S");
  const given = options.value("G");
  if (text === null && given === null)
    return options.has("diff-filter") ? async (changes) => filtered(await withRenames(repo, changes), options.value("diff-filter")) : null;
  const flags = options.has("regexp-ignore-case") ? "gi" : "g";
  const expression = patternOf(given ?? text ?? "", given !== null || options.has("pickaxe-regex") ? "extended" : "fixed", flags);
  const textOf = async (file: FileChange["old"]): Promise<string | null> => {
    if (file === null || file.mode === modes.submodule) return "";
    const bytes = await repo.objects.blob(file.oid);
    return isBinary(bytes) && given !== null ? null : decode(bytes);
  };
  const count = (whole: string): number => [...whole.matchAll(expression)].length;
  const isPicked = async (change: FileChange): Promise<boolean> => {
    const [before, after] = [await textOf(change.old), await textOf(change.new)];
    if (before === null || after === null) return false;
    if (given === null) return count(before) !== count(after);
    const [old, now] = [splitLines(before), splitLines(after)];
    return diffLines(old, now).some(
      (one) =>
        old.slice(one.oldStart, one.oldStart + one.oldCount).some((line) => count(line) > 0) ||
        now.slice(one.newStart, one.newStart + one.newCount).some((line) => count(line) > 0),
    );
  };
  return async (changes) => {
    const renamed = await withRenames(repo, changes);
    const picked: FileChange[] = [];
    for (const change of renamed) if (await isPicked(change)) picked.push(change);
    return picked.length > 0 && options.has("pickaxe-all") ? renamed : picked;
  };
}

function patternOf(source: string, kind: "basic" | "extended" | "fixed" | "perl", flags: string): RegExp {
  try {
    return toRegExp(source, kind, flags);
  } catch (error) {
    if (error instanceof PatternError) return fatal(`invalid pattern '${source}': ${error.message}`);
    throw error;
  }
}

/** Yields commits, newest first; of those with equal dates, the one found first. With paths, follows the parent that has the same files. */
export async function* walk(
  repo: Repository,
  { from, without }: Starts,
  firstParent: boolean,
  topological: boolean,
  paths: Pathspec,
): AsyncGenerator<{ readonly commit: Commit; readonly shown: boolean; readonly parents: readonly Oid[] }> {
  const hidden = await reachable(repo, without);
  const seen = new Set<Oid>();
  const open: Commit[] = [];
  const judge = judging(repo, firstParent, paths);
  const pending = topological ? await childCounts(from, hidden, judge) : null;
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
  // The last one pushed is taken first.
  for (const oid of pending ? (await newestFirst(repo, from)).toReversed() : from)
    if (!pending || (pending.get(oid) ?? 0) === 0) await push(oid);
  for (let commit = pending ? open.pop() : open.shift(); commit !== undefined; commit = pending ? open.pop() : open.shift()) {
    const { shown, follow } = await judge(commit.oid);
    const parents = pending && shown && !paths.all ? await nearestShown(follow, hidden, judge) : follow;
    yield { commit, shown, parents: parents.filter((parent) => !hidden.has(parent)) };
    for (const parent of follow) {
      if (pending) {
        const left = (pending.get(parent) ?? 1) - 1;
        pending.set(parent, left);
        if (left > 0) continue;
      }
      await push(parent);
    }
  }
}

async function newestFirst(repo: Repository, oids: readonly Oid[]): Promise<Oid[]> {
  const commits = await Promise.all(oids.map((oid) => repo.objects.commit(oid)));
  return commits.toSorted((a, b) => b.committer.time - a.committer.time).map(({ oid }) => oid);
}

/** Whether a commit changes the paths, and the parents whose history is walked. */
type Judge = (oid: Oid) => Promise<{ readonly shown: boolean; readonly follow: readonly Oid[] }>;

function judging(repo: Repository, firstParent: boolean, paths: Pathspec): Judge {
  const known = new Map<Oid, Awaited<ReturnType<Judge>>>();
  const look: Judge = async (oid) => {
    const commit = await repo.objects.commit(oid);
    const parents = firstParent ? commit.parents.slice(0, 1) : commit.parents;
    if (paths.all) return { shown: true, follow: parents };
    const files = await repo.snapshot(oid);
    const isSame = async (parent: Oid | null): Promise<boolean> =>
      changesBetween(await repo.snapshot(parent), files, paths.matches).length === 0;
    for (const parent of parents) if (await isSame(parent)) return { shown: false, follow: [parent] };
    return { shown: parents.length > 0 || !(await isSame(null)), follow: parents };
  };
  return async (oid) => {
    const found = known.get(oid) ?? (await look(oid));
    known.set(oid, found);
    return found;
  };
}

/** For each parent, the nearest commit that is shown. */
async function nearestShown(parents: readonly Oid[], hidden: ReadonlySet<Oid>, judge: Judge): Promise<Oid[]> {
  const nearest = new Set<Oid>();
  for (const parent of parents) {
    let at: Oid | undefined = parent;
    while (at !== undefined && !hidden.has(at)) {
      const { shown, follow }: Awaited<ReturnType<Judge>> = await judge(at);
      if (shown) break;
      [at] = follow;
    }
    if (at !== undefined) nearest.add(at);
  }
  return [...nearest];
}

/** The number of children of each commit that is walked. */
async function childCounts(from: readonly Oid[], hidden: ReadonlySet<Oid>, judge: Judge): Promise<Map<Oid, number>> {
  const counts = new Map<Oid, number>();
  const seen = new Set<Oid>();
  const open = [...from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (seen.has(oid) || hidden.has(oid)) continue;
    seen.add(oid);
    for (const parent of (await judge(oid)).follow) {
      counts.set(parent, (counts.get(parent) ?? 0) + 1);
      open.push(parent);
    }
  }
  return counts;
}

export function conditions(repo: Repository, options: Options): (commit: Commit) => boolean {
  const flags = options.has("regexp-ignore-case") ? "i" : "";
  const kind = options.has("extended-regexp")
    ? "extended"
    : options.has("fixed-strings")
      ? "fixed"
      : options.has("perl-regexp")
        ? "perl"
        : "basic";
  const pattern = (name: string): RegExp | null => {
    const value = options.value(name);
    return value === null ? null : patternOf(value, kind, flags);
  };
  const time = (name: string, other: string): number | null => {
    const value = options.value(name) ?? options.value(other);
    return value === null ? null : (parseDate(value, repo.shell.now())?.time ?? fatal(`invalid date: ${value}`));
  };
  const author = pattern("author");
  const committer = pattern("committer");
  const greps = options.values("grep").map((value) => patternOf(value, kind, flags));
  const inMessage = (commit: Commit): boolean => {
    if (greps.length === 0) return true;
    const fits = (expression: RegExp): boolean => commit.message.split("\n").some((line) => expression.test(line));
    return (options.has("all-match") ? greps.every(fits) : greps.some(fits)) !== options.has("invert-grep");
  };
  const since = time("since", "after");
  const until = time("until", "before");
  const least = countOf(options, "min-parents") ?? (options.has("merges") ? 2 : 0);
  const largest = countOf(options, "max-parents") ?? -1;
  const most = largest >= 0 ? largest : options.has("no-merges") ? 1 : Number.POSITIVE_INFINITY;
  return (commit) =>
    (author === null || author.test(`${commit.author.name} <${commit.author.email}>`)) &&
    (committer === null || committer.test(`${commit.committer.name} <${commit.committer.email}>`)) &&
    inMessage(commit) &&
    (since === null || commit.committer.time >= since) &&
    (until === null || commit.committer.time <= until) &&
    commit.parents.length >= least &&
    commit.parents.length <= most;
}

/** Prints the commits with their changes, separated as by `git log`. */
async function printCommits(repo: Repository, selected: readonly Selected[], options: Options, format: CommitFormat): Promise<string> {
  const graph = options.has("graph") ? createGraph() : null;
  let text = "";
  for (const [i, { commit, changes, parents }] of selected.entries()) {
    const printed = changes === null ? "" : await printChanges(repo, options, changes, "nothing");
    const isLast = i === selected.length - 1;
    const whole = joinCommit(format, await format.print(commit), printed, isLast, options);
    text += graph === null ? whole : drawn(graph, commit.oid, parents, whole, format.kind, i === 0);
  }
  return text;
}

/** Prints a commit's text with the graph to its left. Empty lines are placed as in git's show_log. */
function drawn(graph: Graph, oid: Oid, parents: readonly Oid[], text: string, kind: CommitFormat["kind"], isFirst: boolean): string {
  graph.begin(oid, parents);
  const rows: string[] = [];
  if (kind === "long" && !isFirst) rows.push(graph.padding());
  const lines = (kind === "long" ? text.replace(/\n\n$/, "\n") : text).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const endsEmpty = kind === "terminated" && lines.length > 1 && lines.at(-1) === "";
  if (endsEmpty) lines.pop();
  const heads = graph.upToCommit();
  const own = heads.pop() ?? "";
  rows.push(...heads, own + (lines[0] ?? ""), ...lines.slice(1).map((line) => graph.next() + line), ...graph.rest());
  if (endsEmpty) rows.push(graph.next());
  return `${rows.join("\n")}\n`;
}

/** Null: a merge, which shows no changes. */
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
