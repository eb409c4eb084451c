import { isBareFolder, linkedPlace, openBare, openRepository, type Repository } from "../repository.ts";
import { peel } from "../revision.ts";
import type { Run } from "../run.ts";
import { workFiles } from "../store/files.ts";
import { noOid, type Oid } from "../store/model.ts";
import type { Connection } from "./connection.ts";
import type { RefUpdate, Report } from "./send-pack.ts";

/** The repository in the given folder; null if `typed` is not a folder with a repository. */
export async function localRepository(run: Run, typed: string): Promise<Repository | null> {
  const named = typed.replace(/^file:\/\//, "");
  if (/^[\w+.-]+:/.test(named)) return null;
  const { fs, cwd } = run.shell;
  const files = workFiles(fs);
  for (const ending of ["", ".git"]) {
    const path = fs.resolvePath(cwd, `${named}${ending}`).replace(/\/\.git$/, "");
    const shell = { ...run.shell, cwd: path };
    if (await fs.exists(`${path}/.git/HEAD`)) return openRepository(shell, path, run.overrides);
    if (await isBareFolder(files, path)) return openBare(shell, path, run.overrides);
    const linked = await linkedPlace(files, path);
    if (linked !== null) return openRepository(shell, path, run.overrides, linked);
  }
  return null;
}

/** Describes the repository like a server would. Nothing can be sent; the objects are copied instead. */
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
    local: source,
    send: () => Promise.reject(new Error("a repository in a folder answers no requests")),
  };
}

/** Pushes into a folder: copies the objects and changes the refs. */
export async function sendLocal(
  from: Repository,
  to: Repository,
  updates: readonly RefUpdate[],
  says: (line: string) => void,
): Promise<Report> {
  await copyObjects(from, to);
  const head = await to.refs.symbolic("HEAD");
  const report = new Map<string, string | null>();
  for (const update of updates) {
    if (!to.isBare && update.ref === head) {
      const deletes = update.to === noOid;
      for (const line of deletes ? refusesDelete : refusesUpdate) says(line === "" ? "" : `${line.replace("REF", update.ref)}        `);
      report.set(update.ref, deletes ? "deletion of the current branch prohibited" : "branch is currently checked out");
      continue;
    }
    if (update.to === noOid) await to.refs.remove(update.ref);
    else await to.refs.set(update.ref, update.to);
    report.set(update.ref, null);
  }
  return report;
}

/** git's message. */
const refusesUpdate = [
  "error: refusing to update checked out branch: REF",
  "error: By default, updating the current branch in a non-bare repository",
  "is denied, because it will make the index and work tree inconsistent",
  "with what you pushed, and will require 'git reset --hard' to match",
  "the work tree to HEAD.",
  "",
  "You can set the 'receive.denyCurrentBranch' configuration variable",
  "to 'ignore' or 'warn' in the remote repository to allow pushing into",
  "its current branch; however, this is not recommended unless you",
  "arranged to update its work tree to match what you pushed in some",
  "other way.",
  "",
  "To squelch this message and still keep the default behaviour, set",
  "'receive.denyCurrentBranch' configuration variable to 'refuse'.",
];
const refusesDelete = ["error: refusing to delete the current branch: REF"];

/** Copies all objects, as git does, and where the history is cut off. */
export async function copyObjects(from: Repository, to: Repository): Promise<void> {
  const { files } = from;
  const copy = async (folder: string): Promise<void> => {
    for (const { name, isFolder } of await files.list(`${from.common}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isFolder) await copy(path);
      else if ((await files.stat(`${to.common}/${path}`)) === null)
        await files.write(`${to.common}/${path}`, (await files.read(`${from.common}/${path}`)) ?? new Uint8Array());
    }
  };
  const cut = new Set(await to.objects.shallow());
  const before = cut.size;
  for (const oid of await from.objects.shallow()) if (!(await to.objects.has(oid))) cut.add(oid);
  await copy("objects");
  if (cut.size > before) await to.objects.setShallow(cut);
}
