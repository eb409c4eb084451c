import { changesBetween, type FileChange, withRenames } from "../changes.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import { nameOnly, nameStatus, numStat, patch, shortStat, stat, summary } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { findObject, mergeBases, mustFindCommit, peel, splitRevisions, treeOf, typeOf, unknownRevision } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";
import type { Index } from "../store/index-file.ts";
import { type FileRef, modes, type Snapshot } from "../store/model.ts";
import { compareBytes } from "../text/bytes.ts";
import { worktreeSnapshot } from "../worktree.ts";

/** How changes are printed; `git log` and `git show` have these, too. */
export const changeOptions = [
  "p patch",
  "u",
  "s no-patch",
  "U unified=",
  "stat=?",
  "shortstat",
  "numstat",
  "summary",
  "name-only",
  "name-status",
  "M find-renames=?",
  "no-renames",
  "raw",
  "no-color",
  "color=?",
  "no-ext-diff",
  "diff-filter=",
  "z null",
  "minimal",
  "w ignore-all-space",
  "b ignore-space-change",
  "word-diff=?",
  "patch-with-stat",
  "compact-summary",
];

const notThere = ["raw", "minimal", "ignore-all-space", "ignore-space-change", "word-diff", "compact-summary"];

/** Changes in the forms that the options ask for; "" when nothing changed. */
export async function printChanges(
  repo: Repository,
  options: Options,
  given: readonly FileChange[],
  usual: "patch" | "nothing",
): Promise<string> {
  for (const name of notThere) if (options.has(name)) fatal(`Vibey's git has no --${name}`);
  const renamed = options.has("no-renames") ? given : await withRenames(repo, given);
  const changes = filtered(renamed, options.value("diff-filter"));
  if (options.has("no-patch") || changes.length === 0) return "";
  const end = options.has("null") ? "\0" : "\n";
  if (options.has("name-only")) return nameOnly(changes, end);
  if (options.has("name-status")) return nameStatus(changes, end);
  let text = "";
  if (options.has("numstat")) text += await numStat(repo, changes);
  if (options.has("stat") || options.has("patch-with-stat")) text += await stat(repo, changes);
  if (options.has("shortstat")) text += await shortStat(repo, changes);
  if (options.has("summary")) text += summary(changes);
  const wantsPatch = options.has("patch") || options.has("u") || options.has("unified") || options.has("patch-with-stat");
  if (!wantsPatch && (text !== "" || usual === "nothing" || options.has("summary"))) return text;
  return `${text}${text === "" ? "" : "\n"}${await patch(repo, changes, countOf(options, "unified") ?? 3)}`;
}

/** Whether the options ask for changes at all. */
export function asksForChanges(options: Options): boolean {
  return ["patch", "u", "unified", "stat", "shortstat", "numstat", "summary", "name-only", "name-status", "patch-with-stat"].some((name) =>
    options.has(name),
  );
}

function filtered(changes: readonly FileChange[], letters: string | null): readonly FileChange[] {
  if (letters === null) return changes;
  const letterOf = (change: FileChange): string =>
    change.unmerged ? "U" : change.from !== null ? "R" : !change.old ? "A" : !change.new ? "D" : "M";
  const wanted = /[A-Z]/.test(letters);
  return changes.filter((change) => (wanted ? letters.includes(letterOf(change)) : !letters.includes(letterOf(change).toLowerCase())));
}

export const diff: GitCommand = async (run, args) => {
  const options = parseOptions("diff", args, [
    ...changeOptions,
    "cached",
    "staged",
    "exit-code",
    "q quiet",
    "merge-base",
    "check",
    "no-index",
  ]);
  for (const name of ["check", "no-index", "merge-base"]) if (options.has(name)) fatal(`Vibey's git diff has no --${name}`);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  const spec = repo.spec(paths);
  const changes = await readChanges(repo, revisions, options.has("cached") || options.has("staged"), spec);
  if (!options.has("quiet")) run.out(await printChanges(repo, options, changes, "patch"));
  return (options.has("exit-code") || options.has("quiet")) && changes.length > 0 ? 1 : 0;
};

async function readChanges(
  repo: Repository,
  revisions: readonly string[],
  cached: boolean,
  spec: ReturnType<Repository["spec"]>,
): Promise<FileChange[]> {
  const range = /^(.*?)(\.{2,3})(.*)$/.exec(revisions[0] ?? "");
  if (range && revisions.length === 1) {
    const from = await mustFindCommit(repo, range[1] || "HEAD");
    const to = await mustFindCommit(repo, range[3] || "HEAD");
    const start = range[2] === "..." ? ((await mergeBases(repo, from, to))[0] ?? fatal(`${revisions[0] ?? ""}: no merge base`)) : from;
    return changesBetween(await repo.snapshot(start), await repo.snapshot(to), spec.matches);
  }
  if (revisions.length > 2) fatal("Vibey's git diff compares at most two revisions");
  if (revisions.length === 2) {
    const sides = await Promise.all(revisions.map((text) => snapshotOf(repo, text)));
    return changesBetween(sides[0] ?? new Map(), sides[1] ?? new Map(), spec.matches);
  }
  const index = await repo.readIndex();
  const unmerged = [...index.conflicts.keys()]
    .filter((path) => spec.matches(path))
    .map((path): FileChange => ({ path, from: null, old: null, new: null, similarity: 0, unmerged: true }));
  const sorted = (changes: readonly FileChange[]): FileChange[] =>
    [...unmerged, ...changes].toSorted((a, b) => compareBytes(a.path, b.path));
  const matches = (path: string): boolean => spec.matches(path) && !index.conflicts.has(path);
  if (cached) {
    const head = await repo.refs.resolve("HEAD");
    const before = revisions[0] === undefined ? await repo.snapshot(head) : await snapshotOf(repo, revisions[0]);
    return sorted(changesBetween(before, index.files, matches));
  }
  const work = await worktreeSnapshot(repo, index, spec);
  return revisions[0] === undefined
    ? sorted(changesBetween(withOurs(index), work, spec.matches))
    : changesBetween(await snapshotOf(repo, revisions[0]), work, spec.matches);
}

/** For a path in conflict, our side: what the working tree has is shown against it, after the line that names the conflict. */
function withOurs(index: Index): Snapshot {
  const files = new Map<string, FileRef>(index.files);
  for (const [path, { ours }] of index.conflicts) if (ours) files.set(path, ours);
  return files;
}

/** The files of a commit or tree; a blob stands for itself. */
async function snapshotOf(repo: Repository, text: string): Promise<Snapshot> {
  const oid = (await findObject(repo, text)) ?? unknownRevision(text);
  const peeled = await peel(repo, oid);
  if ((await typeOf(repo, peeled)) === "blob") return new Map([[text.slice(text.indexOf(":") + 1), { mode: modes.file, oid: peeled }]]);
  return repo.objects.files(await treeOf(repo, oid));
}
