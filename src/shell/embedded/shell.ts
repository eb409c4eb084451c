// This import comes first: it must run before just-bash loads.
import type { InterpreterErrors } from "./interpreter-errors.ts";
import { Bash, type CommandName, getCommandNames } from "just-bash/browser";
import { splitRanges } from "./brace-ranges.ts";
import { cutMiddle } from "./cut.ts";
import type { CommonHost } from "./host.ts";
import { spanOfScript } from "./in-span.ts";
import { plainSyntax } from "./error-places.ts";
import { createJobOutput } from "./job-output.ts";
import { createJoinedOutput } from "./joined-output.ts";
import { createJobs } from "./jobs.ts";
import { runInside } from "./interpreter.ts";
import { type RunCommand, watchInterpreter } from "./watcher.ts";
import { withoutErrexit } from "./patch-interpreter.ts";
import type { Interpreter } from "./running-script.ts";
import { createLiveSender } from "./live-output.ts";
import type { Disk, Machine } from "./machine.ts";
import type { Asking, NetAnswer, NetRequest } from "../network.ts";
import { createMemoryGuard, mostVariables } from "./memory.ts";
import type { ShellDone } from "./protocol.ts";
import { readableSource } from "./readable-source.ts";
import type { Script } from "./script-nodes.ts";
import { isJobShell, isOwnShell } from "./script.ts";
import { beginnerOf } from "./shell-frames.ts";
import { createShells } from "./shells.ts";
import { spanOf } from "./spans.ts";
import { stoppable } from "./stoppable.ts";
import { createTerminal } from "./terminal.ts";
import { toShown } from "./stray-bytes.ts";
import { endingCode } from "./traps.ts";
import { createTimeLimit, type TimeLimit } from "./pausable-timer.ts";
import type { Clock } from "./clock.ts";

export interface ShellRun {
  readonly command: string;
  readonly folder: string;
  /** The variables that were exported before. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly liveCharacters: number;
  readonly signal: AbortSignal;
}

/**
 * Runs one command at a time over the files. A command ends at its time limit or when it is aborted, if it checks for that; `embeddedSandbox` handles
 * the rest.
 */
export interface Shell {
  run(run: ShellRun): Promise<ShellDone>;
  /** Pauses the command's time, or continues it. */
  setClock(running: boolean): void;
}

/** What the engine does for a command. */
export interface ShellLink extends Pick<CommonHost, "show" | "background"> {
  /** `hasJobs`: one of the command's own jobs runs, so a port of this machine belongs to them and not to the user's device. */
  readonly fetch: (request: NetRequest, hasJobs: boolean, asking: Asking & { readonly signal: AbortSignal }) => Promise<NetAnswer>;
}

/** In a browser just-bash fails at these only when they are called. Without them the shell says "command not found". */
const brokenInBrowsers = new Set<string>(["html-to-markdown"]);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash types its own list as plain strings.
const commands = getCommandNames().filter((name) => !brokenInBrowsers.has(name)) as CommandName[];

/** UTF-8 bytes, far above our own limit, because just-bash discards all output when this limit is reached. */
const rawOutputLimit = 64 * 1024 * 1024;

/** Only the time limit and the output limit stop a command. Nested calls are counted because each takes part of the stack. */
const executionLimits = {
  maxCommandCount: 1e9,
  maxLoopIterations: 1e9,
  maxAwkIterations: 1e9,
  maxCallDepth: 500,
  maxBraceExpansionResults: 1e6,
  maxOutputSize: rawOutputLimit,
};

/** Milliseconds. just-bash's own deadline loses the output, so it comes after ours, for commands that compute without checking. */
const deadlineDelay = 150;

/** Milliseconds: longer than any command, and within the maximum of a timer. */
const farAway = 2 ** 30;

const tooMuchMemory = `vibey: stopped: the shell's variables take more than ${mostVariables / 1_000_000} MB`;

/** The maximum depth of files that run each other by name. Each takes part of the stack. */
const mostScripts = 100;

/** Milliseconds that a command's background jobs get after its end, and again after the signal that they get then. */
const jobsGrace = 50;
/** Timers that make up that time: on a busy machine one timer could fire before a job had a turn. */
const graceSteps = 5;
/** Commands that a job may run after the time is over, so that its trap runs on a busy machine too. A loop that computes runs them in milliseconds. */
const commandsAfter = 100;

export function createShell(disk: Disk, errors: InterpreterErrors, clock: Clock, link: ShellLink, machine: Machine): Shell {
  const { project } = machine;
  // For each command, just-bash copies a plain object with all its methods. An object that inherits them is not copied.
  const files: Disk = Object.create(disk);
  /** The running command, if any. */
  let current: TimeLimit | null = null;
  const jobOutput = createJobOutput(files);
  const shells = createShells(runInside);
  const jobs = createJobs(jobOutput, shells);
  const terminal = createTerminal(() => jobs.run());
  const joined = createJoinedOutput(terminal);
  let memory = createMemoryGuard(() => clock.now());
  let live = createLiveSender(link.show, clock, 0);
  /** Jobs are stopped from this time on, after so many more commands. Null while the command itself runs. */
  let jobsEnd: { readonly at: number; commands: number } | null = null;
  /** Jobs that were stopped between two of their commands. */
  let jobsStopped = 0;
  let bash: Bash | null = null;
  /** The variables at the end of a command that did not reach its last line, such as one with `exit`; null: it did, or it was stopped. */
  let left: Readonly<Record<string, string>> | null = null;
  /** Bytes that the running command has dropped from its output. */
  let leftOut = { stdout: 0, stderr: 0 };

  /** Between two commands nothing may continue: what a command left behind must not run during the next one. */
  const stop = (): "aborted" | "time" | null => (current === null ? "aborted" : current.stop());

  /** just-bash reports each command before it runs; an error thrown here ends the script. */
  const checkpoint = {
    hit(): void {
      const why = stop();
      if (why !== null) throw errors.scriptEnd(why === "time" ? "vibey: stopped at the time limit" : "vibey: stopped");
      // A job that computes lets no timer fire, so it learns of its end here.
      if (jobsEnd === null) return;
      jobsEnd.commands -= 1;
      if (jobsEnd.commands >= 0 || clock.now() < jobsEnd.at) return;
      jobsStopped += 1;
      throw errors.scriptEnd(null);
    },
  };

  /** For each interpreter, the depth of scripts that it is in. */
  const scripts = new Map<Interpreter, number>();
  watchInterpreter(files, {
    around: machine.around ?? null,
    command(interpreter, node, run) {
      if (memory.isTooMuch(interpreter)) throw errors.scriptEnd(tooMuchMemory);
      if (spanOfScript(interpreter)?.isOver() === true) throw errors.scriptEnd(null);
      const own: RunCommand = isOwnShell(node) ? () => shells.run(interpreter, isJobShell(node) ? "job" : "subshell", false, run) : run;
      return shells.command(interpreter, () =>
        jobOutput.isIn(interpreter)
          ? jobOutput.run(interpreter, node, own)
          : terminal.watcher.command(interpreter, node, () => joined.command(interpreter, node, own)),
      );
    },
    async script(interpreter, script, run, isFile) {
      const depth = scripts.get(interpreter) ?? 0;
      if (isFile && depth >= mostScripts) throw errors.scriptEnd(`bash: more than ${mostScripts} scripts within scripts`);
      scripts.set(interpreter, depth + 1);
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a script.
        splitRanges(script as Script);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same.
        jobs.adopt(script as Script);
        const plain = isOwnShell(script) ? () => withoutErrexit(interpreter, run) : run;
        const kind = depth === 0 || isFile ? "program" : isOwnShell(script) ? "subshell" : null;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same.
        const own = kind === null ? plain : () => shells.run(interpreter, kind, isOneCommand(interpreter, script as Script), plain);
        if (jobOutput.isIn(interpreter)) return await jobOutput.script(interpreter, script, own, isFile);
        return await terminal.watcher.script(interpreter, script, () => joined.script(interpreter, script, own, isFile), isFile);
      } catch (error) {
        if (depth === 0 && beginnerOf(interpreter) === null && endingCode(error) !== null) left = variablesOf(interpreter);
        throw error;
      } finally {
        if (depth > 0) scripts.set(interpreter, depth);
        else {
          scripts.delete(interpreter);
          memory.forget(interpreter);
        }
      }
    },
    call: (interpreter, name, run) => (jobOutput.isIn(interpreter) ? run() : joined.call(interpreter, name, run)),
    failed: (interpreter, exitCode) => shells.failed(interpreter, exitCode),
    trapsErrors: (interpreter) => shells.trapsErrors(interpreter),
  });

  /** Ends early if the command must stop. */
  async function sleep(ms: number): Promise<void> {
    if (current !== null) await clock.sleep(ms, current.signal);
  }

  const signal = (): AbortSignal => current?.signal ?? AbortSignal.abort();

  const host: CommonHost = {
    project,
    fetch(request, asking) {
      const stopped = asking?.signal === undefined ? signal() : AbortSignal.any([signal(), asking.signal]);
      return stoppable(
        () => link.fetch(request, jobs.run(), { ...asking, signal: stopped }),
        stopped,
        () => ({ kind: "failed", why: "the command was stopped" }),
      );
    },
    background: (operands) =>
      stoppable(
        () => link.background(operands),
        signal(),
        () => ({
          stdout: "",
          stderr: "background: the command was stopped\n",
          exitCode: 130,
        }),
      ),
    show: (output) => live.send(output),
    terminal(context) {
      const early = jobOutput.early(spanOf(context));
      if (early !== undefined) return early;
      const joinedEarly = joined.early();
      return joinedEarly === undefined ? terminal.early() : joinedEarly;
    },
    shows: (stream) => joined.shows(stream) ?? terminal.shows(stream),
    leaveOut: (stream, bytes) => void (leftOut[stream] += bytes),
    refusedCount: () => files.refusedCount(),
    stop,
    timeLeft: () => current?.left() ?? 0,
    sleep: (ms, stopped) => clock.sleep(ms, stopped),
    signal,
  };

  function start(): Bash {
    const shell = new Bash({
      fs: files,
      cwd: project,
      env: { ...machine.env },
      commands,
      customCommands: [...machine.commands(host), ...jobs.commands],
      executionLimits,
      coverage: checkpoint,
      sleep,
      // The worker is the boundary; patching its globals while a command runs would only slow it down.
      defenseInDepth: false,
    });
    // just-bash checks this value wherever it computes, and sets a timer by it for each command. Paused time moves the end, so this value is far away
    // until the time is over.
    const isSet = Reflect.defineProperty(limitsOf(shell), "maxExecutionTimeMs", {
      get: () => (current !== null && current.isOver(deadlineDelay) ? -1 : farAway),
    });
    if (!isSet) throw new Error("just-bash's limits can't be changed: was it updated?");
    jobs.attach(shell, (script) => terminal.read(script));
    return shell;
  }

  /** just-bash gives advice to developers; the person who typed the command needs to know that there is no such command. */
  function plainly(stderr: string, typed: string): string {
    const hasPattern = typed.includes("!(");
    return plainSyntax(stderr, null)
      .replaceAll(
        /^(.*: syntax error .*unexpected token `coproc'.*)$/gm,
        "$1: coproc is not here; use a pipe, or `command > file &` and read the file",
      )
      .replaceAll(
        /^(.*: syntax error.*(?:got LPAREN|unexpected token `\(').*)$/gm,
        hasPattern ? "$1 (a word can't begin with the pattern !(…) here; use case, or find with ! -name)" : "$1",
      )
      .replaceAll(
        /^(bash: .*)Invalid regular expression: .*RE2 .*$/gm,
        "$1this pattern needs to look ahead, which is not supported here (a !(…) in [[ ]]; use case)",
      )
      .replaceAll(
        /^(bash: .*: )maximum recursion depth \((\d+)\) exceeded, increase executionLimits\.maxCallDepth$/gm,
        "$1more than $2 calls within calls",
      )
      .replaceAll(/^bash: execution exceeded execution deadline \(.*\)$/gm, "vibey: stopped at the time limit")
      .replaceAll(/(?:, )?increase executionLimits\.\w+/g, "")
      .replaceAll(/^bash: (\S+): command not (?:available in browser environments\..*|found)$/gm, (_, name: string) => {
        const why = machine.reasonNotHere(name);
        return `bash: ${name}: command not found${why === null ? "" : `: ${why}`}`;
      });
  }

  async function runNow({ command, folder, env, maxBytes }: ShellRun, limit: TimeLimit): Promise<ShellDone> {
    const there = files.isFolder(folder);
    const remarks = there ? [] : [`vibey: the working directory ${folder} is gone; this command ran in ${project}`];
    const shell = (bash ??= start());
    const exported = new Set(["HOME", "PATH", "PWD", "OLDPWD", ...Object.keys(machine.env), ...Object.keys(env)]);
    stateOf(shell).exportedVars = exported;
    const done = await shell.exec(readableSource(command), { cwd: there ? folder : project, env: { ...env }, rawScript: true });
    // Without a status these are the variables from before the command: it ended by `exit`.
    const ended = done.env["?"] === undefined ? { ...done, env: left ?? done.env } : done;
    // Jobs get the grace twice: before the TERM signal, and after it.
    jobsEnd = { at: clock.now() + 3 * jobsGrace, commands: commandsAfter };
    const grace = async () => {
      for (let step = 0; step < graceSteps; step++) await clock.sleep(jobsGrace / graceSteps, limit.signal);
    };
    const late = await jobs.finish(grace(), grace, () => jobsStopped);
    // A command that ended by itself at the very last moment counts as stopped.
    const stopped = stop();
    const tooMuch = ended.exitCode === 126 && ended.stderr.includes("output size");
    for (const line of files.takeRefused()) if (!ended.stderr.includes(line)) remarks.push(`vibey: ${line}`);
    const stdout = cutMiddle(toShown(ended.stdout + late.stdout), maxBytes, leftOut.stdout);
    const stderr = cutMiddle(withLines(plainly(toShown(ended.stderr + late.stderr), command), remarks), maxBytes, leftOut.stderr);
    return {
      type: "done",
      stdout: stdout.text,
      stderr: stderr.text,
      exitCode: stopped === "time" ? 124 : stopped === "aborted" ? 130 : ended.exitCode,
      limit: stopped === "time" ? "time" : tooMuch || stdout.cut || stderr.cut ? "output" : null,
      aborted: stopped === "aborted",
      folder: ended.env["PWD"] ?? project,
      env: keptEnvironment(ended.env, exported),
    };
  }

  return {
    setClock: (running) => current?.setClock(running),
    async run(given) {
      const limit = createTimeLimit(given.timeoutMs, clock, given.signal);
      const sender = createLiveSender(link.show, clock, given.liveCharacters);
      files.beginCommand();
      files.takeRefused();
      current = limit;
      live = sender;
      jobsEnd = null;
      jobsStopped = 0;
      left = null;
      leftOut = { stdout: 0, stderr: 0 };
      memory = createMemoryGuard(() => clock.now());
      terminal.begin((stream, text) => sender.send({ stream, text: toShown(text) }));
      jobs.begin();
      shells.begin();
      try {
        return await runNow(given, limit);
      } catch (error) {
        // The command's jobs end with the command, and not during the next one.
        jobsEnd = { at: clock.now(), commands: 0 };
        await jobs.finish(
          Promise.resolve(),
          () => Promise.resolve(),
          () => jobsStopped,
        );
        throw error;
      } finally {
        limit.end();
        current = null;
        terminal.end();
        sender.flush();
      }
    },
  };
}

/** Whether the script is a single command. In a real shell, a program would then replace the shell that runs it. */
function isOneCommand({ ctx: { state } }: Interpreter, { statements }: Script): boolean {
  const [statement, ...more] = statements.filter(({ pipelines }) => pipelines[0]?.commands[0]?.type !== "FunctionDef");
  const [pipeline, another] = statement?.pipelines ?? [];
  const command = pipeline?.commands[0];
  if (more.length > 0 || another !== undefined || pipeline?.commands.length !== 1 || command?.type !== "SimpleCommand") return false;
  const [part, rest] = command.name?.parts ?? [];
  const functions: unknown = Reflect.get(state, "functions");
  const name = part !== undefined && rest === undefined && "value" in part ? part.value : null;
  const isDefined = statements.some(({ pipelines }) => {
    const definition = pipelines[0]?.commands[0];
    return definition?.type === "FunctionDef" && definition.name === name;
  });
  return part !== undefined && !isDefined && !(functions instanceof Map && functions.has(name));
}

function variablesOf({ ctx: { state } }: Interpreter): Record<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return Object.fromEntries(variables);
}

function limitsOf(shell: Bash): object {
  const limits: unknown = Reflect.get(shell, "limits");
  if (typeof limits !== "object" || limits === null) throw new Error("just-bash has no limits: was it updated?");
  return limits;
}

/** just-bash keeps one set of exported names for all its commands, but each of our commands starts with its own. */
function stateOf(shell: Bash): { exportedVars: Set<string> } {
  const state: unknown = Reflect.get(shell, "state");
  if (typeof state !== "object" || state === null || !("exportedVars" in state))
    throw new Error("just-bash has no exportedVars: was it updated?");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked just before.
  return state as { exportedVars: Set<string> };
}

/** The exported variables for the session's next command, without the working directory, which has its own field. */
function keptEnvironment(env: Readonly<Record<string, string>>, exported: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => exported.has(name) && name !== "PWD"));
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}\n`;
}
