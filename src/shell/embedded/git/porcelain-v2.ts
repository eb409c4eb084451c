import { letterOf } from "./print-changes.ts";
import type { Repository } from "./repository.ts";
import { readStashes } from "./stashes.ts";
import type { Status } from "./status.ts";
import { type FileRef, modeText, noOid } from "./store/model.ts";
import { compareBytes } from "./text/bytes.ts";
import { distance, upstreamOf } from "./tracking.ts";

/** The lines that begin with "#". */
export async function headerLines(repo: Repository, { head }: Status, branch: boolean, stashes: boolean, end: string): Promise<string> {
  const lines: string[] = [];
  if (branch) {
    lines.push(`# branch.oid ${head.oid ?? "(initial)"}`, `# branch.head ${head.branch ?? "(detached)"}`);
    const upstream = head.branch === null ? null : await upstreamOf(repo, head.branch);
    if (upstream !== null) {
      lines.push(`# branch.upstream ${upstream.name}`);
      if (head.oid !== null && upstream.oid !== null) {
        const { ahead, behind } = await distance(repo, head.oid, upstream.oid);
        lines.push(`# branch.ab +${ahead} -${behind}`);
      }
    }
  }
  const kept = stashes ? (await readStashes(repo)).length : 0;
  if (kept > 0) lines.push(`# stash ${kept}`);
  return lines.map((line) => line + end).join("");
}

/** Prints `git status --porcelain=v2` without its header. */
export async function secondFormat(repo: Repository, found: Status, showIgnored: boolean, end: "\n" | "\0"): Promise<string> {
  const quoted = await repo.quoting();
  const name = (path: string): string => (end === "\0" ? path : quoted(path));
  const before = await repo.snapshot(found.head.oid);
  const mode = (file: FileRef | null | undefined): string => modeText(file?.mode ?? 0);
  const oid = (file: FileRef | null | undefined): string => file?.oid ?? noOid;
  const staged = new Map(found.staged.map((change) => [change.path, change]));
  const unstaged = new Map(found.unstaged.map((change) => [change.path, change]));
  const paths = [...new Set([...staged.keys(), ...unstaged.keys()])].toSorted(compareBytes);
  const rows = paths.map((path) => {
    const [first, second] = [staged.get(path), unstaged.get(path)];
    const letters = `${first ? letterOf(first) : "."}${second ? letterOf(second) : "."}`;
    const inHead = first ? first.old : before.get(path);
    const inIndex = first ? first.new : second?.old;
    const inTree = second ? second.new : inIndex;
    const from = first?.from ?? null;
    const sides = `N... ${mode(inHead)} ${mode(inIndex)} ${mode(inTree)} ${oid(inHead)} ${oid(inIndex)}`;
    if (from === null) return `1 ${letters} ${sides} ${name(path)}`;
    return `2 ${letters} ${sides} R${first?.similarity ?? 100} ${name(path)}${end === "\0" ? "\0" : "\t"}${name(from)}`;
  });
  for (const [path, letters] of found.conflicts) {
    const sides = found.index.conflicts.get(path);
    const stat = await repo.files.stat(repo.absolute(path));
    const inTree = stat === null ? "000000" : mode(sides?.ours ?? sides?.theirs ?? null);
    const three = [sides?.base, sides?.ours, sides?.theirs];
    rows.push(`u ${letters} N... ${three.map(mode).join(" ")} ${inTree} ${three.map(oid).join(" ")} ${name(path)}`);
  }
  rows.push(...found.untracked.map((path) => `? ${name(path)}`), ...(showIgnored ? found.ignored.map((path) => `! ${name(path)}`) : []));
  return rows.map((row) => row + end).join("");
}
