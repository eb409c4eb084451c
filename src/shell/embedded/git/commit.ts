import { type FileChange, changesBetween, withRenames } from "./changes.ts";
import { shortStat, summary } from "./print-changes.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import { fatal } from "./stop.ts";
import type { Index } from "./store/index-file.ts";
import type { Oid, Person } from "./store/model.ts";
import { decode, encode } from "./text/bytes.ts";

/** The first paragraph as one line. */
export function subjectOf(message: string): string {
  return (message.replace(/^\n+/, "").split(/\n\s*\n/)[0] ?? "").trimEnd().split("\n").join(" ");
}

/**
 * Whether a trailer such as "Refs: #1" goes to the last paragraph, because that consists of trailers. If one of them is git's own, a quarter of the
 * lines is enough.
 */
export function endsInTrailers(message: string): boolean {
  const paragraphs = message.trimEnd().split(/\n\s*\n/);
  const lines = (paragraphs.at(-1) ?? "").split("\n").filter((line) => !/^\s/.test(line));
  const own = lines.filter((line) => /^(?:Signed-off-by: |\(cherry picked from commit )/.test(line)).length;
  const trailers = lines.filter((line) => /^(?:[A-Za-z\d-]+\s*:|\(cherry picked from commit )/.test(line)).length;
  const others = lines.length - trailers;
  return paragraphs.length > 1 && (own > 0 ? trailers * 3 >= others : others === 0);
}

export function bodyOf(message: string): string {
  const found = /\n[ \t]*\n/.exec(message.replace(/^\n+/, ""));
  return found
    ? message
        .replace(/^\n+/, "")
        .slice(found.index + found[0].length)
        .replace(/^\n+/, "")
    : "";
}

/** Cleans a message like git does for one given on the command line. `comments`: removes lines that start with "#". */
export function cleanMessage(text: string, comments = false): string {
  const lines = text.split("\n").filter((line) => !(comments && line.startsWith("#")));
  const kept = lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "")
    .trimEnd();
  return kept === "" ? "" : `${kept}\n`;
}

export async function readMessageFile(repo: Repository, name: string): Promise<string | null> {
  const bytes = await repo.files.read(`${repo.gitdir}/${name}`);
  return bytes === null ? null : decode(bytes);
}

export async function writeMessageFile(repo: Repository, name: string, text: string): Promise<void> {
  await repo.files.write(`${repo.gitdir}/${name}`, encode(text));
}

/** Moves HEAD's branch, or HEAD itself if it is detached, and logs the move. */
export async function moveHead(repo: Repository, to: Oid, why: string): Promise<void> {
  const head = await repo.refs.head();
  if (head.branch === null) await repo.refs.detach(to);
  else await repo.refs.set(`refs/heads/${head.branch}`, to);
  const who = await repo.committer();
  await repo.refs.log(head.oid, to, who, why);
  // HEAD's log records every move; a branch's log only changes.
  if (head.branch !== null && head.oid !== to) await repo.refs.log(head.oid, to, who, why, `refs/heads/${head.branch}`);
}

export async function endMerge(repo: Repository): Promise<void> {
  for (const name of ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "SQUASH_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD"])
    await repo.files.remove(`${repo.gitdir}/${name}`, repo.gitdir);
}

export async function indexTree(repo: Repository, index: Index): Promise<Oid> {
  if (index.conflicts.size > 0) fatal("the index has paths in conflict");
  return repo.objects.writeTree(index.files);
}

/** The changes of a commit against its first parent, with renames. */
export async function changesOfCommit(repo: Repository, parent: Oid | null, commit: Oid): Promise<FileChange[]> {
  return withRenames(
    repo,
    changesBetween(await repo.snapshot(parent), await repo.snapshot(commit), () => true),
  );
}

export interface NewCommit {
  readonly oid: Oid;
  readonly subject: string;
  readonly parents: readonly Oid[];
  readonly author: Person;
  readonly committer: Person;
  /** Whether the commit replaces another one: git calls only a new one a root commit. */
  readonly amends?: boolean;
  /** The date to print; null prints none. */
  readonly showDate: string | null;
}

/** The message "[main 1a2b3c4] Subject", and what changed. */
export async function announce(repo: Repository, commit: NewCommit): Promise<string> {
  const { branch } = await repo.refs.head();
  const root = commit.parents.length === 0 && commit.amends !== true ? " (root-commit)" : "";
  let text = `[${branch ?? "detached HEAD"}${root} ${shortOid(commit.oid)}] ${commit.subject}\n`;
  const { author, committer } = commit;
  if (author.name !== committer.name || author.email !== committer.email) text += ` Author: ${author.name} <${author.email}>\n`;
  if (commit.showDate !== null) text += ` Date: ${commit.showDate}\n`;
  if (commit.parents.length > 1) return text;
  const changes = await changesOfCommit(repo, commit.parents[0] ?? null, commit.oid);
  return text + (await shortStat(repo, changes)) + (await summary(repo, changes));
}
