import { diffLines } from "../../../fs/text/line-diff.ts";
import { oldName } from "./commands/blame.ts";
import { rangeOf } from "./line-range.ts";
import { prefixesOf } from "./print-changes.ts";
import type { Repository } from "./repository.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid } from "./store/model.ts";
import { linesOf, lineTexts } from "./text/unified.ts";

/** A commit that changed the lines, with its changes to them. */
export interface LineChanges {
  readonly commit: Commit;
  readonly patch: string;
}

/** `git log -L`: follows lines of a file back along first parents. `given`: a range, a colon and the file's name. */
export async function lineLog(repo: Repository, start: Oid, given: string, most: number): Promise<readonly LineChanges[]> {
  const colon = given.lastIndexOf(":");
  if (colon <= 0) return fatal(`-L argument not 'start,end:file' or ':funcname:file': ${given}`);
  const typed = given.slice(colon + 1);
  let path = repo.files.resolve(repo.shell.cwd, typed).slice(repo.top.length + 1);
  const linesAt = async (commit: Oid, at: string): Promise<string[] | null> => {
    const file = (await repo.snapshot(commit)).get(at);
    return file === undefined ? null : linesOf(await repo.objects.blob(file.oid));
  };
  const quoted = await repo.quoting();
  const prefixes = await prefixesOf(repo, null);
  const found: LineChanges[] = [];
  let now = (await linesAt(start, path)) ?? fatal(`There is no path ${typed} in the commit`);
  let [first, last] = rangeOf(given.slice(0, colon), typed, now);
  let commit = await repo.objects.commit(start);
  for (;;) {
    const parent = commit.parents[0] ?? null;
    const from = parent === null ? null : (await linesAt(parent, path)) === null ? await oldName(repo, parent, commit.oid, path) : path;
    const before = parent === null || from === null ? [] : ((await linesAt(parent, from)) ?? []);
    const changes = diffLines(before, now);
    const touched = changes.filter(({ newStart, newCount }) =>
      newCount === 0 ? newStart > first && newStart < last : newStart < last && newStart + newCount > first,
    );
    const shift = (line: number): number =>
      changes.reduce((at, { newStart, newCount, oldCount }) => (newStart + newCount <= line ? at + oldCount - newCount : at), line);
    const heads = touched.map(({ oldStart }) => oldStart);
    const tails = touched.map(({ oldStart, oldCount }) => oldStart + oldCount);
    const inside = (line: number): boolean => touched.some(({ newStart, newCount }) => line > newStart && line < newStart + newCount);
    const oldFirst = inside(first) ? Math.min(...heads) : Math.min(shift(first), ...heads);
    const oldLast = inside(last) ? Math.max(...tails) : Math.max(shift(last), ...tails);
    if (touched.length > 0) {
      const name = from ?? path;
      const count = oldLast - oldFirst;
      const text = lineTexts(before, now, touched, oldFirst, oldLast, first, last);
      found.push({
        commit,
        patch: `diff --git ${quoted(prefixes.before + name)} ${quoted(prefixes.after + path)}\n--- ${from === null ? "/dev/null" : quoted(prefixes.before + name)}\n+++ ${quoted(prefixes.after + path)}\n@@ -${count === 0 ? oldFirst : oldFirst + 1},${count} +${first + 1},${last - first} @@\n${text}`,
      });
      if (found.length === most) return found;
    }
    if (parent === null || from === null || oldLast <= oldFirst) return found;
    [first, last] = [oldFirst, oldLast];
    path = from;
    now = before;
    commit = await repo.objects.commit(parent);
  }
}
