import { changesBetween, type FileChange } from "../changes.ts";
import { subjectOf } from "../commit.ts";
import { type Options, parseOptions } from "../options.ts";
import { patch, rawLines } from "../print-changes.ts";
import type { Repository } from "../repository.ts";
import { findObject, mustFindCommit, shortOid, treeOf, unknownRevision } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import type { Index } from "../store/index-file.ts";
import { type Commit, modes, type Snapshot } from "../store/model.ts";
import { encode } from "../text/bytes.ts";
import { storeFile, worktreeSnapshot } from "../worktree.ts";
import { isUnsafe } from "./apply.ts";
import { asksForChanges, changeOptions, printChanges } from "./diff.ts";
import { changesOf } from "./log.ts";

/** `git hash-object`, for blobs. */
export const hashObject: GitCommand = async (run, args) => {
  const options = parseOptions("hash-object", args, ["w", "stdin", "t=", "path=", "no-filters"]);
  if ((options.value("t") ?? "blob") !== "blob") absent("hash-object -t with another type than blob");
  const repo = await run.repository();
  const store = async (bytes: Uint8Array): Promise<void> =>
    run.out(`${options.has("w") ? await repo.objects.write("blob", bytes) : repo.objects.hold(bytes)}\n`);
  if (options.has("stdin")) await store(encode(run.shell.stdin()));
  for (const word of options.words) {
    const bytes = await repo.files.read(repo.files.resolve(run.shell.cwd, word));
    await store(bytes ?? fatal(`could not open '${word}' for reading: No such file or directory`));
  }
  return 0;
};

/** `git diff-tree`: compares one commit with its parent, or two trees. */
export const diffTree: GitCommand = async (run, args) => {
  const options = parseOptions("diff-tree", args, [
    ...changeOptions,
    "r",
    "root",
    "no-commit-id",
    "m",
    "c",
    "cc",
    "v",
    "t",
    "pretty=?",
    "format=",
  ]);
  for (const name of ["m", "c", "cc", "v", "t", "pretty", "format"]) if (options.has(name)) absent(`diff-tree -${name}; use git show`);
  const repo = await run.repository();
  const [first = fatal("usage: git diff-tree [<options>] <tree-ish> [<tree-ish>]"), second] = options.words;
  const matches = repo.spec(options.paths ?? options.words.slice(second === undefined ? 1 : 2)).matches;
  const shown = async (changes: Awaited<ReturnType<typeof changesOf>>): Promise<string> => {
    if (changes === null) return "";
    return printRaw(repo, options, changes);
  };
  if (second === undefined) {
    const commit = await repo.objects.commit(await mustFindCommit(repo, first));
    if (commit.parents.length === 0 && !options.has("root")) return 0;
    const text = await shown(await changesOf(repo, commit, matches, false));
    if (text !== "" && !options.has("no-commit-id")) run.out(`${commit.oid}\n`);
    run.out(text);
    return 0;
  }
  const files = async (text: string): Promise<Snapshot> =>
    repo.objects.files(await treeOf(repo, (await findObject(repo, text)) ?? unknownRevision(text)));
  run.out(await shown(changesBetween(await files(first), await files(second), matches)));
  return 0;
};

/** Prints the raw format with full hashes, unless another format is requested. */
async function printRaw(repo: Repository, options: Options, changes: readonly FileChange[], index: Index | null = null): Promise<string> {
  const isRaw = options.has("raw") || !(asksForChanges(options) || options.has("no-patch"));
  return isRaw
    ? rawLines(repo, changes, { end: options.has("null") ? "\0" : "\n", index })
    : printChanges(repo, options, changes, "nothing", index);
}

/** `git diff-index`, for example `git diff-index --quiet HEAD`. */
export const diffIndex: GitCommand = async (run, args) => {
  const options = parseOptions("diff-index", args, [...changeOptions, "cached", "q quiet", "exit-code", "m"]);
  const repo = await run.repository();
  const [revision = fatal("usage: git diff-index [--cached] <tree-ish> [<path>...]"), ...words] = options.words;
  const spec = repo.spec([...words, ...(options.paths ?? [])]);
  const before = await repo.objects.files(await treeOf(repo, (await findObject(repo, revision)) ?? unknownRevision(revision)));
  const index = await repo.readIndex();
  const after = options.has("cached") ? index.files : await worktreeSnapshot(repo, index, spec);
  const changes = changesBetween(before, after, spec.matches);
  if (!options.has("quiet")) run.out(await printRaw(repo, options, changes, options.has("cached") ? null : index));
  return (options.has("quiet") || options.has("exit-code")) && changes.length > 0 ? 1 : 0;
};

/** `git diff-files`: compares the index with the working tree. */
export const diffFiles: GitCommand = async (run, args) => {
  const options = parseOptions("diff-files", args, [...changeOptions, "q quiet", "exit-code"]);
  const repo = await run.repository();
  const spec = repo.spec([...options.words, ...(options.paths ?? [])]);
  const index = await repo.readIndex();
  const changes = changesBetween(index.files, await worktreeSnapshot(repo, index, spec), spec.matches);
  if (!options.has("quiet")) run.out(await printRaw(repo, options, changes, index));
  return (options.has("quiet") || options.has("exit-code")) && changes.length > 0 ? 1 : 0;
};

/** `git update-index`. */
export const updateIndex: GitCommand = async (run, args) => {
  const options = parseOptions("update-index", args, [
    "refresh",
    "q",
    "really-refresh",
    "assume-unchanged",
    "no-assume-unchanged",
    "skip-worktree",
    "no-skip-worktree",
    "add",
    "remove",
    "force-remove",
    "chmod=",
    "cacheinfo=",
    "stdin",
    "z",
    "index-info",
  ]);
  for (const name of ["index-info"]) if (options.has(name)) absent(`update-index --${name}; use --cacheinfo, or git add`);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const read = options.has("stdin")
    ? run.shell
        .stdin()
        .split(options.has("z") ? "\0" : "\n")
        .filter((line) => line !== "")
    : [];
  const info = options.value("cacheinfo");
  const given = [...options.words, ...(options.paths ?? []), ...read];
  if (info !== null) {
    const [mode = "", oid = "", path = ""] = info.includes(",") ? info.split(",") : [info, given.shift() ?? "", given.shift() ?? ""];
    if (!/^(?:100644|100755|120000)$/.test(mode) || !/^[0-9a-f]{40}$/.test(oid) || path === "")
      fatal("option 'cacheinfo' expects <mode>,<sha1>,<path>");
    if (isUnsafe(repo, path))
      throw new Stop(128, `error: Invalid path '${path}'\nfatal: git update-index: --cacheinfo cannot add ${path}\n`);
    if (!index.files.has(path) && !options.has("add")) fatal(`git update-index: --cacheinfo cannot add ${path}`);
    index.files.set(path, { mode: Number.parseInt(mode, 8), oid, size: -1, mtime: 0 });
  }
  const chmod = options.value("chmod");
  if (chmod !== null && chmod !== "+x" && chmod !== "-x") fatal(`option 'chmod' expects "+x" or "-x"`);
  for (const word of given) {
    const whole = repo.files.resolve(run.shell.cwd, word);
    if (!whole.startsWith(repo.absolute(""))) fatal(`${word}: '${word}' is outside repository at '${repo.top}'`);
    const path = whole.slice(repo.absolute("").length);
    if (isUnsafe(repo, path)) throw new Stop(128, `error: Invalid path '${path}'\nfatal: Unable to process path ${word}\n`);
    const entry = index.files.get(path);
    const marks = ["assume-unchanged", "no-assume-unchanged", "skip-worktree", "no-skip-worktree"].some((name) => options.has(name));
    if (marks) {
      if (!entry) fatal(`Unable to mark file ${word}`);
      const { kept: _, ...plain } = entry;
      const kept = options.has("assume-unchanged") ? "assumed" : options.has("skip-worktree") ? "skipped" : null;
      index.files.set(path, kept === null ? plain : { ...plain, kept });
      continue;
    }
    if (options.has("force-remove")) {
      index.files.delete(path);
      continue;
    }
    if (!entry && !options.has("add"))
      throw new Stop(128, `error: ${word}: cannot add to the index - missing --add option?\nfatal: Unable to process path ${word}\n`);
    const stored = await storeFile(repo, path, entry?.mode ?? null, entry?.oid ?? null);
    if (stored === null) {
      if (!options.has("remove"))
        throw new Stop(128, `error: ${word}: does not exist and --remove not passed\nfatal: Unable to process path ${word}\n`);
      index.files.delete(path);
    } else index.files.set(path, chmod === null ? stored : { ...stored, mode: chmod === "+x" ? modes.program : modes.file });
  }
  await repo.writeIndex(index);
  if (!options.has("refresh") && !options.has("really-refresh")) return 0;
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]));
  const changed = changesBetween(index.files, work, () => true);
  if (!options.has("q")) for (const { path } of changed) run.out(`${path}: needs update\n`);
  return changed.length > 0 && !options.has("q") ? 1 : 0;
};

/** `git cherry`: which commits the other branch lacks, even under another hash. */
export const cherry: GitCommand = async (run, args) => {
  const options = parseOptions("cherry", args, ["v verbose", "abbrev=?"]);
  const repo = await run.repository();
  const [upstream = fatal("Vibey's git needs the branch to compare with: git cherry <upstream> [<head>]"), head = "HEAD"] = options.words;
  const [theirs, ours] = [await mustFindCommit(repo, upstream), await mustFindCommit(repo, head)];
  const known = new Set<string>();
  for (const commit of await only(repo, theirs, ours)) known.add(await changeText(repo, commit));
  for (const commit of await only(repo, ours, theirs)) {
    const name = options.has("abbrev") ? shortOid(commit.oid) : commit.oid;
    run.out(
      `${known.has(await changeText(repo, commit)) ? "-" : "+"} ${name}${options.has("verbose") ? ` ${subjectOf(commit.message)}` : ""}\n`,
    );
  }
  return 0;
};

/** The commits behind one revision and not behind the other, oldest first, without merges. */
async function only(repo: Repository, one: string, other: string): Promise<Commit[]> {
  const hidden = await reachable(repo, [other]);
  const commits = await Promise.all(
    [...(await reachable(repo, [one]))].filter((oid) => !hidden.has(oid)).map((oid) => repo.objects.commit(oid)),
  );
  // The newest commits are reached first.
  return commits
    .filter(({ parents }) => parents.length < 2)
    .toReversed()
    .toSorted((a, b) => a.committer.time - b.committer.time);
}

async function changeText(repo: Repository, commit: Commit): Promise<string> {
  const changes = changesBetween(await repo.snapshot(commit.parents[0] ?? null), await repo.snapshot(commit.oid), () => true);
  return (await patch(repo, changes, 3))
    .split("\n")
    .filter((line) => !line.startsWith("index "))
    .map((line) => (line.startsWith("@@ ") ? "@@" : line.replaceAll(/\s/g, "")))
    .join("\n");
}

/** `git var`: prints the identity that commits get. */
export const variable: GitCommand = async (run, args) => {
  const repo = await run.repository();
  const who = args[0] === "GIT_COMMITTER_IDENT" ? await repo.committer() : args[0] === "GIT_AUTHOR_IDENT" ? await repo.author() : null;
  if (who === null) return absent(`var ${args[0] ?? ""}: it knows GIT_AUTHOR_IDENT and GIT_COMMITTER_IDENT`);
  run.out(`${who.name} <${who.email}> ${who.time} ${who.zone}\n`);
  return 0;
};

/** Commands that keep a repository small and intact on a disk do nothing here; fsck reads every object. */
export const housekeeping: GitCommand = async (run) => {
  await run.repository();
  return 0;
};

/** `git count-objects`. */
export const countObjects: GitCommand = async (run, args) => {
  const options = parseOptions("count-objects", args, ["v verbose", "H human-readable"]);
  if (options.has("verbose")) absent("count-objects -v");
  const repo = await run.repository();
  let [count, size] = [0, 0];
  for (const folder of await repo.files.list(`${repo.common}/objects`)) {
    if (!/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for (const file of await repo.files.list(`${repo.common}/objects/${folder.name}`)) {
      count++;
      size += (await repo.files.stat(`${repo.common}/objects/${folder.name}/${file.name}`))?.size ?? 0;
    }
  }
  run.out(`${count} objects, ${Math.ceil(size / 1024)} kilobytes\n`);
  return 0;
};
