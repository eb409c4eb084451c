import { openConnection } from "../network/open.ts";
import { findRemote } from "../network/url.ts";
import { parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, failed, Stop } from "../stop.ts";
import { isRefName } from "../store/refs.ts";
import { remoteNames } from "./fetch.ts";

export const remote: GitCommand = async (run, args) => {
  const options = parseOptions("remote", args, [
    "v verbose",
    "push",
    "add",
    "delete",
    "a auto",
    "d",
    "t=",
    "f",
    "all",
    "tags",
    "no-tags",
    "m=",
    "mirror=?",
  ]);
  for (const name of ["add", "delete", "t", "f", "all", "tags", "no-tags", "m", "mirror"])
    if (options.has(name)) absent(`remote ${name.length === 1 ? "-" : "--"}${name}`);
  const repo = await run.repository();
  const [verb, name, url] = options.words;
  const usage = (text: string): never => {
    throw new Stop(129, `usage: git remote ${text}\n`);
  };
  switch (verb) {
    case undefined:
    case "show":
      if (name !== undefined) return absent("remote show <name>: git remote -v and git branch -vv say most of it");
      return list(run, repo, options.has("verbose"));
    case "add":
      if (name === undefined || url === undefined) return usage("add <name> <url>");
      if (!isRefName(`x/${name}`)) throw new Stop(128, `fatal: '${name}' is not a valid remote name\n`);
      if ((await remoteNames(repo)).includes(name)) throw new Stop(3, `error: remote ${name} already exists.\n`);
      await repo.changeSetting(`remote.${name}.url`, url);
      await repo.changeSetting(`remote.${name}.fetch`, `+refs/heads/*:refs/remotes/${name}/*`);
      return 0;
    case "get-url":
      if (name === undefined) return usage("get-url [--push] <name>");
      await mustBeThere(repo, name);
      run.out(`${options.has("push") ? (await findRemote(repo, name)).pushUrl : (await findRemote(repo, name)).url}\n`);
      return 0;
    case "set-url":
      if (name === undefined || url === undefined) return usage("set-url [--push] <name> <newurl>");
      await mustBeThere(repo, name);
      await repo.changeSetting(`remote.${name}.${options.has("push") ? "pushurl" : "url"}`, url);
      return 0;
    case "remove":
    case "rm":
      if (name === undefined) return usage("remove <name>");
      if (!(await remoteNames(repo)).includes(name)) throw new Stop(2, `error: No such remote: '${name}'\n`);
      return remove(repo, name);
    case "rename":
      if (name === undefined || url === undefined) return usage("rename <old> <new>");
      await mustBeThere(repo, name);
      return rename(repo, name, url);
    case "set-head":
      if (name === undefined) return usage("set-head <name> (-a | -d | <branch>)");
      return setHead(run, repo, name, options.has("auto"), options.has("d"), url ?? null);
    case "prune":
    case "update":
      return absent(`remote ${verb}: git fetch --prune does it`);
    default:
      return failed(`Unknown subcommand: ${verb}`, 129);
  }
};

async function list(run: Run, repo: Repository, verbose: boolean): Promise<number> {
  for (const name of await remoteNames(repo)) {
    const { url, pushUrl } = await findRemote(repo, name);
    run.out(verbose ? `${name}\t${url} (fetch)\n${name}\t${pushUrl} (push)\n` : `${name}\n`);
  }
  return 0;
}

async function mustBeThere(repo: Repository, name: string): Promise<void> {
  if (!(await remoteNames(repo)).includes(name)) throw new Stop(2, `error: No such remote '${name}'\n`);
}

async function remove(repo: Repository, name: string): Promise<number> {
  for (const branch of await followers(repo, name))
    for (const key of ["remote", "merge"]) await repo.changeSetting(`branch.${branch}.${key}`, null);
  await repo.moveSection(`remote.${name}`, null);
  for (const { ref } of await repo.refs.all()) if (ref.startsWith(`refs/remotes/${name}/`)) await repo.refs.remove(ref);
  return 0;
}

async function rename(repo: Repository, from: string, to: string): Promise<number> {
  if (!isRefName(`x/${to}`)) throw new Stop(128, `fatal: '${to}' is not a valid remote name\n`);
  if ((await remoteNames(repo)).includes(to)) throw new Stop(3, `error: remote ${to} already exists.\n`);
  for (const branch of await followers(repo, from)) await repo.changeSetting(`branch.${branch}.remote`, to);
  await repo.moveSection(`remote.${from}`, `remote.${to}`);
  const spec = await repo.setting(`remote.${to}.fetch`);
  if (spec !== null) await repo.changeSetting(`remote.${to}.fetch`, spec.replace(`refs/remotes/${from}/`, `refs/remotes/${to}/`));
  const prefix = `refs/remotes/${from}/`;
  for (const { ref, oid } of await repo.refs.all()) {
    if (!ref.startsWith(prefix)) continue;
    const now = `refs/remotes/${to}/${ref.slice(prefix.length)}`;
    const target = await repo.refs.symbolic(ref);
    await repo.refs.remove(ref);
    if (target === null) await repo.refs.set(now, oid);
    else await repo.refs.setSymbolic(now, target.replace(prefix, `refs/remotes/${to}/`));
  }
  return 0;
}

/** The branches that follow a branch of the remote. */
async function followers(repo: Repository, remoteName: string): Promise<string[]> {
  return (await repo.config()).flatMap(({ key, value }) => (value === remoteName ? (/^branch\.(.+)\.remote$/.exec(key)?.[1] ?? []) : []));
}

async function setHead(run: Run, repo: Repository, name: string, auto: boolean, removes: boolean, branch: string | null): Promise<number> {
  const ref = `refs/remotes/${name}/HEAD`;
  if (removes) {
    await repo.refs.remove(ref);
    return 0;
  }
  let target = branch;
  if (auto) {
    const { head } = await openConnection(run, (await findRemote(repo, name)).url, await repo.config(), "git-upload-pack");
    target = head?.replace(/^refs\/heads\//, "") ?? failed("Cannot determine remote HEAD");
  }
  if (target === null) throw new Stop(129, "usage: git remote set-head <name> (-a | -d | <branch>)\n");
  if ((await repo.refs.resolve(`refs/remotes/${name}/${target}`)) === null) failed(`Not a valid ref: refs/remotes/${name}/${target}`);
  await repo.refs.setSymbolic(ref, `refs/remotes/${name}/${target}`);
  if (auto) run.out(`${name}/HEAD set to ${target}\n`);
  return 0;
}
