import { readMessageFile, subjectOf, writeMessageFile } from "./commit.ts";
import type { Repository } from "./repository.ts";
import { findCommit } from "./revision.ts";
import { fatal } from "./stop.ts";
import type { Oid } from "./store/model.ts";

/** A rebase that is under way; `.git/rebase-merge`, as git keeps it. */
export interface Rebase {
  /** "refs/heads/topic"; "detached HEAD". */
  readonly headName: string;
  readonly onto: Oid;
  /** Where the branch was before. */
  readonly original: Oid;
  /** The last one is the one it stopped at. */
  readonly done: readonly Oid[];
  readonly todo: readonly Oid[];
}

const folder = "rebase-merge";

export async function readRebase(repo: Repository): Promise<Rebase | null> {
  const read = async (name: string): Promise<string | null> => (await readMessageFile(repo, `${folder}/${name}`))?.trim() ?? null;
  const onto = await read("onto");
  const original = await read("orig-head");
  const headName = await read("head-name");
  if (onto === null || original === null || headName === null) return null;
  return { headName, onto, original, done: await list(repo, await read("done")), todo: await list(repo, await read("git-rebase-todo")) };
}

async function list(repo: Repository, text: string | null): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (const line of (text ?? "").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = ""] = /^pick ([0-9a-f]+)/.exec(line) ?? fatal(`Vibey's git can't do this line of a rebase: ${line}`);
    oids.push((await findCommit(repo, name)) ?? fatal(`bad object ${name}`));
  }
  return oids;
}

export async function writeRebase(repo: Repository, rebase: Rebase): Promise<void> {
  const lines = async (oids: readonly Oid[]): Promise<string> => {
    let text = "";
    for (const oid of oids) text += `pick ${oid} ${subjectOf((await repo.objects.commit(oid)).message)}\n`;
    return text;
  };
  const put = (name: string, text: string): Promise<void> => writeMessageFile(repo, `${folder}/${name}`, text);
  await put("head-name", `${rebase.headName}\n`);
  await put("onto", `${rebase.onto}\n`);
  await put("orig-head", `${rebase.original}\n`);
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
