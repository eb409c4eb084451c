import { readMessageFile, writeMessageFile } from "./commit.ts";
import { parseTodo, type Step, stepLine } from "./rebase-todo.ts";
import type { Favor } from "./merge-trees.ts";
import type { Repository } from "./repository.ts";
import { fatal } from "./stop.ts";
import type { Oid } from "./store/model.ts";

/** The state of a rebase, stored in `.git/rebase-merge` like git does. */
export interface Rebase {
  /** "refs/heads/topic" or "detached HEAD". */
  readonly headName: string;
  readonly onto: Oid;
  /** The branch's commit before the rebase. */
  readonly original: Oid;
  /** The rebase stopped at the last one. */
  readonly done: readonly Step[];
  readonly todo: readonly Step[];
  /** The stash with the changes that `--autostash` set aside, which is in no list; null if there were none. */
  readonly stash: Oid | null;
  /** `-X`. */
  readonly favor: Favor;
  /** `--root` without `--onto`: the empty commit that the first new commit replaces. */
  readonly squashOnto: Oid | null;
}

const folder = "rebase-merge";

export async function readRebase(repo: Repository): Promise<Rebase | null> {
  const read = async (name: string): Promise<string | null> => (await readMessageFile(repo, `${folder}/${name}`))?.trim() ?? null;
  const onto = await read("onto");
  const original = await read("orig-head");
  const headName = await read("head-name");
  if (onto === null || original === null || headName === null) return null;
  return {
    headName,
    onto,
    original,
    done: await parseTodo(repo, (await read("done")) ?? ""),
    todo: await parseTodo(repo, (await read("git-rebase-todo")) ?? ""),
    stash: await read("autostash"),
    favor: favorIn((await read("strategy_opts")) ?? ""),
    squashOnto: await read("squash-onto"),
  };
}

/** git quotes the option in some versions. */
function favorIn(text: string): Favor {
  const option = text.replaceAll("'", "").trim();
  if (option === "") return null;
  if (option === "--ours" || option === "--theirs") return option === "--ours" ? "ours" : "theirs";
  return fatal(`Vibey's git can't continue with '${option}' in .git/rebase-merge/strategy_opts`);
}

export async function writeRebase(repo: Repository, rebase: Rebase): Promise<void> {
  const lines = async (steps: readonly Step[]): Promise<string> => {
    let text = "";
    for (const step of steps) text += `${await stepLine(repo, step, true)}\n`;
    return text;
  };
  const put = (name: string, text: string): Promise<void> => writeMessageFile(repo, `${folder}/${name}`, text);
  await put("head-name", `${rebase.headName}\n`);
  await put("onto", `${rebase.onto}\n`);
  await put("orig-head", `${rebase.original}\n`);
  if (rebase.stash !== null) await put("autostash", `${rebase.stash}\n`);
  if (rebase.favor !== null) await put("strategy_opts", ` --${rebase.favor}\n`);
  if (rebase.squashOnto !== null) await put("squash-onto", `${rebase.squashOnto}\n`);
  await put("interactive", "");
  await put("done", await lines(rebase.done));
  await put("git-rebase-todo", await lines(rebase.todo));
  await put("msgnum", `${rebase.done.length}\n`);
  await put("end", `${rebase.done.length + rebase.todo.length}\n`);
}

export async function endRebase(repo: Repository): Promise<void> {
  await repo.files.removeFolder(`${repo.gitdir}/${folder}`);
  await repo.files.remove(`${repo.gitdir}/REBASE_HEAD`, repo.gitdir);
}
