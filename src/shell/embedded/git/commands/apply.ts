import { type Options, parseOptions } from "../options.ts";
import { openRepository, type Repository } from "../repository.ts";
import { totalLine } from "../print-changes.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import { type FileRef, modes } from "../store/model.ts";
import { applyHunks, type FilePatch, parsePatch, PatchError, reversed } from "../text/patch-file.ts";
import { decode, encode } from "../text/bytes.ts";
import { linesOf } from "../text/unified.ts";
import { fromBytes, toBytes } from "../../encoding.ts";
import { removeFile, storeFile, writeFile } from "../worktree.ts";
import { findRepository } from "../repository.ts";

/** `git apply`: changes the working tree, the index (`--cached`), or both (`--index`). Applies all files or none, unless `--reject` is given. */
export const apply: GitCommand = async (run, args) => {
  const options = parseOptions("apply", args, [
    "stat",
    "numstat",
    "summary",
    "check",
    "index",
    "cached",
    "3 3way",
    "R reverse",
    "reject",
    "p=",
    "v verbose",
    "q quiet",
    "apply",
    "allow-empty",
    "whitespace=",
    "ignore-whitespace",
    "ignore-space-change",
    "recount",
    "unidiff-zero",
    "unsafe-paths",
    "directory=",
    "include=",
    "exclude=",
    "C=",
    "binary",
    "no-add",
    "z",
    "N intent-to-add",
  ]);
  for (const name of [
    "3way",
    "recount",
    "directory",
    "include",
    "exclude",
    "no-add",
    "summary",
    "ignore-whitespace",
    "ignore-space-change",
  ])
    if (options.has(name)) absent(`apply --${name}`, 128);
  const repo = (await findRepository(run.shell, run.overrides)) ?? openRepository(run.shell, run.shell.cwd, run.overrides);
  const patches = await readPatches(run, repo, options);
  if (options.has("stat") || options.has("numstat")) {
    run.out(options.has("numstat") ? numbers(patches) : statTable(patches));
    if (!options.has("apply")) return 0;
  }
  return applyAll(run, repo, options, patches);
};

async function readPatches(run: Run, repo: Repository, options: Options): Promise<FilePatch[]> {
  const names = [...options.words, ...(options.paths ?? [])];
  const texts: string[] = [];
  for (const name of names.length === 0 ? ["-"] : names) {
    if (name === "-") {
      texts.push(fromBytes(encode(run.shell.stdin()), "latin1"));
      continue;
    }
    const bytes = await repo.files.read(repo.files.resolve(run.shell.cwd, name));
    if (bytes === null) throw new Stop(128, `error: can't open patch '${name}': No such file or directory\n`);
    texts.push(fromBytes(bytes, "latin1"));
  }
  const patches: FilePatch[] = [];
  for (const text of texts) {
    const found = patchesIn(text, Number(options.value("p") ?? 1));
    if (found.length === 0 && !options.has("allow-empty"))
      throw new Stop(128, 'error: No valid patches in input (allow with "--allow-empty")\n');
    patches.push(...found);
  }
  return options.has("reverse") ? patches.map((patch) => reversed(patch)).toReversed() : patches;
}

/** File names are decoded as UTF-8; lines stay bytes, one character each. */
function patchesIn(text: string, strip: number): FilePatch[] {
  const named = (name: string | null): string | null => (name === null ? null : decode(toBytes(name, "latin1")));
  try {
    return parsePatch(text, strip).map((patch) => ({ ...patch, from: named(patch.from), to: named(patch.to) }));
  } catch (error) {
    if (error instanceof PatchError) throw new Stop(128, `error: ${error.message}\n`);
    throw error;
  }
}

const counts = ({ hunks }: FilePatch, sign: string): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
const nameOf = (patch: FilePatch): string => patch.to ?? patch.from ?? "";

function numbers(patches: readonly FilePatch[]): string {
  return patches.map((patch) => `${counts(patch, "+")}\t${counts(patch, "-")}\t${nameOf(patch)}\n`).join("");
}

function statTable(patches: readonly FilePatch[]): string {
  const width = Math.max(...patches.map((patch) => nameOf(patch).length));
  const most = Math.max(...patches.map((patch) => counts(patch, "+") + counts(patch, "-")));
  const room = Math.max(10, 70 - width);
  const scaled = (n: number): number => (most <= room || n === 0 ? n : Math.max(1, Math.floor((n * room) / most)));
  let [added, removed] = [0, 0];
  let text = "";
  for (const patch of patches) {
    const [plus, minus] = [counts(patch, "+"), counts(patch, "-")];
    added += plus;
    removed += minus;
    text += ` ${nameOf(patch).padEnd(width)} | ${String(plus + minus).padStart(4)} ${"+".repeat(scaled(plus))}${"-".repeat(scaled(minus))}\n`;
  }
  return text + totalLine(patches.length, added, removed);
}

interface Result {
  readonly patch: FilePatch;
  /** Null: the file is removed. */
  readonly bytes: Uint8Array | null;
  readonly mode: number;
  readonly rejected: readonly number[];
}

async function applyAll(run: Run, repo: Repository, options: Options, patches: readonly FilePatch[]): Promise<number> {
  const onlyIndex = options.has("cached");
  const withIndex = onlyIndex || options.has("index");
  const says = options.has("verbose") || options.has("reject");
  const index = withIndex ? await run.repository().then((found) => found.readIndex()) : null;
  const results: Result[] = [];
  /** Files that one of the patches removes or renames; an earlier or later patch may create them again. */
  const leaving = new Set(patches.filter((patch) => patch.to === null || patch.isRename).map((patch) => patch.from));
  const known = new Map<string, { readonly bytes: Uint8Array | null; readonly mode: number }>();
  let isWrong = false;
  const wrong = (text: string): void => {
    run.err(`error: ${text}\n`);
    isWrong = true;
  };

  for (const patch of patches) {
    const name = patch.from ?? patch.to ?? fatal("a patch without a name");
    if (says) run.err(`Checking patch ${nameOf(patch)}...\n`);
    if ([patch.from, patch.to].some((path) => path !== null && isUnsafe(repo, path)))
      throw new Stop(128, `error: invalid path '${name}'\n`);
    // Renames and copies use the content from before all patches.
    const changed = patch.isRename || patch.isCopy ? undefined : known.get(name);
    const before = changed ?? (await contentOf(repo, index, name, onlyIndex));
    if (patch.from !== null && before.bytes === null) {
      wrong(withIndex ? `${name}: does not exist in index` : `${name}: No such file or directory`);
      continue;
    }
    if (index !== null && !onlyIndex && patch.from !== null && (await differsFromIndex(repo, index.files.get(name) ?? null, name))) {
      wrong(`${name}: does not match index`);
      continue;
    }
    const target = nameOf(patch);
    const mayExist = known.has(target) ? known.get(target)?.bytes === null : leaving.has(target);
    if ((patch.from === null || patch.isRename || patch.isCopy) && !mayExist) {
      const isStaged = index?.files.has(target) === true;
      if (isStaged || (!onlyIndex && (await contentOf(repo, null, target, false)).bytes !== null)) {
        wrong(`${target}: already exists in ${isStaged ? "index" : "working directory"}`);
        continue;
      }
    }
    if (patch.isBinary && patch.hunks.length === 0) {
      wrong(`cannot apply binary patch to '${name}' without full index line`);
      wrong(`${name}: patch does not apply`);
      continue;
    }
    const { lines, at } = applyHunks(linesOf((patch.from === null ? null : before.bytes) ?? new Uint8Array()), patch.hunks);
    const rejected = at.flatMap((place, i) => (place === null ? [i] : []));
    for (const [i, hunk] of patch.hunks.entries()) {
      const place = at[i] ?? null;
      if (place === null) {
        if (!options.has("reject") || says) {
          wrong(
            `${
              options.has("verbose") || options.has("reject")
                ? `while searching for:\n${hunk.lines
                    .filter((line) => !line.startsWith("+"))
                    .map((line) => line.slice(1))
                    .join("")}\nerror: `
                : ""
            }patch failed: ${name}:${hunk.oldStart}`,
          );
        }
        if (!options.has("reject")) break;
      } else if (says && place !== Math.max(1, hunk.newStart)) {
        const offset = place - hunk.newStart;
        run.err(`Hunk #${i + 1} succeeded at ${place} (offset ${offset} line${Math.abs(offset) === 1 ? "" : "s"}).\n`);
      }
    }
    if (rejected.length > 0 && !options.has("reject")) {
      wrong(`${name}: patch does not apply`);
      continue;
    }
    if (patch.to === null && lines.length > 0) {
      wrong("removal patch leaves file contents");
      wrong(`${name}: patch does not apply`);
      continue;
    }
    const mode = patch.newMode ?? before.mode;
    const bytes = patch.to === null ? null : toBytes(lines.join(""), "latin1");
    results.push({ patch, bytes, mode, rejected });
    known.set(target, { bytes, mode });
    if (patch.isRename && patch.from !== null) known.set(patch.from, { bytes: null, mode });
  }
  if (isWrong && !options.has("reject")) return 1;
  if (options.has("check")) return isWrong ? 1 : 0;
  for (const { patch, mode } of results) {
    if (patch.from === null || (patch.to !== null && !patch.isRename)) continue;
    if (!onlyIndex) await removeFile(repo, patch.from, mode);
    index?.files.delete(patch.from);
  }
  for (const result of results) await put(run, repo, index, result, onlyIndex, says);
  if (index !== null) await repo.writeIndex(index);
  return isWrong ? 1 : 0;
}

/** Whether the path leads out of the repository, into `.git`, or into the folder that is never part of a repository. */
export function isUnsafe(repo: Repository, path: string): boolean {
  return (
    path.startsWith("/") ||
    path.split("/").some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part)) ||
    repo.isVibeys(path)
  );
}

type Index = Awaited<ReturnType<Repository["readIndex"]>>;

async function contentOf(
  repo: Repository,
  index: Index | null,
  path: string,
  onlyIndex: boolean,
): Promise<{ readonly bytes: Uint8Array | null; readonly mode: number }> {
  const entry = index?.files.get(path);
  if (onlyIndex) return { bytes: entry === undefined ? null : await repo.objects.blob(entry.oid), mode: entry?.mode ?? modes.file };
  const stat = await repo.files.stat(repo.absolute(path));
  const bytes = stat === null || stat.isFolder ? null : await repo.files.read(repo.absolute(path));
  return { bytes, mode: entry?.mode ?? (stat?.canRun ? modes.program : modes.file) };
}

async function differsFromIndex(repo: Repository, entry: FileRef | null, path: string): Promise<boolean> {
  const bytes = await repo.files.read(repo.absolute(path));
  return entry === null || bytes === null || repo.objects.hold(bytes) !== entry.oid;
}

async function put(run: Run, repo: Repository, index: Index | null, result: Result, onlyIndex: boolean, says: boolean): Promise<void> {
  const { patch, bytes, mode, rejected } = result;
  const target = nameOf(patch);
  if (bytes !== null) {
    const oid = index === null ? repo.objects.hold(bytes) : await repo.objects.write("blob", bytes);
    if (onlyIndex) index?.files.set(target, { mode, oid, size: -1, mtime: 0 });
    else {
      const entry = await writeFile(repo, target, { mode, oid });
      if (index !== null) index.files.set(target, (await storeFile(repo, target, mode, index.files.get(target)?.oid ?? null)) ?? entry);
    }
  }
  if (rejected.length > 0) {
    const many = `${rejected.length} reject${rejected.length === 1 ? "" : "s"}`;
    run.err(`Applying patch ${target} with ${many}...\n`);
    for (const [i] of patch.hunks.entries())
      run.err(rejected.includes(i) ? `Rejected hunk #${i + 1}.\n` : `Hunk #${i + 1} applied cleanly.\n`);
    const text = rejected.map((i) => `${patch.hunks[i]?.header ?? ""}\n${patch.hunks[i]?.lines.join("") ?? ""}`).join("");
    await repo.files.write(repo.absolute(`${target}.rej`), toBytes(`diff a/${target} b/${target}\t(rejected hunks)\n${text}`, "latin1"));
  } else if (says) run.err(`Applied patch ${target} cleanly.\n`);
}
