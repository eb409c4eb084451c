import { canonicalText } from "../../../../fs/path.ts";
import { connect, type Connection, isSafeRef } from "../network/connection.ts";
import { depthOf } from "../network/fetch.ts";
import { fetchPack } from "../network/fetch-pack.ts";
import { copyObjects, localConnection, localRepository } from "../network/local.ts";
import { remoteUrl, shownUrl } from "../network/url.ts";
import { type Options, parseOptions } from "../options.ts";
import { openBare, openRepository, type Repository } from "../repository.ts";
import { peel } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import { type WorkFiles, workFiles } from "../store/files.ts";
import type { Oid } from "../store/model.ts";
import { isRefName } from "../store/refs.ts";
import { resetTree } from "../switch-tree.ts";
import { detachedAdvice } from "./checkout.ts";
import { makeRepository } from "./init.ts";

export const clone: GitCommand = async (run, args) => {
  const options = parseOptions("clone", args, [
    "b branch=",
    "depth=",
    "single-branch",
    "no-single-branch",
    "o origin=",
    "q quiet",
    "v verbose",
    "progress",
    "n no-checkout",
    "no-tags",
    "bare",
    "mirror",
    "recursive",
    "recurse-submodules=?",
    "filter=",
    "sparse",
    "shared",
    "reference=",
    "template=",
    "l local",
    "separate-git-dir=",
    "c config=",
    "shallow-since=",
    "j jobs=",
    "no-hardlinks",
  ]);
  for (const name of ["filter", "sparse", "shared", "reference", "template", "separate-git-dir", "config", "shallow-since"])
    if (options.has(name)) absent(`clone --${name}`);
  const [typed, folder] = options.words;
  if (typed === undefined) fatal("You must specify a repository to clone.");
  if (options.words.length > 2) fatal("Too many arguments.");
  const files = workFiles(run.shell.fs);
  const isBare = options.has("bare") || options.has("mirror");
  const name = folder ?? `${nameOf(typed)}${isBare ? ".git" : ""}`;
  const top = files.resolve(run.shell.cwd, name);
  const { project } = run.shell;
  const inProject = top.startsWith(`${project}/`) ? canonicalText(top.slice(project.length + 1)) : "";
  if (inProject === null || inProject === "vibey" || inProject.startsWith("vibey/"))
    fatal("vibey/ holds docs and dialogs; no repository can be in it");
  const existed = await files.stat(top);
  if (existed !== null && (!existed.isFolder || !(await isFree(files, top, project))))
    fatal(`destination path '${name}' already exists and is not an empty directory.`);
  const source = await localRepository(run, typed);
  if (source === null) remoteUrl(typed, run.overrides);
  const depth = depthOf(options.value("depth"));
  if (!options.has("quiet")) run.err(`Cloning into ${isBare ? "bare repository " : ""}'${name}'...\n`);
  const shell = { ...run.shell, cwd: top };
  const repo = isBare ? openBare(shell, top, run.overrides) : openRepository(shell, top, run.overrides);
  try {
    await cloneInto(run, repo, typed, source, options, depth);
    if (source !== null && !options.has("quiet")) run.err("done.\n");
  } catch (error) {
    // As git does, leaves nothing behind when a clone fails.
    if (existed === null) await files.removeFolder(top);
    else for (const { name: entry } of await files.list(top)) if (entry !== "vibey") await files.removeFolder(`${top}/${entry}`);
    throw error;
  }
  return 0;
};

/** The folder name that git derives from the address. */
function nameOf(typed: string): string {
  const path = typed
    .replace(/[?#].*$/, "")
    .replace(/^\w+:\/\/[^/]*/, "")
    .replace(/\/+$/, "")
    .replace(/\/\.git$/, "")
    .replace(/\/+$/, "");
  const name = (path.split("/").at(-1) ?? "").replace(/\.git$/, "");
  return name === "" || name === "." || name === ".."
    ? fatal(`No directory name could be guessed.\nPlease specify a directory on the command line`)
    : name;
}

/** Whether the folder is empty, except for the folder of docs and dialogs, which is not part of any repository. */
async function isFree(files: WorkFiles, top: string, project: string): Promise<boolean> {
  return (await files.list(top)).every(({ name }) => name === "vibey" && top === project);
}

/** `source`: the repository if it is in a folder; null: it is on another host. */
async function cloneInto(
  run: Run,
  repo: Repository,
  typed: string,
  source: Repository | null,
  options: Options,
  depth: number | null,
): Promise<void> {
  const origin = options.value("origin") ?? "origin";
  if (!isRefName(`x/${origin}`)) fatal(`'${origin}' is not a valid remote name`);
  const connection = source ? await localConnection(source) : await connect(run, typed, await repo.config(), "git-upload-pack");
  const given = options.value("branch");
  const heads = [...connection.refs].filter(([ref]) => ref.startsWith("refs/heads/") && isSafeRef(ref));
  const tags = [...connection.refs].filter(([ref]) => ref.startsWith("refs/tags/") && isSafeRef(ref));
  const headOid = connection.refs.get("HEAD") ?? null;
  const usual =
    connection.head ??
    heads.find(([ref, oid]) => ref === "refs/heads/main" && oid === headOid)?.[0] ??
    heads.find(([, oid]) => oid === headOid)?.[0] ??
    null;
  const wanted =
    given === null
      ? usual
      : ([`refs/heads/${given}`, `refs/tags/${given}`].find((ref) => connection.refs.has(ref) && isSafeRef(ref)) ?? null);
  if (given !== null && wanted === null) fatal(`Remote branch ${given} not found in upstream ${origin}`);
  const single = (options.has("single-branch") || depth !== null) && !options.has("no-single-branch");
  const branch = wanted?.startsWith("refs/heads/") === true ? wanted.slice("refs/heads/".length) : null;

  await makeRepository(repo, branch ?? "main");
  await repo.changeSetting(`remote.${origin}.url`, source === null ? typed : placeOf(source, typed));
  if (repo.isBare) {
    await fillBare(run, repo, connection, source, origin, options.has("mirror"));
    return;
  }
  const isTag = wanted?.startsWith("refs/tags/") === true;
  await repo.changeSetting(
    `remote.${origin}.fetch`,
    !single || wanted === null
      ? `+refs/heads/*:refs/remotes/${origin}/*`
      : isTag
        ? `+${wanted}:${wanted}`
        : `+${wanted}:refs/remotes/${origin}/${branch ?? ""}`,
  );
  if (options.has("no-tags")) await repo.changeSetting(`remote.${origin}.tagopt`, "--no-tags");
  if (heads.length === 0 && tags.length === 0) {
    run.err("warning: You appear to have cloned an empty repository.\n");
    if (branch !== null || usual !== null) await follow(repo, origin, branch ?? "main");
    else await follow(repo, origin, "main");
    return;
  }
  const taken = single ? heads.filter(([ref]) => ref === wanted) : heads;
  const target = wanted === null ? headOid : (connection.refs.get(wanted) ?? null);
  const oids = [
    ...taken.map(([, oid]) => oid),
    ...(target === null ? [] : [target]),
    ...(single || options.has("no-tags") ? [] : tags.map(([, oid]) => oid)),
  ];
  // git too copies everything from a folder's repository, whatever the depth.
  if (source) await copyObjects(source, repo);
  else await fetchPack(run, repo, connection, { oids, depth });
  for (const [ref, oid] of taken) await repo.refs.set(ref.replace("refs/heads/", `refs/remotes/${origin}/`), oid);
  if (!options.has("no-tags")) {
    for (const [ref, oid] of tags) if (ref === wanted || !single || (await repo.objects.has(oid))) await repo.refs.set(ref, oid);
  }
  if (usual !== null && (!single || usual === wanted))
    await repo.refs.setSymbolic(`refs/remotes/${origin}/HEAD`, usual.replace("refs/heads/", `refs/remotes/${origin}/`));
  if (target === null) {
    run.err("warning: remote HEAD refers to nonexistent ref, unable to checkout.\n\n");
    return;
  }
  const commit = await peel(repo, target);
  if (branch !== null) {
    await repo.refs.set(`refs/heads/${branch}`, commit);
    await repo.refs.attach(branch);
    await follow(repo, origin, branch);
  } else await repo.refs.detach(commit);
  await repo.refs.log(null, commit, await repo.committer(), `clone: from ${shownUrl(typed)}`);
  if (branch === null && given !== null && !options.has("quiet")) run.err(detachedAdvice(commit));
  if (!options.has("no-checkout")) await checkOut(repo, commit);
}

/** The address that git records for a clone of a folder. */
function placeOf(source: Repository, typed: string): string {
  if (typed.startsWith("file://")) return typed;
  return /\/\.git\/?$/.test(typed) || typed === ".git" ? `${source.top}/.git` : source.top;
}

/** Fills a clone without a working tree: it gets the branches themselves. */
async function fillBare(
  run: Run,
  repo: Repository,
  connection: Connection,
  source: Repository | null,
  origin: string,
  mirrors: boolean,
): Promise<void> {
  const refs = [...connection.refs].filter(([ref]) => ref.startsWith("refs/") && isSafeRef(ref));
  if (mirrors) {
    await repo.changeSetting(`remote.${origin}.fetch`, "+refs/*:refs/*");
    await repo.changeSetting(`remote.${origin}.mirror`, "true");
  }
  if (refs.length === 0) run.err("warning: You appear to have cloned an empty repository.\n");
  else if (source) await copyObjects(source, repo);
  else await fetchPack(run, repo, connection, { oids: refs.map(([, oid]) => oid), depth: null });
  for (const [ref, oid] of refs)
    if (mirrors || ref.startsWith("refs/heads/") || ref.startsWith("refs/tags/")) await repo.refs.set(ref, oid);
}

async function follow(repo: Repository, origin: string, branch: string): Promise<void> {
  await repo.changeSetting(`branch.${branch}.remote`, origin);
  await repo.changeSetting(`branch.${branch}.merge`, `refs/heads/${branch}`);
}

async function checkOut(repo: Repository, commit: Oid): Promise<void> {
  const index = await repo.readIndex();
  try {
    await resetTree(repo, index, await repo.snapshot(commit));
  } catch (error) {
    throw error instanceof Stop ? error : new Stop(128, `fatal: unable to checkout working tree: ${String(error)}\n`);
  }
  await repo.writeIndex(index);
}
