import { changesBetween, type FileChange, withRenames } from "../changes.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import { nameOnly, nameStatus, numStat, patch, prefixesOf, rawLines, shortStat, stat, summary } from "../print-changes.ts";
import { findRepository, openRepository, type Repository } from "../repository.ts";
import { findObject, mergeBases, mustFindCommit, peel, shortOid, splitRevisions, treeOf, typeOf, unknownRevision } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { fatal, Stop } from "../stop.ts";
import { combinedHunks } from "../combined.ts";
import type { Conflict, Index } from "../store/index-file.ts";
import { type FileRef, modes, type Oid, type Snapshot } from "../store/model.ts";
import { compareBytes, isBinary } from "../text/bytes.ts";
import { type Compared, linesOf, shown } from "../text/unified.ts";
import { diffLines } from "../../../../fs/text/line-diff.ts";
import { worktreeSnapshot } from "../worktree.ts";

/** Options for printing changes; `git log` and `git show` have them, too. */
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
  "relative=?",
  "full-index",
  "ignore-space-at-eol",
  "ignore-cr-at-eol",
  "ignore-blank-lines",
  "patience",
  "histogram",
  "diff-algorithm=",
  "a text",
  "binary",
  "dirstat=?",
  "R",
  "color-words=?",
  "word-diff-regex=",
  "no-prefix",
  "src-prefix=",
  "dst-prefix=",
];

const notThere = ["word-diff", "color-words", "word-diff-regex", "binary", "dirstat", "minimal", "patience", "histogram", "diff-algorithm"];

/** Prints the changes in the formats that the options ask for; "" if nothing changed. */
export async function printChanges(
  repo: Repository,
  options: Options,
  given: readonly FileChange[],
  usual: "patch" | "nothing",
  index: Index | null = null,
): Promise<string> {
  for (const name of [...notThere, "full-index", "ignore-blank-lines", "text"])
    if (options.has(name)) fatal(`Vibey's git has no --${name}`);
  const as: Compared = options.has("ignore-all-space")
    ? "without blanks"
    : options.has("ignore-space-change") || options.has("ignore-space-at-eol") || options.has("ignore-cr-at-eol")
      ? "blanks as one"
      : "as they are";
  const turned = options.has("R") ? given.map((change) => ({ ...change, old: change.new, new: change.old })) : given;
  const renamed = options.has("no-renames") ? turned : await withRenames(repo, turned);
  const changes = relative(repo, options, filtered(renamed, options.value("diff-filter")));
  if (options.has("no-patch") || changes.length === 0) return "";
  const end = options.has("null") ? "\0" : "\n";
  if (options.has("name-only")) return nameOnly(repo, changes, end);
  if (options.has("name-status")) return nameStatus(repo, changes, end);
  let text = "";
  if (options.has("raw")) text += await rawLines(repo, changes, { digits: 7, end, index });
  if (options.has("numstat")) text += await numStat(repo, changes, as);
  if (options.has("stat") || options.has("patch-with-stat")) text += await stat(repo, changes, as);
  if (options.has("compact-summary")) text += await stat(repo, changes, as, true);
  if (options.has("shortstat")) text += await shortStat(repo, changes, as);
  if (options.has("summary")) text += await summary(repo, changes);
  const wantsPatch = options.has("patch") || options.has("u") || options.has("unified") || options.has("patch-with-stat");
  if (!wantsPatch && (text !== "" || usual === "nothing" || options.has("summary"))) return text;
  return `${text}${text === "" ? "" : "\n"}${await patch(repo, changes, countOf(options, "unified") ?? 3, as, await prefixesOf(repo, options))}`;
}

/** Whether the options ask for changes at all. */
export function asksForChanges(options: Options): boolean {
  return [
    "patch",
    "u",
    "unified",
    "stat",
    "shortstat",
    "numstat",
    "summary",
    "name-only",
    "name-status",
    "patch-with-stat",
    "raw",
    "compact-summary",
    "word-diff",
    "color-words",
  ].some((name) => options.has(name));
}

/** `--relative`: only the changes below the working directory, with names relative to it. */
function relative(repo: Repository, options: Options, changes: readonly FileChange[]): readonly FileChange[] {
  if (!options.has("relative")) return changes;
  const given = options.value("relative") ?? "";
  const prefix = given === "" ? repo.prefix : given.replace(/\/*$/, "/");
  const cut = (path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
  return changes
    .filter(({ path }) => path.startsWith(prefix))
    .map((change) => ({ ...change, path: cut(change.path), from: change.from === null ? null : cut(change.from) }));
}

export function filtered(changes: readonly FileChange[], letters: string | null): readonly FileChange[] {
  if (letters === null) return changes;
  const letterOf = (change: FileChange): string =>
    change.unmerged ? "U" : change.from !== null ? "R" : !change.old ? "A" : !change.new ? "D" : "M";
  const wanted = /[A-Z]/.test(letters);
  return changes.filter((change) => (wanted ? letters.includes(letterOf(change)) : !letters.includes(letterOf(change).toLowerCase())));
}

/** `--merge-base`: the first commit is replaced by its merge base with the second one, or with HEAD. */
async function fromMergeBase(repo: Repository, [first, second, more]: readonly string[]): Promise<readonly string[]> {
  if (first === undefined || more !== undefined || `${first}${second ?? ""}`.includes(".."))
    fatal("--merge-base only works with one or two commits");
  const bases = await mergeBases(repo, await mustFindCommit(repo, first), await mustFindCommit(repo, second ?? "HEAD"));
  const [base = fatal("no merge base found"), another] = bases;
  if (another !== undefined) fatal("multiple merge bases found");
  return second === undefined ? [base] : [base, second];
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
  const words = [...options.words, ...(options.paths ?? [])];
  const outside = (await findRepository(run.shell, run.overrides)) === null;
  if (options.has("no-index") || (outside && words.length === 2)) return compareFiles(run, options, words);
  if (outside)
    throw new Stop(
      129,
      "warning: Not a git repository. Use --no-index to compare two paths outside a working tree\nusage: git diff --no-index [<options>] <path> <path>\n",
    );
  const repo = await run.repository();
  const { revisions: given, paths } = await splitRevisions(repo, options.words, options.paths);
  const revisions = options.has("merge-base") ? await fromMergeBase(repo, given) : given;
  const spec = repo.spec(paths);
  const named = await namedBlobs(repo, revisions, paths);
  const changes = named ?? (await readChanges(repo, revisions, options.has("cached") || options.has("staged"), spec));
  if (options.has("check")) return check(run, repo, changes);
  const index = await repo.readIndex();
  const ofWork =
    revisions.length < 2 && !/\.\./.test(revisions[0] ?? "") && !options.has("cached") && !options.has("staged") ? index : null;
  const asksPatch = !asksForChanges(options) || options.has("patch") || options.has("u");
  const combines = revisions.length === 0 && !options.has("cached") && !options.has("staged") && asksPatch && index.conflicts.size > 0;
  if (!options.has("quiet") && combines) {
    for (const change of changes) {
      const sides = index.conflicts.get(change.path);
      if (!sides) run.out(await printChanges(repo, options, [change], "patch"));
      else if (change.unmerged) run.out(await combinedConflict(repo, change.path, sides));
    }
  } else if (!options.has("quiet")) run.out(withoutRename(await printChanges(repo, options, changes, "patch", ofWork), named !== null));
  return (options.has("exit-code") || options.has("quiet")) && changes.length > 0 ? 1 : 0;
};

/** Prints a path in conflict: the working tree's file against both sides. */
async function combinedConflict(repo: Repository, path: string, { ours, theirs }: Conflict): Promise<string> {
  const bytes = await repo.files.read(repo.absolute(path));
  if (ours === null || theirs === null || bytes === null) return `* Unmerged path ${path}\n`;
  return combinedText(repo, path, [ours.oid, theirs.oid], bytes, "0".repeat(7));
}

/** `diff --cc`; "" if the result has no changes of its own. */
export async function combinedText(
  repo: Repository,
  path: string,
  parents: readonly Oid[],
  result: Uint8Array,
  name: string,
): Promise<string> {
  const sides = await Promise.all(parents.map((oid) => repo.objects.blob(oid)));
  const quoted = await repo.quoting();
  const { before, after } = await prefixesOf(repo, null);
  const head = `diff --cc ${quoted(path)}\nindex ${parents.map(shortOid).join(",")}..${name}\n`;
  if ([...sides, result].some(isBinary)) return `${head}Binary files differ\n`;
  const hunks = combinedHunks(sides.map(linesOf), linesOf(result));
  return hunks === "" ? (name === "0".repeat(7) ? head : "") : `${head}--- ${quoted(before + path)}\n+++ ${quoted(after + path)}\n${hunks}`;
}

/** `--no-index`: compares two files, inside or outside a repository. */
async function compareFiles(run: Run, options: Options, words: readonly string[]): Promise<number> {
  const [left, right] = words;
  if (left === undefined || right === undefined || words.length > 2)
    throw new Stop(129, "usage: git diff --no-index [<options>] <path> <path>\n");
  const repo = openRepository(run.shell, run.shell.cwd, run.overrides);
  const side = async (path: string): Promise<FileRef | null> => {
    if (path === "/dev/null") return null;
    const at = repo.files.resolve(run.shell.cwd, path);
    const found = await repo.files.stat(at);
    if (found === null) throw new Stop(1, `error: Could not access '${path}'\n`);
    if (found.isFolder) throw new Stop(128, "fatal: Vibey's git diff --no-index compares two files; use diff -r for folders\n");
    return { mode: found.canRun ? modes.program : modes.file, oid: repo.objects.hold((await repo.files.read(at)) ?? new Uint8Array()) };
  };
  const [old, now] = [await side(left), await side(right)];
  if (old?.oid === now?.oid) return 0;
  const name = (path: string): string => path.replace(/^\/+/, "");
  const from = old !== null && now !== null && name(left) !== name(right) ? name(left) : null;
  const path = now === null ? name(left) : name(right);
  const text = await printChanges(repo, options, [{ path, from, old, new: now, similarity: 0 }], "patch");
  if (!options.has("quiet")) run.out(withoutRename(text, true));
  return 1;
}

/** Two files that the user named are not a rename, even if their names differ. */
function withoutRename(text: string, named: boolean): string {
  return named ? text.replace(/^similarity index 0%\nrename from .*\nrename to .*\n/m, "") : text;
}

/** `git diff HEAD:a HEAD:b` and `git diff HEAD:a b`: the change from one file to the other. Null: the words name something else. */
async function namedBlobs(repo: Repository, revisions: readonly string[], paths: readonly string[]): Promise<FileChange[] | null> {
  const [left, right, ...others] = [...revisions, ...paths];
  if (left === undefined || right === undefined || others.length > 0 || revisions.length === 0) return null;
  const old = await blobNamed(repo, left);
  const now = old === null ? null : revisions.length === 2 ? await blobNamed(repo, right) : await fileNamed(repo, right);
  if (old === null || now === null) return null;
  if (old.file.oid === now.file.oid && old.file.mode === now.file.mode) return [];
  return [{ path: now.path, from: old.path === now.path ? null : old.path, old: old.file, new: now.file, similarity: 0 }];
}

interface NamedFile {
  readonly path: string;
  readonly file: FileRef;
}

async function blobNamed(repo: Repository, text: string): Promise<NamedFile | null> {
  const colon = text.indexOf(":");
  const oid = colon < 0 ? null : await findObject(repo, text);
  if (oid === null || (await typeOf(repo, oid)) !== "blob") return null;
  const path = text.slice(colon + 1);
  const start = colon === 0 ? null : await findObject(repo, text.slice(0, colon));
  const files: Snapshot = start === null ? (await repo.readIndex()).files : await repo.objects.files(await treeOf(repo, start));
  return { path, file: { mode: files.get(path)?.mode ?? modes.file, oid } };
}

async function fileNamed(repo: Repository, typed: string): Promise<NamedFile | null> {
  const at = repo.files.resolve(repo.shell.cwd, typed);
  const found = await repo.files.stat(at);
  const bytes = found === null || found.isFolder ? null : await repo.files.read(at);
  if (found === null || bytes === null || !at.startsWith(`${repo.top}/`)) return null;
  return { path: at.slice(repo.top.length + 1), file: { mode: found.canRun ? modes.program : modes.file, oid: repo.objects.hold(bytes) } };
}

/** `--check`: finds added lines with trailing blanks or conflict markers. */
async function check(run: Run, repo: Repository, changes: readonly FileChange[]): Promise<number> {
  let found = false;
  for (const { path, old, new: now } of changes) {
    if (now === null || now.mode === modes.submodule) continue;
    const bytes = await repo.objects.blob(now.oid);
    if (isBinary(bytes)) continue;
    const before = old === null ? [] : linesOf(await repo.objects.blob(old.oid));
    const after = linesOf(bytes);
    for (const change of diffLines(before, after)) {
      for (let at = change.newStart; at < change.newStart + change.newCount; at++) {
        const line = shown(after[at] ?? "").replace(/\n$/, "");
        const why = /[ \t\r]$/.test(line)
          ? "trailing whitespace"
          : /^ +\t/.test(line)
            ? "space before tab in indent"
            : /^(?:<{7}|>{7}|={7})(?: |$)/.test(line)
              ? "leftover conflict marker"
              : null;
        if (why === null) continue;
        found = true;
        run.out(`${path}:${at + 1}: ${why}.\n+${line}\n`);
      }
    }
  }
  return found ? 2 : 0;
}

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
    // `git diff b ^a` is the same as `git diff a b`.
    const ordered = revisions[1]?.startsWith("^") === true ? revisions.toReversed() : revisions;
    const sides = await Promise.all(ordered.map((text) => snapshotOf(repo, text)));
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

/** For a path in conflict, uses our side: the working tree is compared with it, after the line that names the conflict. */
function withOurs(index: Index): Snapshot {
  const files = new Map<string, FileRef>(index.files);
  for (const [path, { ours }] of index.conflicts) if (ours) files.set(path, ours);
  return files;
}

/** The files of a commit or tree. */
async function snapshotOf(repo: Repository, text: string): Promise<Snapshot> {
  const oid = (await findObject(repo, text.replace(/^\^/, ""))) ?? unknownRevision(text);
  const peeled = await peel(repo, oid);
  if ((await typeOf(repo, peeled)) === "blob") throw new Stop(129, "usage: git diff [<options>] <blob> <blob>\n");
  return repo.objects.files(await treeOf(repo, oid));
}
