import { canonicalText } from "../../../../fs/path.ts";
import { parseOptions } from "../options.ts";
import { linkedPlace, openRepository, type Repository } from "../repository.ts";
import { findCommit, mustFindCommit, shortOid } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { readStatus } from "../status.ts";
import { absent, fatal, Stop } from "../stop.ts";
import { isRefName } from "../store/refs.ts";
import { resetTree } from "../switch-tree.ts";
import { encode } from "../text/bytes.ts";
import { placeOfWorktree, readWorktrees, refuseElsewhere, type Worktree } from "../worktrees.ts";
import { createBranch, trackStart } from "./branch.ts";
import { described } from "./checkout.ts";

const usage = `usage: git worktree add [-f] [--detach] [--checkout] [--lock [--reason <string>]]
                        [-b <new-branch>] <path> [<commit-ish>]
   or: git worktree list [-v | --porcelain [-z]]
   or: git worktree lock [--reason <string>] <worktree>
   or: git worktree move <worktree> <new-path>
   or: git worktree prune [-n] [-v] [--expire <expire>]
   or: git worktree remove [-f] <worktree>
   or: git worktree repair [<path>...]
   or: git worktree unlock <worktree>

`;

export const worktree: GitCommand = async (run, args) => {
  const [verb, ...rest] = args;
  if (verb === undefined) throw new Stop(129, `error: need a subcommand\n${usage}`);
  const repo = await run.repository();
  switch (verb) {
    case "add":
      return add(run, repo, rest);
    case "list":
      return list(run, repo, rest);
    case "remove":
      return remove(repo, rest);
    case "prune":
      return prune(run, repo, rest);
    case "lock":
    case "unlock":
      return lock(repo, verb, rest);
    case "move":
    case "repair":
      return absent(`worktree ${verb}; use git worktree remove and git worktree add`);
    default:
      throw new Stop(129, `error: unknown subcommand: \`${verb}'\n${usage}`);
  }
};

async function add(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("worktree add", args, [
    "f force",
    "d detach",
    "b=",
    "B=",
    "q quiet",
    "checkout",
    "no-checkout",
    "lock",
    "reason=",
    "track",
    "no-track",
    "guess-remote",
    "no-guess-remote",
  ]);
  const [typed, given] = options.words;
  if (typed === undefined || options.words.length > 2) throw new Stop(129, usage);
  const path = repo.files.resolve(run.shell.cwd, typed);
  const { project } = run.shell;
  const inProject = path.startsWith(`${project}/`) ? canonicalText(path.slice(project.length + 1)) : "";
  if (inProject === null || inProject === "vibey" || inProject.startsWith("vibey/"))
    fatal("vibey/ holds docs and dialogs; no repository can be in it");
  const there = await repo.files.stat(path);
  if (there !== null && (!there.isFolder || (await repo.files.list(path)).length > 0)) fatal(`'${typed}' already exists`);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const made = options.value("b") ?? options.value("B");
  const say = (text: string): void => {
    if (!options.has("quiet")) run.err(`Preparing worktree (${text})\n`);
  };
  const isBranch = async (text: string): Promise<boolean> => (await repo.refs.resolve(`refs/heads/${text}`)) !== null;
  let branch: string | null = made;
  const start = given ?? "HEAD";
  if (made === null && !options.has("detach")) {
    // Without a commit, the branch gets the folder's name.
    if (given === undefined) branch = name;
    else if (await isBranch(given)) branch = given;
  }
  const isNew = branch !== null && (made !== null || (given === undefined && !(await isBranch(branch))));
  if (branch !== null && isNew) {
    if (!isRefName(branch)) fatal(`'${branch}' is not a valid branch name`);
    if (made !== null && options.value("B") === null && (await isBranch(branch))) {
      say(`new branch '${branch}'`);
      fatal(`a branch named '${branch}' already exists`);
    }
    if ((await findCommit(repo, start)) === null) fatal(`invalid reference: ${start}`);
    say(`new branch '${branch}'`);
    await createBranch(repo, branch, start, options.has("B"));
    const said = given === undefined ? "" : await trackStart(repo, branch, start, options.has("no-track") ? false : null);
    if (!options.has("quiet")) run.out(said);
  } else if (branch !== null) {
    say(`checking out '${branch}'`);
    if (!options.has("force")) await refuseElsewhere({ ...repo, top: "" }, branch);
  } else if ((await findCommit(repo, start)) === null) fatal(`invalid reference: ${start}`);
  const oid = await mustFindCommit(repo, branch === null ? start : `refs/heads/${branch}`);
  if (branch === null) say(`detached HEAD ${shortOid(oid)}`);
  const gitdir = placeOfWorktree(repo, await freeId(repo, name));
  await repo.files.write(`${gitdir}/commondir`, encode("../..\n"));
  await repo.files.write(`${gitdir}/gitdir`, encode(`${path}/.git\n`));
  await repo.files.write(`${gitdir}/HEAD`, encode(branch === null ? `${oid}\n` : `ref: refs/heads/${branch}\n`));
  if (options.has("lock")) await repo.files.write(`${gitdir}/locked`, encode(`${options.value("reason") ?? ""}\n`));
  await repo.files.write(`${path}/.git`, encode(`gitdir: ${gitdir}\n`));
  const linked = openRepository({ ...run.shell, cwd: path }, path, run.overrides, { gitdir, common: repo.common, isBare: false });
  if (!options.has("no-checkout")) {
    const index = await linked.readIndex();
    await resetTree(linked, index, await linked.snapshot(oid));
    await linked.writeIndex(index);
    await linked.refs.log(null, oid, await linked.committer(), "");
    if (!options.has("quiet")) run.out(`HEAD is now at ${await described(linked, oid)}\n`);
  }
  return 0;
}

async function freeId(repo: Repository, name: string): Promise<string> {
  for (let i = 0; ; i++) {
    const id = i === 0 ? name : `${name}${i}`;
    if ((await repo.files.stat(placeOfWorktree(repo, id))) === null) return id;
  }
}

async function list(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("worktree list", args, ["porcelain", "v verbose", "z", "expire="]);
  const trees = await readWorktrees(repo);
  if (options.has("porcelain")) {
    const end = options.has("z") ? "\0" : "\n";
    for (const tree of trees) run.out(`${porcelain(tree).join(end)}${end}${end}`);
    return 0;
  }
  const width = Math.max(...trees.map(({ path }) => path.length));
  for (const { path, oid, branch, isBare, isGone, locked } of trees) {
    const at = isBare ? "(bare)" : `${shortOid(oid ?? "0000000")} ${branch === null ? "(detached HEAD)" : `[${branch}]`}`;
    run.out(`${path.padEnd(width)}  ${at}${locked === null ? "" : " locked"}${isGone && locked === null ? " prunable" : ""}\n`);
  }
  return 0;
}

const gone = "gitdir file points to non-existent location";

function porcelain({ path, oid, branch, isBare, isGone, locked }: Worktree): string[] {
  if (isBare) return [`worktree ${path}`, "bare"];
  return [
    `worktree ${path}`,
    `HEAD ${oid ?? "0".repeat(40)}`,
    branch === null ? "detached" : `branch refs/heads/${branch}`,
    ...(locked === null ? [] : [locked === "" ? "locked" : `locked ${locked}`]),
    ...(isGone && locked === null ? [`prunable ${gone}`] : []),
  ];
}

/** Finds the worktree by its path or by the end of its path. */
async function find(repo: Repository, typed: string): Promise<Worktree & { readonly id: string }> {
  const path = repo.files.resolve(repo.shell.cwd, typed);
  const trees = await readWorktrees(repo);
  const ends = trees.filter((tree) => tree.path.endsWith(`/${typed.replace(/\/+$/, "")}`));
  const found = trees.find((tree) => tree.path === path) ?? (ends.length === 1 ? ends[0] : undefined);
  if (!found) return fatal(`'${typed}' is not a working tree`);
  return found.id === null ? fatal(`'${typed}' is a main working tree`) : { ...found, id: found.id };
}

async function remove(repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("worktree remove", args, ["f force"]);
  const [typed] = options.words;
  if (typed === undefined || options.words.length > 1) throw new Stop(129, usage);
  const tree = await find(repo, typed);
  if (tree.locked !== null && options.order.filter((name) => name === "force").length < 2)
    fatal("cannot remove a locked working tree;\nuse 'remove -f -f' to override or unlock first");
  const gitdir = placeOfWorktree(repo, tree.id);
  const invalid = (why: string): never => fatal(`validation failed, cannot remove working tree: ${why}`);
  if (tree.isGone && (await repo.files.stat(tree.path)) !== null) invalid(`'${tree.path}/.git' does not exist`);
  if (!tree.isGone && (await linkedPlace(repo.files, tree.path))?.gitdir !== gitdir)
    invalid(`'${tree.path}' does not point back to '${gitdir}'`);
  if (!tree.isGone && !options.has("force")) {
    const linked = openRepository({ ...repo.shell, cwd: tree.path }, tree.path, [], { gitdir, common: repo.common, isBare: false });
    const { staged, unstaged, conflicts, untracked } = await readStatus(linked, linked.spec([":/"]), { untracked: "normal" });
    if (staged.length + unstaged.length + conflicts.size + untracked.length > 0)
      fatal(`'${typed}' contains modified or untracked files, use --force to delete it`);
  }
  if (!tree.isGone) await repo.files.removeFolder(tree.path);
  await drop(repo, tree.id);
  return 0;
}

async function drop(repo: Repository, id: string): Promise<void> {
  await repo.files.removeFolder(placeOfWorktree(repo, id));
  const folder = `${repo.common}/worktrees`;
  if ((await repo.files.stat(folder)) !== null && (await repo.files.list(folder)).length === 0) await repo.files.removeFolder(folder);
}

async function prune(run: Run, repo: Repository, args: readonly string[]): Promise<number> {
  const options = parseOptions("worktree prune", args, ["n dry-run", "v verbose", "expire="]);
  for (const { id, isGone, locked } of await readWorktrees(repo)) {
    if (id === null || !isGone || locked !== null) continue;
    if (options.has("verbose") || options.has("dry-run")) run.err(`Removing worktrees/${id}: ${gone}\n`);
    if (!options.has("dry-run")) await drop(repo, id);
  }
  return 0;
}

async function lock(repo: Repository, verb: "lock" | "unlock", args: readonly string[]): Promise<number> {
  const options = parseOptions(`worktree ${verb}`, args, ["reason="]);
  const [typed] = options.words;
  if (typed === undefined) throw new Stop(129, usage);
  const { id, locked } = await find(repo, typed);
  const file = `${placeOfWorktree(repo, id)}/locked`;
  if (verb === "lock") {
    if (locked !== null) fatal(`'${typed}' is already locked${locked === "" ? "" : `, reason: ${locked}`}`);
    await repo.files.write(file, encode(`${options.value("reason") ?? ""}\n`));
  } else if (locked === null) fatal(`'${typed}' is not locked`);
  else await repo.files.remove(file, repo.common);
  return 0;
}
