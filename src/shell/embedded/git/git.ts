import { add } from "./commands/add.ts";
import { am, formatPatch } from "./commands/mail.ts";
import { apply } from "./commands/apply.ts";
import { archive } from "./commands/archive.ts";
import { bisect } from "./commands/bisect.ts";
import { blame } from "./commands/blame.ts";
import { describe } from "./commands/describe.ts";
import { grep } from "./commands/grep.ts";
import {
  cherry,
  countObjects,
  diffFiles,
  diffIndex,
  diffTree,
  hashObject,
  housekeeping,
  updateIndex,
  variable,
} from "./commands/objects.ts";
import { forEachRef, nameRev, showRef, symbolicRef, updateRef } from "./commands/refs.ts";
import { branch } from "./commands/branch.ts";
import { catFile, lsTree } from "./commands/cat-file.ts";
import { checkout, restore, switchCommand } from "./commands/checkout.ts";
import { cherryPick, revert } from "./commands/cherry-pick.ts";
import { clone } from "./commands/clone.ts";
import { clean } from "./commands/clean.ts";
import { commit } from "./commands/commit.ts";
import { config } from "./commands/config.ts";
import { diff } from "./commands/diff.ts";
import { fetchCommand } from "./commands/fetch.ts";
import { fsck } from "./commands/fsck.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { checkAttr } from "./commands/check-attr.ts";
import { checkIgnore, lsFiles } from "./commands/ls-files.ts";
import { lsRemote } from "./commands/ls-remote.ts";
import { merge } from "./commands/merge.ts";
import { mv } from "./commands/mv.ts";
import { commitTree, readTree, whatchanged, writeTree } from "./commands/trees.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { rebase } from "./commands/rebase.ts";
import { remote } from "./commands/remote.ts";
import { reset } from "./commands/reset.ts";
import { revParse } from "./commands/rev-parse.ts";
import { rm } from "./commands/rm.ts";
import { show } from "./commands/show.ts";
import { reflog } from "./commands/reflog.ts";
import { mergeBase, revList, shortlog } from "./commands/small.ts";
import { insteadOfGitCommand } from "./commands/absent.ts";
import { notes } from "./commands/notes.ts";
import { submodule } from "./commands/submodule.ts";
import { worktree } from "./commands/worktree.ts";
import { type GitName, gitNames, isGitName } from "./commands/names.ts";
import { stash } from "./commands/stash.ts";
import { status } from "./commands/status.ts";
import { tag } from "./commands/tag.ts";
import { findRepository, type GitShell, isBareFolder, openBare, openRepository, type Repository } from "./repository.ts";
import type { GitCommand, Run } from "./run.ts";
import { fatal, Stop } from "./stop.ts";
import { type ConfigEntry, normalKey } from "./store/config.ts";
import { workFiles } from "./store/files.ts";
import { concat, encode } from "./text/bytes.ts";

export interface GitResult {
  /** Bytes if some of the output is not text. */
  readonly stdout: string | Uint8Array;
  readonly stderr: string;
  readonly exitCode: number;
}

const commands: Readonly<Record<GitName, GitCommand>> = {
  add,
  am,
  annotate: blame,
  apply,
  archive,
  bisect,
  blame,
  branch,
  "cat-file": catFile,
  "check-attr": checkAttr,
  "check-ignore": checkIgnore,
  checkout,
  cherry,
  "cherry-pick": cherryPick,
  clean,
  clone,
  commit,
  config,
  "count-objects": countObjects,
  describe,
  "commit-tree": commitTree,
  diff,
  "diff-files": diffFiles,
  "diff-index": diffIndex,
  "diff-tree": diffTree,
  fetch: fetchCommand,
  "for-each-ref": forEachRef,
  "format-patch": formatPatch,
  fsck,
  gc: housekeeping,
  grep,
  "hash-object": hashObject,
  init,
  log,
  "ls-files": lsFiles,
  "ls-remote": lsRemote,
  "ls-tree": lsTree,
  merge,
  "merge-base": mergeBase,
  mv,
  notes,
  "name-rev": nameRev,
  "pack-refs": housekeeping,
  prune: housekeeping,
  pull,
  push,
  "read-tree": readTree,
  rebase,
  reflog,
  remote,
  reset,
  restore,
  "rev-list": revList,
  "rev-parse": revParse,
  revert,
  rm,
  shortlog,
  show,
  "show-ref": showRef,
  stage: add,
  stash,
  status,
  submodule,
  switch: switchCommand,
  "symbolic-ref": symbolicRef,
  tag,
  "update-index": updateIndex,
  "update-ref": updateRef,
  var: variable,
  whatchanged,
  worktree,
  "write-tree": writeTree,
};

/** Scripts read this number: this git behaves like that version. */
const version = "git version 2.39.5 (Vibey)\n";

export async function git(args: readonly string[], shell: GitShell): Promise<GitResult> {
  const printed: (string | Uint8Array)[] = [];
  let stderr = "";
  let exitCode: number;
  try {
    exitCode = await call(args, shell, {
      out: (text) => void printed.push(text),
      outBytes: (bytes) => void printed.push(bytes),
      err: (text) => void (stderr += text),
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stderr += error.message;
    exitCode = error.exitCode;
  }
  const isText = printed.every((part) => typeof part === "string");
  const stdout = isText ? printed.join("") : concat(printed.map((part) => (typeof part === "string" ? encode(part) : part)));
  return { stdout, stderr, exitCode };
}

type Print = Pick<Run, "out" | "outBytes" | "err">;

/** Commands that make no sense without a working tree. */
const inWorkTree: ReadonlySet<string> = new Set(
  "add am checkout cherry-pick clean commit merge mv pull rebase reset restore revert rm stage stash status switch".split(" "),
);

/** `--git-dir` and `--work-tree`. */
async function namedRepository(
  shell: GitShell,
  overrides: readonly ConfigEntry[],
  gitDir: string,
  workTree: string | null,
): Promise<Repository | null> {
  const files = workFiles(shell.fs);
  const folder = files.resolve(shell.cwd, gitDir);
  if (!(await isBareFolder(files, folder))) return fatal(`not a git repository: '${gitDir}'`);
  const usual = folder.endsWith("/.git") && workTree === null;
  if (workTree !== null || usual) {
    const top = workTree === null ? shell.cwd : files.resolve(shell.cwd, workTree);
    const cwd = shell.cwd === top || shell.cwd.startsWith(`${top}/`) ? shell.cwd : top;
    return openRepository({ ...shell, cwd }, top, overrides, { gitdir: folder, common: folder, isBare: false });
  }
  return openBare({ ...shell, cwd: folder }, folder, overrides);
}

/** The text that `alias.name` stands for; null if there is none. */
async function aliasOf(shell: GitShell, overrides: readonly ConfigEntry[], name: string): Promise<string | null> {
  const repo = (await findRepository(shell, overrides)) ?? openRepository(shell, shell.cwd, overrides);
  return repo.setting(`alias.${name.toLowerCase()}`);
}

/** The maximum depth of aliases that call aliases. */
const deepest = 20;

async function callAlias(
  shell: GitShell,
  name: string,
  meant: string,
  before: readonly string[],
  rest: readonly string[],
  print: Print,
  depth: number,
): Promise<number> {
  if (depth > deepest) fatal(`alias loop detected: expansion of '${name}' does not terminate`);
  if (!meant.startsWith("!")) return call([...before, ...words(meant), ...rest], shell, print, depth + 1);
  if (!shell.execute) fatal(`Vibey's git can't run the alias '${name}' here: ${meant}`);
  const repo = await findRepository(shell, []);
  const done = await shell.execute([
    "sh",
    "-c",
    `cd '${(repo?.top ?? shell.cwd).replaceAll("'", "'\\''")}'; ${meant.slice(1)} "$@"`,
    meant.slice(1),
    ...rest,
  ]);
  print.out(done.stdout);
  print.err(done.stderr);
  return done.exitCode;
}

/** Splits an alias like git does: at blanks, with quotes and backslashes. */
function words(text: string): string[] {
  return [...text.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/gs)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
      (_, single?: string, double?: string, one?: string) => single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? one ?? "",
    ),
  );
}

async function call(args: readonly string[], shell: GitShell, print: Print, depth = 0): Promise<number> {
  const overrides: ConfigEntry[] = [];
  const files = workFiles(shell.fs);
  let cwd = files.resolve("/", shell.cwd);
  let gitDir = shell.env("GIT_DIR") ?? null;
  let workTree = shell.env("GIT_WORK_TREE") ?? null;
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at++) {
    const arg = args[at] ?? "";
    if (arg === "-C") {
      const typed = args[++at] ?? fatal("no directory given for -C");
      cwd = files.resolve(cwd, typed);
      if (!(await shell.fs.exists(cwd)) || !(await shell.fs.stat(cwd)).isDirectory)
        fatal(`cannot change to '${typed}': No such file or directory`);
    } else if (arg === "-c") {
      const [key = "", ...value] = (args[++at] ?? fatal("-c expects a configuration string")).split("=");
      overrides.push({
        key: normalKey(key) ?? fatal(`bad config parameter '${key}'`),
        value: value.length === 0 ? "true" : value.join("="),
      });
    } else if (/^--(?:git-dir|work-tree)(?:=|$)/.test(arg)) {
      const value = arg.includes("=") ? arg.slice(arg.indexOf("=") + 1) : (args[++at] ?? fatal(`no directory given for ${arg}`));
      if (arg.startsWith("--git-dir")) gitDir = value;
      else workTree = value;
    } else if (arg === "--version" || arg === "-v") {
      print.out(version);
      return 0;
    } else if (arg === "--help" || arg === "-h") return help(print);
    else if (!["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"].includes(arg))
      throw new Stop(129, `unknown option: ${arg}\nusage: git [-C <path>] [-c <name>=<value>] [--no-pager] <command> [<args>]\n`);
  }
  const name = args[at];
  if (name === undefined) {
    help(print);
    return 1;
  }
  if (name === "version") {
    print.out(version);
    return 0;
  }
  const inside: GitShell = { ...shell, cwd };
  const command = isGitName(name) ? commands[name] : undefined;
  const instead = command ? null : insteadOfGitCommand(name);
  // As in git, an alias can't replace a git command.
  const meant = command || instead !== null ? null : await aliasOf(inside, overrides, name);
  if (meant !== null) return callAlias(inside, name, meant, args.slice(0, at), args.slice(at + 1), print, depth);
  if (instead !== null) fatal(`Vibey's git has no '${name}': ${instead}`);
  if (!command) throw new Stop(1, `git: '${name}' is not a git command. See 'git --help'.\n`);
  return command(
    {
      ...print,
      shell: inside,
      overrides,
      words: args.slice(at + 1),
      async repository() {
        const found =
          gitDir === null ? await findRepository(inside, overrides) : await namedRepository(inside, overrides, gitDir, workTree);
        if (found === null) fatal("not a git repository (or any of the parent directories): .git");
        if (found.isBare && inWorkTree.has(name)) fatal("this operation must be run in a work tree");
        return found;
      },
    },
    args.slice(at + 1),
  );
}

function help(print: Pick<Run, "out">): number {
  print.out(
    `usage: git [-C <path>] [-c <name>=<value>] [--no-pager] <command> [<args>]\n\nVibey's git has these commands:\n   ${gitNames.join(" ")}\n`,
  );
  return 0;
}
