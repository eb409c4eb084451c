import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { parseIgnore } from "../store/ignore.ts";
import { compareBytes, quoted } from "../text/bytes.ts";
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
    : options.has("x")
      ? [...found.untracked, ...found.ignored].toSorted(compareBytes)
      : found.untracked;
  const spared = options.values("exclude").map((line) => parseIgnore(line));
  const relative = relativeTo(repo.prefix);
  const dry = options.has("dry-run");
  for (const path of chosen) {
    const isFolder = path.endsWith("/");
    if (spared.some((rule) => rule(path.replace(/\/$/, ""), isFolder) === true)) continue;
    if (isFolder && (!options.has("d") || (await isRepository(repo, path.slice(0, -1))))) continue;
    if (!options.has("quiet") || dry) run.out(`${dry ? "Would remove" : "Removing"} ${quoted(relative(path))}\n`);
    if (dry) continue;
    if (!isFolder) await repo.files.remove(repo.absolute(path), repo.absolute(path).slice(0, repo.absolute(path).lastIndexOf("/")));
    else if (found.ignored.length === 0 || options.has("x") || options.has("X"))
      await repo.files.removeFolder(repo.absolute(path.slice(0, -1)));
    else {
      // Ignored files in the folder stay.
      const inside = await findUntracked(repo, index, repo.spec([`:/${path}`]), { fold: false });
      for (const file of inside.untracked) await repo.files.remove(repo.absolute(file), repo.top);
    }
  }
  return 0;
};
