import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { fatal, Stop } from "../stop.ts";

export const mv: GitCommand = async (run, args) => {
  const options = parseOptions("mv", args, ["f force", "n dry-run", "v verbose", "k"]);
  const words = [...options.words, ...(options.paths ?? [])];
  if (words.length < 2) throw new Stop(129, "usage: git mv [-v] [-f] [-n] [-k] <source>... <destination>\n");
  const repo = await run.repository();
  const index = await repo.readIndex();
  const pathOf = (text: string): string => {
    const full = repo.files.resolve(run.shell.cwd, text);
    if (full !== repo.top && !full.startsWith(`${repo.top}/`)) fatal(`${text}: '${text}' is outside repository at '${repo.top}'`);
    return full.slice(repo.top.length + 1);
  };
  const target = words.at(-1) ?? "";
  const targetPath = pathOf(target);
  const intoFolder = targetPath === "" || (await repo.files.stat(repo.absolute(targetPath)))?.isFolder === true;
  if (words.length > 2 && !intoFolder) fatal(`destination '${target}' is not a directory`);
  const isNamedFolder = target.endsWith("/");
  const moves: { from: string; to: string }[] = [];
  for (const word of words.slice(0, -1)) {
    const from = pathOf(word);
    const name = from.slice(from.lastIndexOf("/") + 1);
    const to = intoFolder ? (targetPath === "" ? name : `${targetPath}/${name}`) : targetPath;
    const about = `source=${from}, destination=${to}${isNamedFolder && !intoFolder ? "/" : ""}`;
    const problem = await problemOf(from, to);
    if (problem === null) moves.push({ from, to });
    else if (!options.has("k")) fatal(`${problem}, ${about}`);
  }
  for (const { from, to } of moves) {
    // As git does, names each tracked file of a folder after the folder.
    const below = [...index.files.keys()].filter((path) => path.startsWith(`${from}/`)).map((path) => [path, to + path.slice(from.length)]);
    const pairs = [[from, to], ...below];
    if (options.has("dry-run")) for (const [old, now] of pairs) run.out(`Checking rename of '${old}' to '${now}'\n`);
    if (options.has("verbose") || options.has("dry-run")) for (const [old, now] of pairs) run.out(`Renaming ${old} to ${now}\n`);
    if (options.has("dry-run")) continue;
    await repo.files.move(repo.absolute(from), repo.absolute(to));
    const tracked = [...index.files];
    for (const [path, entry] of tracked) {
      if (path !== from && !path.startsWith(`${from}/`)) continue;
      index.files.delete(path);
      index.files.set(to + path.slice(from.length), entry);
    }
  }
  if (!options.has("dry-run")) await repo.writeIndex(index);
  return 0;

  async function problemOf(from: string, to: string): Promise<string | null> {
    const stat = await repo.files.stat(repo.absolute(from));
    if (stat === null) return "bad source";
    if (repo.isVibeys(from) || repo.isVibeys(to)) return "vibey/ is never part of a repository";
    if (stat.isFolder && (to === from || to.startsWith(`${from}/`))) return "can not move directory into itself";
    if (stat.isFolder && ![...index.files.keys()].some((path) => path.startsWith(`${from}/`))) return "source directory is empty";
    if (!stat.isFolder && index.conflicts.has(from)) return "conflicted";
    if (!stat.isFolder && !index.files.has(from)) return "not under version control";
    if (isNamedFolder && !intoFolder && !stat.isFolder) return "destination directory does not exist";
    const there = await repo.files.stat(repo.absolute(to));
    if (there !== null && !(options.has("force") && !there.isFolder && !stat.isFolder)) return "destination exists";
    if (moves.some((move) => move.to === to)) return "multiple sources for the same target";
    const folder = to.includes("/") ? repo.absolute(to.slice(0, to.lastIndexOf("/"))) : repo.top;
    return (await repo.files.stat(folder)) === null ? "destination directory does not exist" : null;
  }
};
