import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { modeText } from "../store/model.ts";
import { compareBytes, quoted } from "../text/bytes.ts";
import { findUntracked, isIgnoredPath, worktreeSnapshot } from "../worktree.ts";
import { relativeTo } from "./status.ts";

export const lsFiles: GitCommand = async (run, args) => {
  const options = parseOptions("ls-files", args, [
    "c cached",
    "d deleted",
    "m modified",
    "o others",
    "i ignored",
    "s stage",
    "u unmerged",
    "exclude-standard",
    "z",
    "full-name",
    "error-unmatch",
    "directory",
    "t",
    "v",
    "x exclude=",
    "k killed",
  ]);
  for (const name of ["t", "v", "exclude", "killed", "ignored"]) if (options.has(name)) absent(`ls-files --${name}`);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const given = [...options.words, ...(options.paths ?? [])];
  const spec = repo.spec(given.length === 0 && repo.prefix !== "" ? ["."] : given);
  const end = options.has("z") ? "\0" : "\n";
  const relative = options.has("full-name") ? (path: string) => path : relativeTo(repo.prefix);
  const print = (path: string): void => run.out((end === "\0" ? relative(path) : quoted(relative(path))) + end);
  const all = [...index.files.keys(), ...index.conflicts.keys()].filter((path) => spec.matches(path)).toSorted(compareBytes);

  if (options.has("others")) {
    const found = await findUntracked(repo, index, spec, {
      fold: options.has("directory"),
      ignoredFiles: !options.has("exclude-standard"),
    });
    const others = options.has("exclude-standard") ? found.untracked : [...found.untracked, ...found.ignored].toSorted(compareBytes);
    for (const path of others) print(path);
  }
  if (options.has("stage") || options.has("unmerged")) {
    for (const path of all) {
      const entry = index.files.get(path);
      if (entry && !options.has("unmerged")) run.out(`${modeText(entry.mode)} ${entry.oid} 0\t${quoted(relative(path))}${end}`);
      const sides = index.conflicts.get(path);
      for (const [i, side] of [sides?.base, sides?.ours, sides?.theirs].entries())
        if (side) run.out(`${modeText(side.mode)} ${side.oid} ${i + 1}\t${quoted(relative(path))}${end}`);
    }
  } else if (options.has("deleted") || options.has("modified")) {
    const work = await worktreeSnapshot(repo, index, spec);
    for (const path of all) {
      const now = work.get(path);
      const entry = index.files.get(path);
      const changed = now === undefined || now.oid !== entry?.oid || now.mode !== entry.mode;
      if (options.has("deleted") && now === undefined) print(path);
      if (options.has("modified") && changed) print(path);
    }
  } else if (options.has("cached") || !options.has("others")) for (const path of all) print(path);
  if (options.has("error-unmatch")) {
    const wrong = spec.unmatched(all);
    if (wrong[0] !== undefined) {
      run.err(`error: pathspec '${wrong[0]}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`);
      return 1;
    }
  }
  return 0;
};

/** `git check-ignore path…`: those that are ignored. */
export const checkIgnore: GitCommand = async (run, args) => {
  const options = parseOptions("check-ignore", args, ["q quiet", "v verbose", "stdin", "z", "n non-matching", "no-index"]);
  for (const name of ["verbose", "stdin", "non-matching", "z"]) if (options.has(name)) absent(`check-ignore --${name}`);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const words = [...options.words, ...(options.paths ?? [])];
  if (words.length === 0) fatal("no path specified");
  let found = false;
  for (const word of words) {
    const full = repo.files.resolve(run.shell.cwd, word);
    const path = full.slice(repo.top.length + 1);
    const isFolder = word.endsWith("/") || (await repo.files.stat(full))?.isFolder === true;
    if (index.files.has(path) || !(await isIgnoredPath(repo, path, isFolder))) continue;
    found = true;
    if (!options.has("quiet")) run.out(`${word}\n`);
  }
  return found ? 0 : 1;
};
