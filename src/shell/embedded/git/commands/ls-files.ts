import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { modeText } from "../store/model.ts";
import { compareBytes } from "../text/bytes.ts";
import { eolWords, lineEnds, readAttributes } from "../attributes.ts";
import type { Repository } from "../repository.ts";
import { emptyBlob } from "../store/index-file.ts";
import { findUntracked, ignoreRule, isIgnoredPath, isRepository, worktreeSnapshot } from "../worktree.ts";
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
    "abbrev=?",
    "eol",
    "deduplicate",
    "no-empty-directory",
    "format=",
  ]);
  for (const name of ["exclude", "killed", "format"]) if (options.has(name)) absent(`ls-files --${name}`);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const given = [...options.words, ...(options.paths ?? [])];
  const spec = repo.spec(given.length === 0 && repo.prefix !== "" ? ["."] : given);
  const end = options.has("z") ? "\0" : "\n";
  const relative = options.has("full-name") ? (path: string) => path : relativeTo(repo.prefix);
  const quoted = await repo.quoting();
  const nameOf = (path: string): string => (end === "\0" ? relative(path) : quoted(relative(path)));
  const print = (path: string): void => run.out(nameOf(path) + end);
  const known = [...index.files.keys(), ...index.conflicts.keys(), ...(index.intents?.keys() ?? [])];
  const all = known.filter((path) => spec.matches(path)).toSorted(compareBytes);
  const oidText = (oid: string): string => (options.has("abbrev") ? oid.slice(0, Number(options.value("abbrev") || 7)) : oid);
  const tags = options.has("t") || options.has("v");
  const tagOf = (path: string): string => {
    const kept = index.files.get(path)?.kept;
    const letter = index.conflicts.has(path) ? "M" : kept === "skipped" ? "S" : "H";
    return kept === "assumed" && options.has("v") ? letter.toLowerCase() : letter;
  };
  if (options.has("ignored")) {
    if (!options.has("others") && !options.has("cached")) fatal("ls-files -i must be used with either -o or -c");
    const { ignored } = await findUntracked(repo, index, spec, { fold: true, ignoredFiles: !options.has("directory") });
    if (!options.has("exclude-standard")) fatal("ls-files --ignored needs some exclude pattern");
    if (options.has("others")) for (const path of options.has("directory") ? ignored : await inFolders(repo, ignored)) print(path);
    if (options.has("cached")) for (const path of all) if (await isIgnoredPath(repo, path, false)) print(path);
    return 0;
  }
  if (options.has("eol")) {
    for (const path of all) run.out(await eolRow(repo, path, index.files.get(path)?.oid ?? null, quoted(relative(path))));
    return 0;
  }

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
      if (entry && !options.has("unmerged"))
        run.out(`${tags ? `${tagOf(path)} ` : ""}${modeText(entry.mode)} ${oidText(entry.oid)} 0\t${nameOf(path)}${end}`);
      const intent = entry ? undefined : index.intents?.get(path);
      if (intent !== undefined && !options.has("unmerged")) run.out(`${modeText(intent)} ${oidText(emptyBlob)} 0\t${nameOf(path)}${end}`);
      const sides = index.conflicts.get(path);
      for (const [i, side] of [sides?.base, sides?.ours, sides?.theirs].entries())
        if (side) run.out(`${tags ? "M " : ""}${modeText(side.mode)} ${oidText(side.oid)} ${i + 1}\t${nameOf(path)}${end}`);
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
  } else if (options.has("cached") || !options.has("others"))
    for (const path of all) {
      const row = `${tags ? `${tagOf(path)} ` : ""}${nameOf(path)}${end}`;
      // As in git, a path in conflict is listed once for each side.
      const sides = index.conflicts.get(path);
      run.out(row.repeat(sides ? [sides.base, sides.ours, sides.theirs].filter((side) => side !== null).length : 1));
    }
  if (options.has("error-unmatch")) {
    const wrong = spec.unmatched(all);
    if (wrong[0] !== undefined) {
      run.err(`error: pathspec '${wrong[0]}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`);
      return 1;
    }
  }
  return 0;
};

/** `git check-ignore path…`: prints the paths that are ignored. */
export const checkIgnore: GitCommand = async (run, args) => {
  const options = parseOptions("check-ignore", args, ["q quiet", "v verbose", "stdin", "z", "n non-matching", "no-index"]);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const end = options.has("z") ? "\0" : "\n";
  const quoted = await repo.quoting();
  const read = options.has("stdin")
    ? run.shell
        .stdin()
        .split(end)
        .filter((line) => line !== "")
    : [];
  const words = [...options.words, ...(options.paths ?? []), ...read];
  if (words.length === 0 && !options.has("stdin")) fatal("no path specified");
  if (words.length > 1 && options.has("quiet")) fatal("--quiet is only valid with a single pathname");
  let found = false;
  for (const word of words) {
    const full = repo.files.resolve(run.shell.cwd, word);
    const path = full.slice(repo.top.length + 1);
    const isFolder = word.endsWith("/") || (await repo.files.stat(full))?.isFolder === true;
    const isTracked = index.files.has(path) && !options.has("no-index");
    const gap = end === "\0" ? "\0" : "\t";
    const name = end === "\0" ? word : quoted(word);
    if (options.has("verbose")) {
      const rule = isTracked ? null : await ignoreRule(repo, path, isFolder);
      if (rule === null && !options.has("non-matching")) continue;
      if (rule !== null && !(rule.text.startsWith("!") && !options.has("non-matching"))) found = true;
      if (!options.has("quiet")) run.out(`${rule === null ? "::" : `${rule.file}:${rule.line}:${rule.text}`}${gap}${name}${end}`);
      continue;
    }
    if (isTracked || !(await isIgnoredPath(repo, path, isFolder))) continue;
    found = true;
    if (!options.has("quiet")) run.out(`${name}${end}`);
  }
  return found ? 0 : 1;
};

/** Replaces each folder by its files. */
async function inFolders(repo: Repository, paths: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (!path.endsWith("/") || (await isRepository(repo, path.slice(0, -1)))) files.push(path);
    else
      for (const { name, isFolder } of await repo.files.list(repo.absolute(path.slice(0, -1))))
        files.push(...(await inFolders(repo, [`${path}${name}${isFolder ? "/" : ""}`])));
  }
  return files;
}

/** `ls-files --eol`. */
async function eolRow(repo: Repository, path: string, oid: string | null, shown: string): Promise<string> {
  const work = await repo.files.read(repo.absolute(path));
  const attributes = await (await readAttributes(repo)).of(path);
  const column = (name: string, bytes: Uint8Array | null): string => `${name}/${bytes === null ? "" : lineEnds(bytes)}`.padEnd(8);
  const own = `attr/${eolWords(attributes)}`.padEnd(22);
  return `${column("i", oid === null ? null : await repo.objects.blob(oid))}${column("w", work)}${own}\t${shown}\n`;
}
