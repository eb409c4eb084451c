import { changesBetween, withRenames } from "../changes.ts";
import { type Options, parseOptions } from "../options.ts";
import { subjectOf } from "../commit.ts";
import { rangeOf } from "../line-range.ts";
import type { Repository } from "../repository.ts";
import { findCommit } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { type Commit, noOid, type Oid, type Person } from "../store/model.ts";
import { formatDate, readDateStyle } from "../text/dates.ts";
import { linesOf, shown } from "../text/unified.ts";
import { diffLines } from "../../../../fs/text/line-diff.ts";

/** The commit that last changed a line. */
interface Origin {
  readonly commit: Commit;
  readonly path: string;
  /** The line number in that commit, from 1. */
  readonly line: number;
  /** The history ends at this commit. */
  readonly isBoundary: boolean;
}

/** `git blame`: prints each line with the commit that it comes from. */
export const blame: GitCommand = async (run, args) => {
  const options = parseOptions("blame", args, [
    "L=",
    "s",
    "e show-email",
    "l",
    "n show-number",
    "f show-name",
    "w",
    "M=?",
    "C=?",
    "p porcelain",
    "line-porcelain",
    "date=",
    "root",
    "t",
    "abbrev=",
    "c",
    "b",
    "reverse",
    "ignore-rev=",
    "first-parent",
    "color-lines",
    "incremental",
  ]);
  for (const name of ["reverse", "ignore-rev", "incremental", "c", "color-lines"]) if (options.has(name)) absent(`blame --${name}`, 128);
  const repo = await run.repository();
  const words = [...options.words, ...(options.paths ?? [])];
  const typed = words.pop() ?? fatal("usage: git blame [<options>] [<rev>] [--] <file>");
  const revision = words[0];
  const path = repo.files.resolve(run.shell.cwd, typed).slice(repo.top.length + 1);
  const start = (await findCommit(repo, revision ?? "HEAD")) ?? fatal(`bad revision '${revision ?? "HEAD"}'`);
  const file =
    (await repo.snapshot(start)).get(path) ??
    fatal(`no such path ${revision === undefined ? `'${typed}'` : typed} in ${revision ?? "HEAD"}`);

  let lines: string[] = linesOf(await repo.objects.blob(file.oid));
  let origins = lines.map((_, i): number | null => i);
  let own: Commit | null = null;
  if (revision === undefined) {
    const work = (await repo.files.read(repo.absolute(path))) ?? fatal(`Cannot lstat '${path}': No such file or directory`);
    if (repo.objects.hold(work) !== file.oid) {
      const before = lines;
      lines = linesOf(work);
      origins = mapBack(before, lines);
      own = { ...(await notCommitted(repo, path)), parents: [start] };
    }
  }
  const found = await trace(repo, start, path, origins, options.has("first-parent"));
  const rows = lines.map(
    (_, i): Origin => found.get(i) ?? { commit: own ?? fatal("a line without a commit"), path, line: i + 1, isBoundary: false },
  );
  const [first, last] = rangeOf(options.value("L"), options.words.at(-1) ?? "", lines);
  const shownRows = rows.slice(first, last);
  if (options.has("porcelain") || options.has("line-porcelain"))
    run.out(porcelain(options, shownRows, lines.slice(first, last), first, await previousOf(repo, shownRows)));
  else print((text) => run.out(text), options, shownRows, lines.slice(first, last), first, path, run.shell.now());
  return 0;
};

async function notCommitted(repo: Repository, path: string): Promise<Commit> {
  const who: Person = { name: "Not Committed Yet", email: "not.committed.yet", time: Math.floor(repo.shell.now() / 1000), zone: "+0000" };
  return { oid: noOid, tree: "", parents: [], author: who, committer: who, message: `Version of ${path} from ${path}\n` };
}

/** For each line of `after`, its index in `before`; null if the line is new. */
function mapBack(before: readonly string[], after: readonly string[]): (number | null)[] {
  const places: (number | null)[] = [];
  let old = 0;
  for (const change of diffLines(before, after)) {
    while (places.length < change.newStart) places.push(old++);
    for (let i = 0; i < change.newCount; i++) places.push(null);
    old = change.oldStart + change.oldCount;
  }
  while (places.length < after.length) places.push(old++);
  return places;
}

/** Follows lines back through the history. `places`: for each line of the answer, its index in the file at `start`. */
async function trace(
  repo: Repository,
  start: Oid,
  path: string,
  places: readonly (number | null)[],
  firstParent: boolean,
): Promise<Map<number, Origin>> {
  const found = new Map<number, Origin>();
  /** What is still open, by commit and path: line indexes there, and the lines of the answer that come from them. */
  const open = new Map<string, { readonly oid: Oid; readonly path: string; readonly lines: Map<number, number[]> }>();
  const push = (oid: Oid, at: string, place: number, answers: readonly number[]): void => {
    const key = `${oid} ${at}`;
    const entry = open.get(key) ?? { oid, path: at, lines: new Map<number, number[]>() };
    entry.lines.set(place, [...(entry.lines.get(place) ?? []), ...answers]);
    open.set(key, entry);
  };
  for (const [answer, place] of places.entries()) if (place !== null) push(start, path, place, [answer]);
  while (open.size > 0) {
    const commits = await Promise.all(
      [...open].map(async ([key, entry]) => ({ key, entry, commit: await repo.objects.commit(entry.oid) })),
    );
    const next = commits.reduce((newest, one) => (one.commit.committer.time > newest.commit.committer.time ? one : newest));
    open.delete(next.key);
    const { commit, entry } = next;
    const files = await repo.snapshot(commit.oid);
    const lines = linesOf(await repo.objects.blob(files.get(entry.path)?.oid ?? fatal(`no such path '${entry.path}'`)));
    let left = entry.lines;
    for (const parent of firstParent ? commit.parents.slice(0, 1) : commit.parents) {
      if (left.size === 0) break;
      const before = await repo.snapshot(parent);
      const from = before.has(entry.path) ? entry.path : await oldName(repo, parent, commit.oid, entry.path);
      if (from === null) continue;
      const back =
        before.get(from)?.oid === files.get(entry.path)?.oid
          ? null
          : mapBack(linesOf(await repo.objects.blob(before.get(from)?.oid ?? "")), lines);
      const rest = new Map<number, number[]>();
      for (const [place, answers] of left) {
        const old = back === null ? place : (back[place] ?? null);
        if (old === null) rest.set(place, answers);
        else push(parent, from, old, answers);
      }
      left = rest;
    }
    for (const [place, answers] of left)
      for (const answer of answers)
        found.set(answer, { commit, path: entry.path, line: place + 1, isBoundary: commit.parents.length === 0 });
  }
  return found;
}

export async function oldName(repo: Repository, parent: Oid, commit: Oid, path: string): Promise<string | null> {
  const changes = await withRenames(
    repo,
    changesBetween(await repo.snapshot(parent), await repo.snapshot(commit), () => true),
  );
  return changes.find((change) => change.path === path)?.from ?? null;
}

function print(
  out: (text: string) => void,
  options: Options,
  rows: readonly Origin[],
  lines: readonly string[],
  offset: number,
  path: string,
  now: number,
): void {
  const style = readDateStyle(options.value("date") ?? "iso");
  const names = options.has("show-name") || rows.some((row) => row.path !== path);
  const width = (pick: (row: Origin) => string): number => Math.max(0, ...rows.map((row) => Array.from(pick(row)).length));
  const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - Array.from(text).length));
  const digits = String(offset + rows.length).length;
  const who = (row: Origin): string => (options.has("show-email") ? `<${row.commit.author.email}>` : row.commit.author.name);
  const nameWidth = width((row) => row.path);
  const whoWidth = width(who);
  const date = (row: Origin): string =>
    options.has("t") ? `${row.commit.author.time} ${row.commit.author.zone}` : formatDate(row.commit.author, style, now);
  const dateWidth = width(date);
  const numberWidth = width((row) => String(row.line));
  const length = options.has("l") ? 40 : Number(options.value("abbrev") ?? 7) + 1;
  for (const [i, row] of rows.entries()) {
    const isMarked = row.isBoundary && !options.has("root");
    let text = isMarked ? `^${row.commit.oid.slice(0, length - 1)}` : row.commit.oid.slice(0, length);
    if (names) text += ` ${pad(row.path, nameWidth)}`;
    if (options.has("show-number")) text += ` ${String(row.line).padStart(numberWidth)}`;
    if (!options.has("s")) text += ` (${pad(who(row), whoWidth)} ${pad(date(row), dateWidth)}`;
    const line = shown(lines[i] ?? "");
    out(`${text} ${String(offset + i + 1).padStart(digits)}) ${line.endsWith("\n") ? line : `${line}\n`}`);
  }
}

/** For each row, the commit before the row's commit and the file's name there. No entry: the row's commit created the file. */
async function previousOf(repo: Repository, rows: readonly Origin[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { commit, path, isBoundary } of rows) {
    const key = `${commit.oid} ${path}`;
    const [parent] = commit.parents;
    if (isBoundary || parent === undefined || found.has(key)) continue;
    const before = (await repo.snapshot(parent)).has(path) ? path : await oldName(repo, parent, commit.oid, path);
    if (before !== null) found.set(key, `previous ${parent} ${before}\n`);
  }
  return found;
}

function porcelain(
  options: Options,
  rows: readonly Origin[],
  lines: readonly string[],
  offset: number,
  previousLines: ReadonlyMap<string, string>,
): string {
  const known = new Set<Oid>();
  let text = "";
  for (const [i, row] of rows.entries()) {
    const previous = rows[i - 1];
    const begins = !(previous && previous.commit.oid === row.commit.oid && previous.path === row.path && previous.line === row.line - 1);
    let count = 1;
    while (
      rows[i + count]?.commit.oid === row.commit.oid &&
      rows[i + count]?.path === row.path &&
      rows[i + count]?.line === row.line + count
    )
      count++;
    text += `${row.commit.oid} ${row.line} ${offset + i + 1}${begins ? ` ${count}` : ""}\n`;
    if (!known.has(row.commit.oid) || options.has("line-porcelain")) {
      known.add(row.commit.oid);
      const { author, committer, message } = row.commit;
      for (const [kind, person] of [
        ["author", author],
        ["committer", committer],
      ] as const)
        text += `${kind} ${person.name}\n${kind}-mail <${person.email}>\n${kind}-time ${person.time}\n${kind}-tz ${person.zone}\n`;
      text += `summary ${subjectOf(message)}\n`;
      if (row.isBoundary) text += "boundary\n";
      else text += previousLines.get(`${row.commit.oid} ${row.path}`) ?? "";
      text += `filename ${row.path}\n`;
    }
    const line = shown(lines[i] ?? "");
    text += `\t${line.endsWith("\n") ? line : `${line}\n`}`;
  }
  return text;
}
