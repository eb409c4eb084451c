import { mergeLines } from "../../../../fs/text/merge-lines.ts";
import { toBytes } from "../../encoding.ts";
import { changesBetween } from "../changes.ts";
import { endMerge, subjectOf } from "../commit.ts";
import { mergeTrees } from "../merge-trees.ts";
import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findCommit, shortOid } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { readStashes, type Stash, writeStashes } from "../stashes.ts";
import { readStatus } from "../status.ts";
import { absent, failed, fatal, Stop } from "../stop.ts";
import { type Index, makeRoom } from "../store/index-file.ts";
import { type FileRef, modes, type Oid, type Snapshot } from "../store/model.ts";
import { compareBytes, isBinary } from "../text/bytes.ts";
import { linesOf } from "../text/unified.ts";
import type { Pathspec } from "../store/pathspec.ts";
import type { Head } from "../store/refs.ts";
import { blockers, isReplaced, refuseBlocked, resetTree, takeMerged } from "../switch-tree.ts";
import { findUntracked, isOutside, removeFile, replaceFile, storeFile, worktreeSnapshot, writeFile } from "../worktree.ts";
import { checkout } from "./checkout.ts";
import { changeOptions, asksForChanges, printChanges } from "./diff.ts";
import { log } from "./log.ts";
import { longText } from "./status.ts";

const verbs = ["push", "save", "list", "show", "pop", "apply", "drop", "clear", "branch", "create", "store"];

export const stash: GitCommand = async (run, args) => {
  const [first] = args;
  if (first !== undefined && !first.startsWith("-") && !verbs.includes(first))
    fatal(`subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${first}'`);
  const verb = first === undefined || first.startsWith("-") ? "push" : first;
  const rest = first === verb ? args.slice(1) : args;
  const repo = await run.repository();
  switch (verb) {
    case "push":
    case "save":
      return push(run, repo, rest, verb === "save");
    case "list":
      if (rest.length > 0) return listWith(run, repo, rest);
      for (const [i, { why }] of (await readStashes(repo)).entries()) run.out(`stash@{${i}}: ${why}\n`);
      return 0;
    case "show":
      return show(run, repo, rest);
    case "pop":
    case "apply":
      return apply(run, repo, rest, verb === "pop");
    case "drop": {
      const options = parseOptions("stash drop", rest, ["q quiet"]);
      const { at } = await find(repo, options.words);
      return drop(run, repo, at, options);
    }
    case "clear":
      await writeStashes(repo, []);
      return 0;
    case "branch": {
      const [name = fatal("No branch name specified"), ...which] = rest;
      const { stash: one } = await find(repo, which);
      const [base = ""] = (await repo.objects.commit(one.oid)).parents;
      const code = await checkout(run, ["-b", name, base]);
      if (code !== 0) return code;
      return apply(run, repo, ["--index", ...which], true);
    }
    case "create":
      return create(run, repo, rest);
    case "store":
      return store(repo, rest);
    default:
      return absent(`stash ${verb}`);
  }
};

/** `git stash list --format=…`. */
async function listWith(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("stash list", args, [
    "format=",
    "pretty=",
    "oneline",
    "n max-count=",
    "number=",
    "date=",
    "p patch",
    "stat",
  ]);
  for (const name of ["patch", "stat", "date"]) if (options.has(name)) absent(`stash list --${name}; use git stash show`);
  const template = (options.value("format") ?? options.value("pretty") ?? (options.has("oneline") ? "%h %gd: %gs" : "%gd: %gs")).replace(
    /^t?format:/,
    "",
  );
  const most = Number(options.value("number") ?? options.value("max-count") ?? Number.POSITIVE_INFINITY);
  for (const [i, { oid, why }] of (await readStashes(repo)).entries()) {
    if (i >= most) break;
    const filled = template
      .replaceAll("%gd", `stash@{${i}}`)
      .replaceAll("%gD", `refs/stash@{${i}}`)
      .replaceAll("%gs", () => why.replaceAll("%", "%%"));
    await log(run, ["-1", `--format=${filled}`, oid, "--"]);
  }
  return 0;
}

async function push(run: Run, repo: Repository, args: readonly string[], saves: boolean): Promise<number> {
  const options = parseOptions("stash push", args, [
    "m message=",
    "u include-untracked",
    "no-include-untracked",
    "a all",
    "k keep-index",
    "no-keep-index",
    "q quiet",
    "p patch",
    "S staged",
    "pathspec-from-file=",
  ]);
  for (const name of ["patch", "pathspec-from-file"]) if (options.has(name)) absent(`stash --${name}`);
  const onlyStaged = options.has("staged");
  const others = options.has("all") ? "all" : options.has("include-untracked") && !options.has("no-include-untracked") ? "untracked" : null;
  if (onlyStaged && others !== null) throw new Stop(1, "Can't use --staged and --include-untracked or --all at the same time\n");
  const words = [...options.words, ...(options.paths ?? [])];
  const head = await repo.refs.head();
  if (head.oid === null) throw new Stop(1, "You do not have the initial commit yet\n");
  const index = await repo.readIndex();
  if (index.conflicts.size > 0) {
    run.out([...index.conflicts.keys()].map((path) => `${path}: needs merge\n`).join(""));
    return 1;
  }
  const only = repo.spec(saves || words.length === 0 ? [":/"] : words);
  const untracked = others === null ? [] : (await untrackedFiles(repo, index, others === "all")).filter((path) => only.matches(path));
  // With -u a path may name a file that git does not track yet.
  for (const text of others !== null ? [] : only.unmatched(index.files.keys()))
    throw new Stop(1, `error: pathspec ':(,prefix:0)${text}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`);
  const message = saves && words.length > 0 ? words.join(" ") : (options.value("message") ?? "");
  const made = await makeStash(repo, head, index, { only, untracked, onlyStaged, message });
  if (made === null && onlyStaged) throw new Stop(1, "No staged changes\n");
  if (made === null) {
    if (!options.has("quiet")) run.out("No local changes to save\n");
    return 0;
  }
  await storeStash(repo, made);
  const tell = (): void => {
    if (!options.has("quiet")) run.out(`Saved working directory and index state ${made.why}\n`);
  };
  const before = await repo.snapshot(head.oid);
  if (onlyStaged) {
    tell();
    return takeOut(run, repo, index, before, only.matches);
  }
  const base: Snapshot = options.has("keep-index") && !options.has("no-keep-index") ? new Map(index.files) : before;
  // These come first: a folder may stand where a file of HEAD must go.
  for (const path of untracked) await repo.files.remove(repo.absolute(path), repo.top);
  await resetTree(repo, index, base, only.matches);
  await repo.writeIndex(index);
  if (words.length === 0 || saves) {
    // Like git's `reset --hard`, which ends a merge.
    await repo.refs.log(head.oid, head.oid, await repo.committer(), "reset: moving to HEAD");
    await endMerge(repo);
  }
  tell();
  return 0;
}

interface StashRequest {
  readonly only: Pathspec;
  readonly untracked: readonly string[];
  /** `--staged`: leaves out what is not staged. */
  readonly onlyStaged: boolean;
  /** "": git's usual one. */
  readonly message: string;
}

/** Writes the commits of a stash, and changes nothing else. Null: there is nothing to stash. */
async function makeStash(
  repo: Repository,
  head: Head,
  index: Index,
  { only, untracked, onlyStaged, message: given }: StashRequest,
): Promise<Stash | null> {
  const base = head.oid ?? fatal("You do not have the initial commit yet");
  const before = await repo.snapshot(base);
  const staged: Snapshot = restricted(before, index.files, only.matches);
  const work = onlyStaged ? staged : restricted(before, await workFiles(repo, index, before, only), only.matches);
  const anything = changesBetween(before, staged, () => true).length + changesBetween(staged, work, () => true).length + untracked.length;
  if (anything === 0) return null;
  const [intent] = [...(index.intents?.keys() ?? [])].toSorted(compareBytes);
  if (!onlyStaged && intent !== undefined)
    throw new Stop(1, `error: Entry '${intent}' not uptodate. Cannot merge.\nCannot save the current worktree state\n`);
  const on = `${head.branch ?? "(no branch)"}: `;
  const about = `${on}${shortOid(base)} ${subjectOf((await repo.objects.commit(base)).message)}`;
  const message = given === "" ? `WIP on ${about}` : `On ${on}${given}`;
  const [author, committer] = [await repo.author(), await repo.committer()];
  const indexCommit = await repo.writeCommit({
    tree: await repo.objects.writeTree(staged),
    parents: [base],
    author,
    committer,
    message: `index on ${about}\n`,
  });
  const parents = [base, indexCommit];
  if (untracked.length > 0) {
    const files = new Map<string, { mode: number; oid: Oid }>();
    for (const path of untracked) files.set(path, (await storeFile(repo, path, null)) ?? fatal(`could not read ${path}`));
    parents.push(
      await repo.writeCommit({
        tree: await repo.objects.writeTree(files),
        parents: [],
        author,
        committer,
        message: `untracked files on ${about}\n`,
      }),
    );
  }
  for (const { oid, mode } of work.values())
    if (mode !== modes.submodule && repo.objects.isHeld(oid)) await repo.objects.write("blob", await repo.objects.blob(oid));
  const oid = await repo.writeCommit({ tree: await repo.objects.writeTree(work), parents, author, committer, message });
  return { oid, why: subjectOf(message), who: committer };
}

/** The working tree's content of the files in `only` that HEAD or the index has. */
async function workFiles(repo: Repository, index: Index, before: Snapshot, only: Pathspec): Promise<Snapshot> {
  const inside = new Map(await worktreeSnapshot(repo, index, only));
  // A file that was removed only from the index is still a change of HEAD's file.
  for (const [path, { mode }] of before) {
    const kept = index.files.has(path) || !only.matches(path) || isOutside(repo, path, mode) ? null : await storeFile(repo, path, mode);
    if (kept !== null) inside.set(path, { mode: kept.mode, oid: kept.oid });
  }
  // A new file that was deleted after it was staged is kept as it was staged.
  for (const [path, { mode, oid }] of index.files)
    if (!before.has(path) && !inside.has(path) && only.matches(path)) inside.set(path, { mode, oid });
  return inside;
}

async function storeStash(repo: Repository, made: Stash): Promise<void> {
  const all = await readStashes(repo);
  if (all[0]?.oid !== made.oid) await writeStashes(repo, [made, ...all]);
}

/** `--staged`: undoes the staged changes in the working tree and the index. The other changes stay. */
async function takeOut(run: Run, repo: Repository, index: Index, before: Snapshot, matches: (path: string) => boolean): Promise<number> {
  const work = await worktreeSnapshot(repo, index, repo.spec([":/"]), { looksAtKept: true });
  const changes = changesBetween(before, index.files, matches);
  const undone = new Map<string, FileRef | null>();
  const mixed: string[] = [];
  for (const { path, old, new: staged } of changes) {
    const there = work.get(path) ?? null;
    // A file that was removed only from the index can still be there.
    const isOnlyStaged = staged === null ? !(await isReplaced(repo, path)) : there?.oid === staged.oid;
    const file = isOnlyStaged ? old : await withoutStaged(repo, old, staged, there);
    if (isOnlyStaged || file !== null) undone.set(path, file);
    else mixed.push(path);
  }
  if (mixed.length > 0) {
    run.err(
      `${mixed.map((path) => `error: ${path}: it has other changes that can't be kept apart\n`).join("")}Cannot remove worktree changes\n`,
    );
    return 1;
  }
  for (const [path, file] of undone) {
    if (file !== null) await replaceFile(repo, path, file);
    else await removeFile(repo, path, modes.file);
  }
  for (const { path, old } of changes) {
    if (old === null) index.files.delete(path);
    else index.files.set(path, { ...old, size: -1, mtime: 0 });
  }
  for (const path of index.intents?.keys() ?? []) if (matches(path)) index.intents?.delete(path);
  await repo.writeIndex(index);
  return 0;
}

/** The file in the working tree without its staged change; null if that can't be undone. */
async function withoutStaged(
  repo: Repository,
  old: FileRef | null,
  staged: FileRef | null,
  there: FileRef | null,
): Promise<FileRef | null> {
  if (old === null || staged === null || there === null || [old, staged, there].some(({ mode }) => mode === modes.submodule)) return null;
  const sides = await Promise.all([staged, there, old].map(({ oid }) => repo.objects.blob(oid)));
  if (sides.some(isBinary)) return null;
  const [base = [], ours = [], theirs = []] = sides.map(linesOf);
  const { lines, conflicts } = mergeLines(base, ours, theirs, { ours: "", theirs: "" });
  return conflicts > 0 ? null : { mode: old.mode, oid: repo.objects.hold(toBytes(lines.join(""), "latin1")) };
}

/** `git stash create`: prints the commit of a stash that is in no list. */
async function create(run: Run, repo: Repository, words: readonly string[]): Promise<number> {
  const head = await repo.refs.head();
  if (head.oid === null) throw new Stop(1, "You do not have the initial commit yet\n");
  const index = await repo.readIndex();
  if (index.conflicts.size > 0) throw new Stop(1, [...index.conflicts.keys()].map((path) => `${path}: needs merge\n`).join(""));
  const made = await makeStash(repo, head, index, { only: repo.spec([":/"]), untracked: [], onlyStaged: false, message: words.join(" ") });
  if (made !== null) run.out(`${made.oid}\n`);
  return 0;
}

/** `git stash store`: adds a commit that `git stash create` made to the list. */
async function store(repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("stash store", args, ["m message=", "q quiet"]);
  const [text, more] = options.words;
  if (text === undefined || more !== undefined) throw new Stop(1, '"git stash store" requires one <commit> argument\n');
  const oid = await findCommit(repo, text);
  if (oid === null) throw new Stop(1, options.has("quiet") ? "" : `Cannot update refs/stash with ${text}\n`);
  const why = options.value("message") ?? 'Created via "git stash store".';
  await storeStash(repo, { oid, why, who: await repo.committer() });
  return 0;
}

/** `inside` for the paths that match, `outside` for the others. */
function restricted(outside: Snapshot, inside: Snapshot, matches: (path: string) => boolean): Snapshot {
  return new Map([...[...outside].filter(([path]) => !matches(path)), ...[...inside].filter(([path]) => matches(path))]);
}

async function untrackedFiles(repo: Repository, index: Index, withIgnored: boolean): Promise<string[]> {
  const found = await findUntracked(repo, index, repo.spec([":/"]), { fold: false, ignoredFiles: withIgnored });
  return [...found.untracked, ...(withIgnored ? found.ignored : [])].filter((path) => !path.endsWith("/"));
}

interface Found {
  readonly at: number;
  readonly stash: Stash;
}

async function find(repo: Repository, words: readonly string[]): Promise<Found> {
  if (words.length > 1) throw new Stop(1, `Too many revisions specified:${words.map((word) => ` '${word}'`).join("")}\n`);
  const all = await readStashes(repo);
  const [text = "0"] = words;
  const number = /^(?:(?:refs\/)?stash@\{(\d+)\}|(\d+)|(?:refs\/)?stash)$/.exec(text);
  if (!number) return absent(`stash '${text}': name one as stash@{0}`, 1);
  if (all.length === 0 && words.length === 0) throw new Stop(1, "No stash entries found.\n");
  if (all.length === 0) failed(`${number[2] === undefined ? text : `refs/stash@{${text}}`} is not a valid reference`);
  const at = Number(number[1] ?? number[2] ?? 0);
  const one = all[at];
  return one ? { at, stash: one } : fatal(`log for 'stash' only has ${all.length} entries`);
}

/** `git stash store` takes any commit, but only those of a stash can be applied. */
function refuseOther(parents: readonly Oid[], at: number): void {
  if (parents.length < 2) fatal(`'refs/stash@{${at}}' is not a stash-like commit`);
}

async function drop(run: Run, repo: Repository, at: number, options: Options): Promise<number> {
  const all = [...(await readStashes(repo))];
  const [gone] = all.splice(at, 1);
  if (gone) refuseOther((await repo.objects.commit(gone.oid)).parents, at);
  await writeStashes(repo, all);
  if (!options.has("quiet"))
    run.out(`Dropped ${options.words[0]?.startsWith("stash@") === true ? options.words[0] : `refs/stash@{${at}}`} (${gone?.oid ?? ""})\n`);
  return 0;
}

async function show(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("stash show", args, ["u include-untracked", "only-untracked", ...changeOptions]);
  const { at, stash: one } = await find(repo, options.words);
  const { parents } = await repo.objects.commit(one.oid);
  refuseOther(parents, at);
  const [base = null, , untracked = null] = parents;
  const onlyUntracked = options.has("only-untracked");
  const none: Snapshot = new Map();
  const before = onlyUntracked ? none : await repo.snapshot(base);
  const after = onlyUntracked ? none : await repo.snapshot(one.oid);
  const others = onlyUntracked || options.has("include-untracked") ? await repo.snapshot(untracked) : none;
  const changes = changesBetween(before, new Map([...after, ...others]), () => true);
  const shown = asksForChanges(options) ? options : parseOptions("stash show", ["--stat"], [...changeOptions]);
  run.out(await printChanges(repo, shown, changes, "nothing"));
  return 0;
}

async function apply(run: Run, repo: Repository, args: readonly string[], pops: boolean): Promise<number> {
  const options = parseOptions(`stash ${pops ? "pop" : "apply"}`, args, ["index", "q quiet"]);
  const { at, stash: one } = await find(repo, options.words);
  const { parents } = await repo.objects.commit(one.oid);
  refuseOther(parents, at);
  const [base = null, indexCommit = null, untracked = null] = parents;
  const index = await repo.readIndex();
  const keeps = (): number => {
    if (pops) run.out("The stash entry is kept in case you need it again.\n");
    return 1;
  };
  if (index.conflicts.size > 0) {
    run.out([...index.conflicts.keys()].map((path) => `${path}: needs merge\n`).join(""));
    return keeps();
  }
  const before: Snapshot = new Map(index.files);
  const from = await repo.snapshot(base);
  const merged = await mergeTrees(repo, from, before, await repo.snapshot(one.oid), {
    ours: "Updated upstream",
    theirs: "Stashed changes",
  });
  let staged: Snapshot | null = null;
  if (options.has("index")) {
    const again = await mergeTrees(repo, from, before, await repo.snapshot(indexCommit), {
      ours: "Updated upstream",
      theirs: "Stashed changes",
    });
    if (again.conflicts.size > 0) throw new Stop(1, "error: conflicts in index. Try without --index.\n");
    staged = again.files;
    for (const { oid } of staged.values()) if (repo.objects.isHeld(oid)) await repo.objects.write("blob", await repo.objects.blob(oid));
  }
  const blocked = await blockers(repo, index, before, merged.files);
  const tell = async (): Promise<void> =>
    run.out(await longText(repo, await readStatus(repo, repo.spec([":/"]), { untracked: "normal" }), false, true));
  if (blocked.changed.length + blocked.untracked.length + blocked.folders.length > 0) {
    try {
      refuseBlocked(blocked, "merge");
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      run.err(error.message);
    }
    await tell();
    return keeps();
  }
  if (changesBetween(from, await repo.snapshot(one.oid), () => true).length === 0) run.out("Already up to date.\n");
  const conflicted = merged.conflicts.size > 0;
  const unstaged = new Map(index.files);
  await takeMerged(repo, index, before, merged);
  if (!options.has("quiet") || conflicted) for (const line of merged.messages) run.out(`${line}\n`);
  // Changed files are not staged by this. New files stay staged, because otherwise they would not be tracked.
  if (!conflicted) {
    for (const path of [...index.files.keys(), ...unstaged.keys()]) {
      const was = unstaged.get(path);
      const now = index.files.get(path);
      const restored = staged === null ? was : staged.get(path);
      if (restored && (now?.oid !== restored.oid || now.mode !== restored.mode)) index.files.set(path, { ...restored, size: -1, mtime: 0 });
      else if (!restored && staged !== null) index.files.delete(path);
    }
    // A new file can stand where a folder was, or in a folder where a file was, which is then staged as deleted.
    makeRoom(index, new Set([...index.files.keys()].filter((path) => !unstaged.has(path))));
    await repo.writeIndex(index);
  }
  const taken = await restoreUntracked(repo, await repo.snapshot(untracked));
  if (taken.length > 0)
    run.err(
      `${taken.map((path) => `${path} already exists, no checkout\n`).join("")}error: could not restore untracked files from stash\n`,
    );
  if (!options.has("quiet")) await tell();
  if (conflicted || taken.length > 0) return keeps();
  return pops ? drop(run, repo, at, options) : 0;
}

/** Writes the files where nothing is, and returns the paths of the others. */
async function restoreUntracked(repo: Repository, files: Snapshot): Promise<string[]> {
  const taken: string[] = [];
  for (const [path, file] of files) {
    if (isOutside(repo, path, file.mode)) continue;
    if (await isReplaced(repo, path)) taken.push(path);
    else await writeFile(repo, path, file);
  }
  return taken;
}
