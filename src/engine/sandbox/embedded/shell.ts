// First: it has to be there before just-bash is.
import type { InterpreterErrors } from "./interpreter-errors.ts";
import { Bash, type Command, type CommandName, defineCommand, getCommandNames } from "just-bash/browser";
import { cutMiddle } from "./cut.ts";
import { projectFolder, type ShellDone } from "./protocol.ts";
import type { ShellFiles } from "./shell-files.ts";

export interface ShellRun {
  readonly command: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface Clock {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Settles after that many milliseconds or when the signal aborts, whichever is first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Runs one command at a time over the files. It ends at its time limit or when it is aborted, if it lets anybody know; see `embeddedSandbox` for the rest. */
export interface Shell {
  run(run: ShellRun): Promise<ShellDone>;
}

/** just-bash fails at these in a browser only after they were called; without them the shell says "command not found". */
const brokenInBrowsers = new Set<string>(["gzip", "gunzip", "zcat", "html-to-markdown"]);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash types its own list as plain texts.
const commands = getCommandNames().filter((name) => !brokenInBrowsers.has(name)) as CommandName[];

/** UTF-8 bytes: far above our own limit, because just-bash throws everything away that was printed when this one bites. */
const rawOutputLimit = 64 * 1024 * 1024;

/** The time limit and the output limit are what stops a command. sed and jq don't look at the clock, so their own counts stop them. */
const executionLimits = {
  maxCommandCount: 1e9,
  maxLoopIterations: 1e9,
  maxAwkIterations: 1e9,
  maxSedIterations: 1e6,
  maxOutputSize: rawOutputLimit,
};

/** just-bash's own deadline loses what was printed, so it comes after ours, for commands that compute on their own. Milliseconds. */
const deadlineDelay = 150;

export function createShell(files: ShellFiles, errors: InterpreterErrors, clock: Clock): Shell {
  /** The command that runs, if one does. */
  let current: { readonly deadline: number; readonly signal: AbortSignal } | null = null;
  let bash: { readonly timeoutMs: number; readonly shell: Bash } | null = null;

  /** Why the command that runs has to stop now. */
  function stop(): "aborted" | "time" | null {
    if (current === null) return null;
    if (current.signal.aborted) return "aborted";
    return clock.now() >= current.deadline ? "time" : null;
  }

  /** just-bash reports each command before it runs it; what is thrown here ends the script. */
  const checkpoint = {
    hit(): void {
      const why = stop();
      if (why !== null) throw errors.scriptEnd(why === "time" ? "vibey: stopped at the time limit" : "vibey: stopped");
    },
  };

  /** Ends early when the command has to stop. */
  async function sleep(ms: number): Promise<void> {
    if (current === null) return;
    const { deadline, signal } = current;
    await clock.sleep(Math.min(ms, Math.max(0, deadline - clock.now())), signal);
  }

  function bashWith(timeoutMs: number): Bash {
    if (bash?.timeoutMs !== timeoutMs) {
      const shell = new Bash({
        fs: files,
        cwd: projectFolder,
        env: { HOME: projectFolder, TMPDIR: "/tmp", LANG: "C.UTF-8", TERM: "dumb" },
        commands,
        customCommands: [sayWhatStayed(files), spacedXargs],
        executionLimits: { ...executionLimits, maxExecutionTimeMs: timeoutMs + deadlineDelay },
        coverage: checkpoint,
        sleep,
        // The worker is the boundary; patching its globals while a command runs would only slow it down.
        defenseInDepth: false,
      });
      bash = { timeoutMs, shell };
    }
    return bash.shell;
  }

  return {
    async run({ command, folder, timeoutMs, maxBytes, signal }) {
      const there = files.isFolder(folder);
      const remarks = there ? [] : [`vibey: the working directory ${folder} is gone; this command ran in ${projectFolder}`];
      files.beginCommand();
      files.takeRefused();
      current = { deadline: clock.now() + timeoutMs, signal };
      const ended = await bashWith(timeoutMs).exec(command, { cwd: there ? folder : projectFolder, rawScript: true });
      // A command that ended by itself at the very last moment counts as stopped.
      const stopped = stop();
      current = null;
      const tooMuch = ended.exitCode === 126 && ended.stderr.includes("output size");
      for (const line of files.takeRefused()) if (!ended.stderr.includes(line)) remarks.push(`vibey: ${line}`);
      const stdout = cutMiddle(ended.stdout, maxBytes);
      const stderr = cutMiddle(withLines(plainly(ended.stderr), remarks), maxBytes);
      return {
        type: "done",
        stdout: stdout.text,
        stderr: stderr.text,
        exitCode: stopped === "time" ? 124 : stopped === "aborted" ? 130 : ended.exitCode,
        limit: stopped === "time" ? "time" : tooMuch || stdout.cut || stderr.cut ? "output" : null,
        aborted: stopped === "aborted",
        folder: ended.env["PWD"] ?? projectFolder,
      };
    },
  };
}

/** just-bash has advice for whoever builds with it; who types a command needs to know that there is no such command. */
function plainly(stderr: string): string {
  return stderr.replaceAll(/^bash: (\S+): command not available in browser environments\..*$/gm, "bash: $1: command not found");
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}\n`;
}

/** `rm -f` of just-bash keeps quiet about what it could not remove. Ours does not. */
function sayWhatStayed(files: ShellFiles): Command {
  return defineCommand("rm", async (args, context) => {
    const before = files.refusedCount();
    const result = await original(context.origCommand, args);
    if (files.refusedCount() === before || result.exitCode !== 0) return result;
    return { ...result, stderr: `${result.stderr}rm: some files were not removed\n`, exitCode: 1 };
  });
}

/** just-bash's xargs takes `-I {}` and `-n 1`, not `-I{}` and `-n1`. */
const spacedXargs = defineCommand("xargs", async (args, context) => {
  const spaced: string[] = [];
  let options = true;
  for (const [i, arg] of args.entries()) {
    const attached = options ? /^-([InPLd])(.+)$/s.exec(arg) : null;
    if (attached) spaced.push(`-${attached[1]}`, attached[2] ?? "");
    else spaced.push(arg);
    // The command starts at the first word that is neither an option nor an option's value.
    if (!arg.startsWith("-") && !/^-[InPLd]$/.test(args[i - 1] ?? "")) options = false;
  }
  return original(context.origCommand, spaced);
});

type Original = Parameters<Parameters<typeof defineCommand>[1]>[1]["origCommand"];

function original(command: Original, args: string[]): ReturnType<NonNullable<Original>> {
  if (!command) throw new Error("this command wraps one of just-bash's own");
  return command(args);
}
