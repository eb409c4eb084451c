import { openRepository, type Repository } from "./repository.ts";
import { fatal } from "./stop.ts";
import { parentOf } from "./store/files.ts";
import type { Oid } from "./store/model.ts";
import { decode } from "./text/bytes.ts";

/** A working tree: the repository's own, or one that `git worktree add` created. */
export interface Worktree {
  /** Its folder in `.git/worktrees`; null for the repository's own. */
  readonly id: string | null;
  readonly path: string;
  readonly branch: string | null;
  readonly oid: Oid | null;
  readonly isBare: boolean;
  /** Its folder no longer exists. */
  readonly isGone: boolean;
  /** Why it is locked; null if it is not. */
  readonly locked: string | null;
}

export function placeOfWorktree(repo: Repository, id: string): string {
  return `${repo.common}/worktrees/${id}`;
}

/** The repository's own first, then the others by name. */
export async function readWorktrees(repo: Repository): Promise<readonly Worktree[]> {
  const top = repo.isBare ? repo.common : parentOf(repo.common);
  const main = openRepository(repo.shell, top, [], { gitdir: repo.common, common: repo.common, isBare: repo.isBare });
  const found: Worktree[] = [
    { id: null, path: top, ...(await main.refs.head()), isBare: (await main.setting("core.bare")) === "true", isGone: false, locked: null },
  ];
  const folder = `${repo.common}/worktrees`;
  if ((await repo.files.stat(folder))?.isFolder !== true) return found;
  for (const { name, isFolder } of await repo.files.list(folder)) {
    if (!isFolder) continue;
    const gitdir = placeOfWorktree(repo, name);
    const bytes = await repo.files.read(`${gitdir}/gitdir`);
    if (bytes === null) continue;
    const path = parentOf(decode(bytes).trim());
    const linked = openRepository(repo.shell, path, [], { gitdir, common: repo.common, isBare: false });
    const locked = await repo.files.read(`${gitdir}/locked`);
    found.push({
      id: name,
      path,
      ...(await linked.refs.head()),
      isBare: false,
      isGone: (await repo.files.stat(`${path}/.git`)) === null,
      locked: locked === null ? null : decode(locked).trim(),
    });
  }
  return found;
}

/** The path of another working tree that has this branch checked out; null if there is none. */
export async function checkedOutAt(repo: Repository, branch: string): Promise<string | null> {
  for (const tree of await readWorktrees(repo)) if (tree.branch === branch && tree.path !== repo.top && !tree.isBare) return tree.path;
  return null;
}

export async function refuseElsewhere(repo: Repository, branch: string): Promise<void> {
  const path = await checkedOutAt(repo, branch);
  if (path !== null) fatal(`'${branch}' is already checked out at '${path}'`);
}
