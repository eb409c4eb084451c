import { changesBetween } from "./changes.ts";
import { choosePatches, questions } from "./patch-mode.ts";
import type { Repository } from "./repository.ts";
import { findObject, treeOf } from "./revision.ts";
import type { Run } from "./run.ts";
import type { Snapshot } from "./store/model.ts";

/** `git reset -p` and `git restore --staged -p`: reads the answers from standard input. */
export async function unstagePatch(run: Run, repo: Repository, source: string, paths: readonly string[]): Promise<void> {
  const index = await repo.readIndex();
  const spec = repo.spec(paths.length === 0 ? [":/"] : paths);
  const oid = await findObject(repo, source);
  const before: Snapshot = oid === null ? new Map() : await repo.objects.files(await treeOf(repo, oid));
  const changes = changesBetween(before, index.files, (path) => spec.matches(path) && !index.conflicts.has(path));
  for (const { path, bytes, mode } of await choosePatches(run, repo, changes, questions.unstage)) {
    if (bytes === null) index.files.delete(path);
    else index.files.set(path, { mode, oid: await repo.objects.write("blob", bytes), size: -1, mtime: 0 });
  }
  await repo.writeIndex(index);
}
