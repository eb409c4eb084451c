import { fromBytes, toBytes } from "../../encoding.ts";
import { changesBetween } from "../changes.ts";
import { parseOptions } from "../options.ts";
import { choosePatches, questions } from "../patch-mode.ts";
import type { GitCommand, Run } from "../run.ts";
import type { Repository } from "../repository.ts";
import { absent, fatal } from "../stop.ts";
import type { Index, IndexEntry } from "../store/index-file.ts";
import { modes } from "../store/model.ts";
import type { Pathspec } from "../store/pathspec.ts";
import { compareBytes, decode, encode } from "../text/bytes.ts";
import { unquoted } from "../text/patch-file.ts";
import { findUntracked, isIgnoredPath, isOutside, storeFile, worktreeSnapshot } from "../worktree.ts";

export const add: GitCommand = async (run, args) => {
  const options = parseOptions("add", args, [
    "A all",
    "u update",
    "n dry-run",
    "v verbose",
    "f force",
    "N intent-to-add",
    "ignore-errors",
    "no-all",
    "no-warn-embedded-repo",
    "chmod=",
    "p patch",
    "i interactive",
    "e edit",
    "renormalize",
    "pathspec-from-file=",
    "pathspec-file-nul",
  ]);
  if (options.has("interactive")) absent("add --interactive; use git add -p, with answers on standard input", 128);
  if (options.has("edit")) absent("add --edit; use git add -p, with answers on standard input", 128);
  for (const name of ["ignore-errors", "no-all"]) if (options.has(name)) absent(`add --${name}`);
  const typed = [...options.words, ...(options.paths ?? [])];
  const repo = await run.repository();
  const list = options.value("pathspec-from-file");
  if (list !== null && typed.length > 0) fatal("'--pathspec-from-file' and pathspec arguments cannot be used together");
  const given = list === null ? typed : await pathsIn(run, repo, list, options.has("pathspec-file-nul"));
  if (options.has("patch")) return addPatch(run, repo, given);
  if (given.length === 0 && !options.has("all") && !options.has("update")) {
    run.err("Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?\n");
    return 0;
  }
  const index = await repo.readIndex();
  const spec = repo.spec(given);
  const dry = options.has("dry-run");
  const updates = options.has("update") || options.has("renormalize");
  const tell = dry || options.has("verbose") ? (text: string) => run.out(text) : () => undefined;
  const refused = updates ? [] : await ignoredSpecs(repo, index, given, options.has("force"));
  if (refused.length > 0 && given.length === refused.length) return tellIgnored(run, repo, refused);

  const untracked = updates ? [] : await newFiles(run, repo, index, spec, options.has("force") ? given : []);
  const wrong = spec.unmatched([...index.files.keys(), ...index.conflicts.keys(), ...(index.intents?.keys() ?? []), ...untracked]);
  for (const text of wrong) {
    // A folder that is empty or entirely ignored is not an error.
    const isThere = (await repo.files.stat(repo.files.resolve(run.shell.cwd, text))) !== null;
    if (!isThere) fatal(`pathspec '${text}' did not match any files`);
  }
  if (options.has("intent-to-add")) {
    for (const path of untracked) {
      tell(`add '${path}'\n`);
      const stat = await repo.files.stat(repo.absolute(path));
      if (!dry) index.intents?.set(path, stat?.canRun === true ? modes.program : modes.file);
    }
    if (!dry) await repo.writeIndex(index);
    return refused.length > 0 ? tellIgnored(run, repo, refused) : 0;
  }
  await stageTracked(repo, index, spec, tell, dry, options.has("renormalize"));
  const stored = await storeAll(repo, untracked, dry);
  for (const [path, entry] of stored) {
    tell(`add '${path}'\n`);
    if (entry) putFile(index, path, entry);
  }
  const chmod = options.value("chmod");
  if (chmod !== null && chmod !== "+x" && chmod !== "-x") fatal(`--chmod param '${chmod}' must be either -x or +x`);
  if (chmod !== null)
    for (const [path, entry] of index.files)
      if (spec.matches(path)) index.files.set(path, { ...entry, mode: chmod === "+x" ? modes.program : modes.file });
  if (!dry) await repo.writeIndex(index);
  return refused.length > 0 ? tellIgnored(run, repo, refused) : 0;
};

/** `git add -p`: reads the answers from standard input. */
export async function addPatch(run: Run, repo: Repository, given: readonly string[]): Promise<number> {
  const index = await repo.readIndex();
  const spec = repo.spec(given.length === 0 ? [":/"] : given);
  const work = await worktreeSnapshot(repo, index, spec);
  const changes = changesBetween(index.files, work, (path) => spec.matches(path) && !index.conflicts.has(path));
  for (const { path, bytes, mode } of await choosePatches(run, repo, changes, questions.stage)) {
    index.intents?.delete(path);
    if (bytes === null) index.files.delete(path);
    else index.files.set(path, { mode, oid: await repo.objects.write("blob", bytes), size: -1, mtime: 0 });
  }
  await repo.writeIndex(index);
  return 0;
}

/** The number of files that are stored at the same time. */
const batch = 64;

async function storeAll(repo: Repository, paths: readonly string[], dry: boolean): Promise<[string, IndexEntry | null][]> {
  const stored: [string, IndexEntry | null][] = [];
  for (let at = 0; at < paths.length; at += batch) {
    const part = paths.slice(at, at + batch);
    stored.push(
      ...(await Promise.all(
        part.map(async (path): Promise<[string, IndexEntry | null]> => [path, dry ? null : await storeFile(repo, path, null)]),
      )),
    );
  }
  return stored;
}

/** The paths in a file, or on standard input (`-`), one a line, which can be in quotes, or each ended by NUL. */
async function pathsIn(run: Run, repo: Repository, file: string, byNul: boolean): Promise<string[]> {
  const bytes = file === "-" ? null : await repo.files.read(repo.files.resolve(run.shell.cwd, file));
  if (file !== "-" && bytes === null) fatal(`could not open '${file}' for reading: No such file or directory`);
  const text = bytes === null ? run.shell.stdin() : decode(bytes);
  if (byNul) return text.split("\0").filter((path) => path !== "");
  return text
    .split(/\r?\n/)
    .filter((line) => line !== "")
    .map((line) => (line.startsWith('"') ? decode(toBytes(unquoted(fromBytes(encode(line), "latin1")), "latin1")) : line));
}

/** In the index, a path that is now a file can't also be a folder, and vice versa. */
function putFile(index: Index, path: string, entry: IndexEntry): void {
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) index.files.delete(path.slice(0, at));
  index.files.set(path, entry);
  index.conflicts.delete(path);
  index.intents?.delete(path);
}

/** Updates the matching tracked files in the index, as `git commit -a` does. */
export async function stageTracked(
  repo: Repository,
  index: Index,
  spec: Pathspec,
  tell: (text: string) => void,
  dry = false,
  renormalizes = false,
): Promise<void> {
  const work = await worktreeSnapshot(repo, index, spec, { renormalizes, refreshed: (path, entry) => index.files.set(path, entry) });
  const known = [...index.files.keys(), ...index.conflicts.keys(), ...(index.intents?.keys() ?? [])];
  const paths = known.filter((path) => spec.matches(path)).toSorted(compareBytes);
  const changed: string[] = [];
  for (const path of paths) {
    const entry = index.files.get(path);
    if (entry && isOutside(repo, path, entry.mode)) continue;
    const now = work.get(path);
    if (!now) {
      tell(`remove '${path}'\n`);
      if (!dry) {
        index.files.delete(path);
        index.conflicts.delete(path);
        index.intents?.delete(path);
      }
    } else if (entry?.oid !== now.oid || entry.mode !== now.mode) changed.push(path);
  }
  for (const path of changed) {
    tell(`add '${path}'\n`);
    const entry = dry
      ? null
      : await storeFile(repo, path, work.get(path)?.mode ?? null, renormalizes ? null : (index.files.get(path)?.oid ?? null));
    if (entry) putFile(index, path, entry);
  }
}

async function newFiles(run: Run, repo: Repository, index: Index, spec: Pathspec, forced: readonly string[]): Promise<string[]> {
  const found = await findUntracked(repo, index, spec, { fold: false, ignoredFiles: forced.length > 0 });
  const paths: string[] = [];
  for (const path of forced.length > 0 ? [...found.untracked, ...found.ignored].toSorted(compareBytes) : found.untracked) {
    if (!path.endsWith("/")) paths.push(path);
    else run.err(`warning: ${path} is a repository of its own and was not added: Vibey's git has no submodules\n`);
  }
  return paths;
}

/** The given paths that are themselves ignored. */
async function ignoredSpecs(repo: Repository, index: Index, given: readonly string[], force: boolean): Promise<string[]> {
  const refused: string[] = [];
  for (const text of given) {
    const full = repo.files.resolve(repo.shell.cwd, text);
    if (!full.startsWith(`${repo.top}/`)) continue;
    const path = full.slice(repo.top.length + 1);
    if (path === ".git" || path.startsWith(".git/")) continue;
    if (index.files.has(path) || [...index.files.keys()].some((file) => file.startsWith(`${path}/`))) continue;
    const stat = await repo.files.stat(full);
    if (stat === null) continue;
    if (repo.isVibeys(path) || (!force && (await isIgnoredPath(repo, path, stat.isFolder)))) refused.push(path);
  }
  return refused;
}

function tellIgnored(run: Run, repo: Repository, refused: readonly string[]): number {
  const vibeys = refused.filter((path) => repo.isVibeys(path));
  const others = refused.filter((path) => !repo.isVibeys(path));
  if (others.length > 0) {
    run.err(`The following paths are ignored by one of your .gitignore files:\n${others.map((path) => `${path}\n`).join("")}`);
    run.err("hint: Use -f if you really want to add them.\n");
  }
  if (vibeys.length > 0)
    run.err(`error: ${vibeys.join(", ")} can't be added: vibey/ holds docs and dialogs and is never part of a repository\n`);
  return 1;
}
