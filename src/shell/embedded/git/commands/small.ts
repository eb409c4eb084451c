import { countOf, parseOptions } from "../options.ts";
import { mergeBases, mustFindCommit, shortOid, splitRevisions } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, Stop } from "../stop.ts";
import type { Commit } from "../store/model.ts";
import { conditionOptions, conditions, startsOf, walk } from "./log.ts";
import { subjectOf } from "../commit.ts";

export const mergeBase: GitCommand = async (run, args) => {
  const options = parseOptions("merge-base", args, ["a all", "is-ancestor"]);
  const repo = await run.repository();
  const [left, right] = options.words;
  if (left === undefined || right === undefined || options.words.length > 2)
    throw new Stop(129, "usage: git merge-base [-a] <commit> <commit>\n       git merge-base --is-ancestor <commit> <commit>\n");
  const a = await mustFindCommit(repo, left);
  const b = await mustFindCommit(repo, right);
  if (options.has("is-ancestor")) return (await reachable(repo, [b])).has(a) ? 0 : 1;
  const bases = await mergeBases(repo, a, b);
  for (const oid of options.has("all") ? bases : bases.slice(0, 1)) run.out(`${oid}\n`);
  return bases.length > 0 ? 0 : 1;
};

export const revList: GitCommand = async (run, args) => {
  const options = parseOptions("rev-list", args, [
    "count",
    "all",
    "branches",
    "tags",
    "n max-count=",
    "number=",
    "left-right",
    "reverse",
    "first-parent",
    "topo-order",
    "date-order",
    "parents",
    "abbrev-commit",
    ...conditionOptions,
  ]);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  const starts = await startsOf(repo, revisions, options);
  if (options.has("left-right")) {
    if (starts.from.length !== 2 || !options.has("count")) absent("rev-list --left-right without --count and A...B");
    const [right = "", left = ""] = starts.from;
    const [ofLeft, ofRight] = [await reachable(repo, [left]), await reachable(repo, [right])];
    const alone = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => [...one].filter((oid) => !other.has(oid)).length;
    run.out(`${alone(ofLeft, ofRight)}\t${alone(ofRight, ofLeft)}\n`);
    return 0;
  }
  const most = countOf(options, "number") ?? countOf(options, "max-count") ?? Number.POSITIVE_INFINITY;
  const wanted = conditions(repo, options);
  const found: string[] = [];
  for await (const { commit, shown } of walk(repo, starts, options.has("first-parent"), options.has("topo-order"), repo.spec(paths))) {
    if (found.length >= most) break;
    const { parents } = commit;
    if (!shown || !wanted(commit)) continue;
    const name = (oid: string): string => (options.has("abbrev-commit") ? shortOid(oid) : oid);
    found.push([name(commit.oid), ...(options.has("parents") ? parents.map(name) : [])].join(" "));
  }
  if (options.has("count")) run.out(`${found.length}\n`);
  else for (const line of options.has("reverse") ? found.toReversed() : found) run.out(`${line}\n`);
  return 0;
};

export const shortlog: GitCommand = async (run, args) => {
  const options = parseOptions("shortlog", args, [
    "s summary",
    "n numbered",
    "e email",
    "all",
    "branches",
    "tags",
    "first-parent",
    ...conditionOptions,
  ]);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  const starts = await startsOf(repo, revisions, options);
  const wanted = conditions(repo, options);
  const subjects = new Map<string, string[]>();
  const commits: Commit[] = [];
  for await (const { commit, shown } of walk(repo, starts, options.has("first-parent"), false, repo.spec(paths)))
    if (shown && wanted(commit)) commits.push(commit);
  for (const { author, message } of commits.toReversed()) {
    const name = options.has("email") ? `${author.name} <${author.email}>` : author.name;
    subjects.set(name, [...(subjects.get(name) ?? []), subjectOf(message)]);
  }
  const rows = [...subjects].toSorted(([a, x], [b, y]) => (options.has("numbered") ? y.length - x.length : 0) || (a < b ? -1 : 1));
  for (const [name, list] of rows) {
    run.out(
      options.has("summary")
        ? `${String(list.length).padStart(6)}\t${name}\n`
        : `${name} (${list.length}):\n${list.map((one) => `      ${one}\n`).join("")}\n`,
    );
  }
  return 0;
};
