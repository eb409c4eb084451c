import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { parentOf } from "../store/files.ts";
import { parseIgnore } from "../store/ignore.ts";
import { compareBytes } from "../text/bytes.ts";
import { findUntracked, isRepository } from "../worktree.ts";
import { relativeTo } from "./status.ts";

export const clean: GitCommand = async (run, args) => {
  const options = parseOptions("clean", args, ["f force", "d", "n dry-run", "x", "X", "q quiet", "e exclude=", "i interactive"]);
  if (options.has("interactive")) absent("clean --interactive; use git clean -n, then git clean -f with paths");
  if (!options.has("force") && !options.has("dry-run"))
    fatal("clean.requireForce defaults to true and neither -i, -n, nor -f given; refusing to clean");
  const repo = await run.repository();
  const index = await repo.readIndex();
  const given = [...options.words, ...(options.paths ?? [])];
  const spec = repo.spec(given.length === 0 && repo.prefix !== "" ? ["."] : given);
  const found = await findUntracked(repo, index, spec, { fold: true });
  const chosen = options.has("X")
    ? found.ignored
    : [...found.untracked, ...found.empty, ...(options.has("x") ? found.ignored : [])].toSorted(compareBytes);
  const spared = options.values("exclude").map((line) => parseIgnore(line));
  const relative = relativeTo(repo.prefix);
  const quoted = await repo.quoting();
  const dry = options.has("dry-run");
  const alsoRepositories = options.order.filter((name) => name === "force").length > 1;
  const kept = new Set(options.has("x") || options.has("X") ? [] : found.ignored);
  const say = (what: string, path: string): void => {
    if (!options.has("quiet") || dry) run.out(`${what} ${quoted(relative(path))}\n`);
  };
  const removes = dry ? "Would remove" : "Removing";
  let within = "";
  for (const path of chosen) {
    // An empty folder in an ignored one is gone with it.
    if (within !== "" && path.startsWith(within)) continue;
    within = path.endsWith("/") ? path : "";
    const isFolder = path.endsWith("/");
    const name = isFolder ? path.slice(0, -1) : path;
    if (isSpared(name, isFolder)) continue;
    if (!isFolder) {
      say(removes, path);
      await removeFile(path);
    } else if (options.has("d") && (alsoRepositories || !(await isRepository(repo, name))) && (await removeFolder(name)))
      say(removes, path);
  }
  return 0;

  function isSpared(path: string, isFolder: boolean): boolean {
    return spared.some((rule) => rule(path, isFolder) === true);
  }

  async function removeFile(path: string): Promise<void> {
    const at = repo.absolute(path);
    if (!dry) await repo.files.remove(at, parentOf(at));
  }

  /** Removes a folder, but not the repositories and spared files in it. Returns whether nothing is left. */
  async function removeFolder(folder: string): Promise<boolean> {
    if (!alsoRepositories && (await isRepository(repo, folder))) {
      say(dry ? "Would skip repository" : "Skipping repository", folder);
      return false;
    }
    const removed: string[] = [];
    let isEmpty = true;
    for (const { name, isFolder } of await repo.files.list(repo.absolute(folder))) {
      const path = `${folder}/${name}`;
      const stays = isSpared(path, isFolder) || kept.has(isFolder ? `${path}/` : path);
      if (!stays && !isFolder) await removeFile(path);
      if (stays || (isFolder && !(await removeFolder(path)))) isEmpty = false;
      else removed.push(path);
    }
    // As in git, the folder that the command runs in stays.
    if (isEmpty && repo.prefix.startsWith(`${folder}/`)) {
      if (repo.prefix === `${folder}/`) run.out(`${dry ? "Would refuse" : "Refusing"} to remove current working directory\n`);
      isEmpty = false;
    }
    if (!isEmpty) for (const path of removed) say(removes, path);
    else if (!dry) await repo.files.removeFolder(repo.absolute(folder));
    return isEmpty;
  }
};
