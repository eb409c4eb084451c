import { add } from "./commands/add.ts";
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
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { checkIgnore, lsFiles } from "./commands/ls-files.ts";
import { lsRemote } from "./commands/ls-remote.ts";
import { merge } from "./commands/merge.ts";
import { mv } from "./commands/mv.ts";
import { pull } from "./commands/pull.ts";
import { push } from "./commands/push.ts";
import { rebase } from "./commands/rebase.ts";
import { remote } from "./commands/remote.ts";
import { reset } from "./commands/reset.ts";
import { revParse } from "./commands/rev-parse.ts";
import { rm } from "./commands/rm.ts";
import { show } from "./commands/show.ts";
import { mergeBase, reflog, revList, shortlog } from "./commands/small.ts";
import { isGitCommand } from "./commands/absent.ts";
import { stash } from "./commands/stash.ts";
import { status } from "./commands/status.ts";
import { tag } from "./commands/tag.ts";
import { findRepository, type GitShell } from "./repository.ts";
import type { GitCommand, Run } from "./run.ts";
import { fatal, Stop } from "./stop.ts";
import { type ConfigEntry, normalKey } from "./store/config.ts";
import { workFiles } from "./store/files.ts";

export interface GitResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const commands: ReadonlyMap<string, GitCommand> = new Map([
  ["add", add],
  ["branch", branch],
  ["cat-file", catFile],
  ["check-ignore", checkIgnore],
  ["checkout", checkout],
  ["cherry-pick", cherryPick],
  ["clean", clean],
  ["clone", clone],
  ["commit", commit],
  ["config", config],
  ["diff", diff],
  ["fetch", fetchCommand],
  ["init", init],
  ["log", log],
  ["ls-files", lsFiles],
  ["ls-remote", lsRemote],
  ["ls-tree", lsTree],
  ["merge", merge],
  ["merge-base", mergeBase],
  ["mv", mv],
  ["pull", pull],
  ["push", push],
  ["rebase", rebase],
  ["reflog", reflog],
  ["remote", remote],
  ["reset", reset],
  ["restore", restore],
  ["revert", revert],
  ["rev-list", revList],
  ["rev-parse", revParse],
  ["rm", rm],
  ["shortlog", shortlog],
  ["show", show],
  ["stage", add],
  ["stash", stash],
  ["status", status],
  ["switch", switchCommand],
  ["tag", tag],
]);

/** Scripts read the number: this git answers as that version does. */
const version = "git version 2.39.5 (Vibey)\n";

export async function git(args: readonly string[], shell: GitShell): Promise<GitResult> {
  let stdout = "";
  let stderr = "";
  let exitCode: number;
  try {
    exitCode = await call(args, shell, { out: (text) => void (stdout += text), err: (text) => void (stderr += text) });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stderr += error.message;
    exitCode = error.exitCode;
  }
  return { stdout, stderr, exitCode };
}

async function call(args: readonly string[], shell: GitShell, print: Pick<Run, "out" | "err">): Promise<number> {
  const overrides: ConfigEntry[] = [];
  const files = workFiles(shell.fs);
  let { cwd } = shell;
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at++) {
    const arg = args[at] ?? "";
    if (arg === "-C") {
      cwd = files.resolve(cwd, args[++at] ?? fatal("no directory given for -C"));
      if (!(await shell.fs.exists(cwd)) || !(await shell.fs.stat(cwd)).isDirectory)
        fatal(`cannot change to '${cwd}': No such file or directory`);
    } else if (arg === "-c") {
      const [key = "", ...value] = (args[++at] ?? fatal("-c expects a configuration string")).split("=");
      overrides.push({
        key: normalKey(key) ?? fatal(`bad config parameter '${key}'`),
        value: value.length === 0 ? "true" : value.join("="),
      });
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
  const command = commands.get(name);
  if (!command && isGitCommand(name)) fatal(`Vibey's git has no '${name}'`);
  if (!command) throw new Stop(1, `git: '${name}' is not a git command. See 'git --help'.\n`);
  const inside: GitShell = { ...shell, cwd };
  return command(
    {
      ...print,
      shell: inside,
      overrides,
      words: args.slice(at + 1),
      async repository() {
        return (await findRepository(inside, overrides)) ?? fatal("not a git repository (or any of the parent directories): .git");
      },
    },
    args.slice(at + 1),
  );
}

function help(print: Pick<Run, "out">): number {
  print.out(
    `usage: git [-C <path>] [-c <name>=<value>] [--no-pager] <command> [<args>]\n\nVibey's git has these commands:\n   ${[...commands.keys()].join(" ")}\n`,
  );
  return 0;
}
