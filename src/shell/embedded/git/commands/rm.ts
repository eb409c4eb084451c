import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import { fatal, Stop } from "../stop.ts";
import { compareBytes } from "../text/bytes.ts";
import { removeFile, worktreeSnapshot } from "../worktree.ts";

export const rm: GitCommand = async (run, args) => {
  const options = parseOptions("rm", args, ["cached", "r", "f force", "n dry-run", "q quiet", "ignore-unmatch"]);
  const repo = await run.repository();
  const given = [...options.words, ...(options.paths ?? [])];
  if (given.length === 0) fatal("No pathspec was given. Which files should I remove?");
  const index = await repo.readIndex();
  const spec = repo.spec(given);
  const known = [...index.files.keys(), ...index.conflicts.keys()];
  const wrong = spec.unmatched(known);
  if (wrong[0] !== undefined && !options.has("ignore-unmatch")) fatal(`pathspec '${wrong[0]}' did not match any files`);
  if (!options.has("r")) {
    // Only exclusions mean all other files.
    if (given.every((text) => /^:(?:[!^]|\((?:[^)]*,)?exclude\b)/.test(text))) fatal("not removing '.' recursively without -r");
    for (const text of given) {
      const [base, typed] = text.startsWith(":/") ? [repo.top, text.slice(2)] : [run.shell.cwd, text];
      const path = repo.files.resolve(base, typed).slice(repo.top.length + 1);
      if (!known.includes(path) && known.some((file) => path === "" || file.startsWith(`${path}/`)))
        fatal(`not removing '${text}' recursively without -r`);
    }
  }
  const paths = known.filter((path) => spec.matches(path)).toSorted(compareBytes);
  const cached = options.has("cached");
  if (!options.has("force")) {
    const head = await repo.snapshot(await repo.refs.resolve("HEAD"));
    const work = await worktreeSnapshot(repo, index, spec);
    const groups: { both: string[]; staged: string[]; local: string[] } = { both: [], staged: [], local: [] };
    for (const path of paths) {
      const entry = index.files.get(path);
      if (!entry) continue;
      const there = work.get(path);
      const local = there !== undefined && (there.oid !== entry.oid || there.mode !== entry.mode);
      const staged = head.get(path)?.oid !== entry.oid;
      if (local && staged) groups.both.push(path);
      else if (staged && !cached) groups.staged.push(path);
      else if (local && !cached) groups.local.push(path);
    }
    const complaint = (list: readonly string[], what: string, advice: string): string =>
      list.length === 0
        ? ""
        : `error: the following file${list.length > 1 ? "s have" : " has"} ${what}:\n${list.map((path) => `    ${path}\n`).join("")}(use ${advice})\n`;
    const text =
      complaint(groups.both, `staged content different from both the\nfile and the HEAD`, "-f to force removal") +
      complaint(groups.staged, "changes staged in the index", "--cached to keep the file, or -f to force removal") +
      complaint(groups.local, "local modifications", "--cached to keep the file, or -f to force removal");
    if (text !== "") throw new Stop(1, text);
  }
  for (const path of paths) {
    if (!options.has("quiet")) run.out(`rm '${path}'\n`);
    if (options.has("dry-run")) continue;
    const mode = index.files.get(path)?.mode ?? 0o100644;
    if (!cached) await removeFile(repo, path, mode);
    index.files.delete(path);
    index.conflicts.delete(path);
  }
  if (!options.has("dry-run")) await repo.writeIndex(index);
  return 0;
};
