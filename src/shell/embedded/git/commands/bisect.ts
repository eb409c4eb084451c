import { readMessageFile, subjectOf, writeMessageFile } from "../commit.ts";
import { parseOptions } from "../options.ts";
import { stat, summary } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { findCommit, mustFindCommit } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Oid } from "../store/model.ts";
import { formatDate } from "../text/dates.ts";
import { changesBetween } from "../changes.ts";
import { checkout } from "./checkout.ts";

/** `git bisect`, with its state in `.git` in git's format. `run` works only if the shell can run commands. */
export const bisect: GitCommand = async (run, args) => {
  const [verb = "", ...rest] = args;
  const repo = await run.repository();
  switch (verb) {
    case "start":
      return start(run, repo, rest);
    case "good":
    case "bad":
    case "old":
    case "new":
    case "skip": {
      const kind = verb === "old" ? "good" : verb === "new" ? "bad" : verb;
      for (const text of rest.length === 0 ? ["HEAD"] : rest) await mark(repo, kind, await mustFindCommit(repo, text));
      return step(run, repo);
    }
    case "reset":
      return reset(run, repo, rest[0]);
    case "log":
      run.out((await readMessageFile(repo, "BISECT_LOG")) ?? fatal("We are not bisecting."));
      return 0;
    case "run":
      return runScript(run, repo, rest);
    default:
      return absent(`bisect ${verb}: it has start, good, bad, skip, run, log and reset`, 128);
  }
};

async function start(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("bisect start", args, ["term-old=", "term-good=", "term-new=", "term-bad=", "no-checkout", "first-parent"]);
  for (const name of ["term-old", "term-good", "term-new", "term-bad", "no-checkout", "first-parent"])
    if (options.has(name)) absent(`bisect start --${name}`, 128);
  const [bad, ...good] = options.words;
  const badOid = bad === undefined ? null : await mustFindCommit(repo, bad);
  const goodOids = await Promise.all(good.map((text) => mustFindCommit(repo, text)));
  if ((await readMessageFile(repo, "BISECT_START")) !== null) await clear(repo);
  const head = await repo.refs.head();
  await writeMessageFile(repo, "BISECT_START", `${head.branch ?? head.oid ?? ""}\n`);
  const told = await Promise.all(
    [badOid, ...goodOids].map(async (oid, i) => (oid === null ? "" : `${await about(repo, i === 0 ? "bad" : "good", oid)}\n`)),
  );
  await writeMessageFile(repo, "BISECT_LOG", `${told.join("")}git bisect start${options.words.map((word) => ` '${word}'`).join("")}\n`);
  await writeMessageFile(repo, "BISECT_TERMS", "bad\ngood\n");
  if (badOid !== null) await repo.refs.set("refs/bisect/bad", badOid);
  for (const oid of goodOids) await repo.refs.set(`refs/bisect/good-${oid}`, oid);
  return step(run, repo);
}

async function note(repo: Repository, line: string): Promise<void> {
  await writeMessageFile(repo, "BISECT_LOG", `${(await readMessageFile(repo, "BISECT_LOG")) ?? ""}${line}\n`);
}

async function mark(repo: Repository, kind: "good" | "bad" | "skip", oid: Oid): Promise<void> {
  if ((await readMessageFile(repo, "BISECT_START")) === null) throw new Stop(1, 'You need to start by "git bisect start"\n');
  await repo.refs.set(kind === "bad" ? "refs/bisect/bad" : `refs/bisect/${kind}-${oid}`, oid);
  await note(repo, `${await about(repo, kind, oid)}\ngit bisect ${kind} ${oid}`);
}

/** The log line for a marked commit. */
async function about(repo: Repository, kind: "good" | "bad" | "skip", oid: Oid): Promise<string> {
  return `# ${kind}: [${oid}] ${subjectOf((await repo.objects.commit(oid)).message)}`;
}

interface Marks {
  readonly bad: Oid | null;
  readonly good: readonly Oid[];
  readonly skipped: ReadonlySet<Oid>;
}

async function marks(repo: Repository): Promise<Marks> {
  const refs = (await repo.refs.all()).filter(({ ref }) => ref.startsWith("refs/bisect/"));
  const of = (prefix: string): Oid[] => refs.filter(({ ref }) => ref.startsWith(`refs/bisect/${prefix}`)).map(({ oid }) => oid);
  return { bad: of("bad")[0] ?? null, good: of("good-"), skipped: new Set(of("skip-")) };
}

/** Checks out the next commit to test, or names the first bad commit. */
async function step(run: Run, repo: Repository): Promise<number> {
  const { bad, good, skipped } = await marks(repo);
  if (bad === null || good.length === 0) {
    const missing =
      bad === null
        ? good.length === 0
          ? "waiting for both good and bad commits"
          : `waiting for bad commit, ${good.length} good commit${good.length === 1 ? "" : "s"} known`
        : "waiting for good commit(s), bad commit known";
    run.out(`status: ${missing}\n`);
    await note(repo, `# status: ${missing}`);
    return 0;
  }
  const known = await reachable(repo, good);
  const open = [...(await reachable(repo, [bad]))].filter((oid) => !known.has(oid));
  const candidates = open.filter((oid) => oid !== bad && !skipped.has(oid));
  if (candidates.length === 0) {
    const left = open.filter((oid) => oid !== bad);
    if (left.length > 0) {
      run.out(
        `There are only 'skip'ped commits left to test.\nThe first bad commit could be any of:\n${[...left, bad].map((oid) => `${oid}\n`).join("")}We cannot bisect more!\n`,
      );
      return 2;
    }
    await tellFirst(run, repo, bad);
    return 0;
  }
  const next = await middle(repo, open, candidates);
  const left = open.length - (skipped.size === 0 ? next.weight : await bestWeight(repo, open)) - 1;
  const steps = roughSteps(open.length);
  run.out(`Bisecting: ${left} revision${left === 1 ? "" : "s"} left to test after this (roughly ${steps} step${steps === 1 ? "" : "s"})\n`);
  const code = await checkout({ ...run, out: () => undefined, err: () => undefined }, ["-q", "--detach", next.oid]);
  if (code !== 0) return code;
  run.out(`[${next.oid}] ${subjectOf((await repo.objects.commit(next.oid)).message)}\n`);
  return 0;
}

/** If commits are skipped, git counts from the best commit, also if that one is skipped. */
async function bestWeight(repo: Repository, open: readonly Oid[]): Promise<number> {
  const from = (weight: number): number => Math.min(weight, open.length - weight);
  const weights = await weigh(repo, open.toReversed());
  const sorted = weights.toSorted((a, b) => from(b.weight) - from(a.weight) || (a.oid < b.oid ? -1 : 1));
  return sorted[0]?.weight ?? 0;
}

/** git's own estimate. */
function roughSteps(all: number): number {
  if (all < 3) return 0;
  const n = Math.floor(Math.log2(all));
  const e = 2 ** n;
  return e < 3 * (all - e) ? n : n - 1;
}

/** Picks the commit that has about half of the open commits behind it, including itself. If several fit, picks the one that git reaches first. */
async function middle(repo: Repository, open: readonly Oid[], candidates: readonly Oid[]): Promise<Weighed> {
  const oldestFirst = open.toReversed();
  const weights = await weigh(repo, oldestFirst);
  if (candidates.length === open.length - 1) {
    const half = weights.find(({ oid, weight, parents }) => parents > 0 && candidates.includes(oid) && isHalf(weight, open.length));
    if (half !== undefined) return half;
  }
  const from = (weight: number): number => Math.min(weight, open.length - weight);
  const best = oldestFirst
    .flatMap((oid) => weights.filter((each) => each.oid === oid && candidates.includes(oid)))
    .reduce<Weighed | null>((found, each) => (found === null || from(each.weight) > from(found.weight) ? each : found), null);
  return best ?? fatal("nothing is left to test");
}

interface Weighed {
  readonly oid: Oid;
  /** The number of open commits behind this one, including itself. */
  readonly weight: number;
  /** The number of its parents that are open. */
  readonly parents: number;
}

function isHalf(weight: number, all: number): boolean {
  const off = Math.abs(2 * weight - all);
  return off <= 1 || off < all / 1024;
}

/** Weighs the commits in git's order: commits without open parents, merges, then the rest, each after its parent. */
async function weigh(repo: Repository, open: readonly Oid[]): Promise<readonly Weighed[]> {
  const isOpen = new Set(open);
  const parentsOf = new Map<Oid, readonly Oid[]>();
  for (const oid of open)
    parentsOf.set(
      oid,
      (await repo.objects.commit(oid)).parents.filter((parent) => isOpen.has(parent)),
    );
  const weights = new Map<Oid, Weighed>();
  const add = (oid: Oid, weight: number): void => void weights.set(oid, { oid, weight, parents: parentsOf.get(oid)?.length ?? 0 });
  for (const oid of open) if (parentsOf.get(oid)?.length === 0) add(oid, 1);
  for (const oid of open)
    if ((parentsOf.get(oid)?.length ?? 0) > 1) add(oid, [...(await reachable(repo, [oid]))].filter((one) => isOpen.has(one)).length);
  while (weights.size < open.length)
    for (const oid of open) {
      const before = weights.get(parentsOf.get(oid)?.[0] ?? oid);
      if (!weights.has(oid) && before !== undefined) add(oid, before.weight + 1);
    }
  return [...weights.values()];
}

async function tellFirst(run: Run, repo: Repository, bad: Oid): Promise<void> {
  const commit = await repo.objects.commit(bad);
  const changes = changesBetween(await repo.snapshot(commit.parents[0] ?? null), await repo.snapshot(bad), () => true);
  const message = commit.message
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`.trimEnd())
    .join("\n");
  run.out(
    `${bad} is the first bad commit\ncommit ${bad}\nAuthor: ${commit.author.name} <${commit.author.email}>\nDate:   ${formatDate(commit.author, "default", run.shell.now())}\n\n${message}\n\n${await stat(repo, changes)}${await summary(repo, changes)}`,
  );
  await note(repo, `# first bad commit: [${bad}] ${subjectOf(commit.message)}`);
}

async function clear(repo: Repository): Promise<void> {
  for (const { ref } of await repo.refs.all()) if (ref.startsWith("refs/bisect/")) await repo.refs.remove(ref);
  for (const name of ["BISECT_START", "BISECT_LOG", "BISECT_TERMS"]) await repo.files.remove(`${repo.gitdir}/${name}`, repo.gitdir);
}

async function reset(run: Run, repo: Repository, target: string | undefined): Promise<number> {
  const began = (await readMessageFile(repo, "BISECT_START"))?.trim();
  if (began === undefined) {
    run.out("We are not bisecting.\n");
    return 0;
  }
  if (target !== undefined && (await findCommit(repo, target)) === null) throw new Stop(1, `error: '${target}' is not a valid commit\n`);
  const code = await checkout(run, [target ?? began]);
  if (code === 0) await clear(repo);
  return code;
}

async function runScript(run: Run, repo: Repository, words: readonly string[]): Promise<number> {
  const { execute } = run.shell;
  if (words.length === 0) fatal("bisect run failed: no command provided.");
  if (execute === undefined) return absent("bisect run here: use git bisect good and git bisect bad", 128);
  const { bad, good } = await marks(repo);
  if (bad === null || good.length === 0)
    throw new Stop(1, "error: bisect run failed: you need to mark one good and one bad commit first\n");
  for (;;) {
    run.out(`running ${words.map((word) => ` '${word.replaceAll(/['!]/g, "'\\$&'")}'`).join("")}\n`);
    const done = await execute(words);
    run.out(done.stdout);
    run.err(done.stderr);
    if (done.exitCode < 0 || done.exitCode > 127) {
      run.err(`error: bisect run failed: exit code ${done.exitCode} from '${words.join(" ")}' is < 0 or >= 128\n`);
      return done.exitCode;
    }
    const head = (await findCommit(repo, "HEAD")) ?? fatal("there is no HEAD");
    await mark(repo, done.exitCode === 0 ? "good" : done.exitCode === 125 ? "skip" : "bad", head);
    const code = await step(run, repo);
    if (code !== 0) return code;
    if (/^# first bad commit/m.test((await readMessageFile(repo, "BISECT_LOG")) ?? "")) {
      run.out("bisect found first bad commit");
      return 0;
    }
  }
}
