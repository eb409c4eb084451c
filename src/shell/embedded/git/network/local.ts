import { openRepository, type Repository } from "../repository.ts";
import { peel } from "../revision.ts";
import type { Run } from "../run.ts";
import type { Oid } from "../store/model.ts";
import type { Connection } from "./connection.ts";

/** The repository in the folder that was named; null: what was named is no folder with one. */
export async function localRepository(run: Run, typed: string): Promise<Repository | null> {
  if (/^[\w+.-]+:/.test(typed)) return null;
  const { fs, cwd } = run.shell;
  const path = fs.resolvePath(cwd, typed.replace(/\/?\.git\/?$/, "/"));
  return (await fs.exists(`${path}/.git/HEAD`)) ? openRepository({ ...run.shell, cwd: path }, path, run.overrides) : null;
}

/** What a server would say of it. Nothing can be sent: the objects are copied. */
export async function localConnection(source: Repository): Promise<Connection> {
  const refs = new Map<string, Oid>();
  const head = await source.refs.resolve("HEAD");
  if (head !== null) refs.set("HEAD", head);
  const peeled = new Map<string, Oid>();
  for (const { ref, oid } of await source.refs.all()) {
    if (!ref.startsWith("refs/heads/") && !ref.startsWith("refs/tags/")) continue;
    refs.set(ref, oid);
    const commit = await peel(source, oid);
    if (commit !== oid) peeled.set(ref, commit);
  }
  return {
    refs,
    peeled,
    head: await source.refs.symbolic("HEAD"),
    capabilities: new Set(),
    send: () => Promise.reject(new Error("a repository in a folder answers no requests")),
  };
}

/** All of its objects, as git copies them. */
export async function copyObjects(from: Repository, to: Repository): Promise<void> {
  const { files } = from;
  const copy = async (folder: string): Promise<void> => {
    for (const { name, isFolder } of await files.list(`${from.gitdir}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isFolder) await copy(path);
      else await files.write(`${to.gitdir}/${path}`, (await files.read(`${from.gitdir}/${path}`)) ?? new Uint8Array());
    }
  };
  await copy("objects");
}
