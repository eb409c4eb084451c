import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { constants } from "node:os";
import { markedProcesses, markVariable } from "./process-table.ts";

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly output: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

/**
 * `nowhere`: the working directory does not exist. `missing`: the program does not exist. `failed`: it could not be started, for the given reason.
 */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "nowhere" }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly why: string };

export interface Running {
  readonly end: Promise<ProgramEnd>;
  /** Asks the program and everything it started to end, and kills them after a moment. */
  stop(signal: "SIGTERM" | "SIGPIPE"): void;
  /** Sends the named signal to the program and everything it started, without killing them afterwards. */
  send(signal: string): void;
}

/** Milliseconds between the request to end and the kill. */
const grace = 100;
/** After a program's end, something it started may still hold its pipes open. This many milliseconds without output end the wait for more. */
const lateOutput = 250;
/** The maximum of that wait in milliseconds, if output keeps coming. */
const latestOutput = 1_500;

/**
 * Starts programs. Each leads a process group, so that it can be ended with everything it started. Processes that left the group are found by their
 * mark, if the system has a process table.
 */
export interface Processes {
  start(given: ProgramStart): Running;
  /** Kills at once what is left of everything that was started. */
  endAll(): void;
}

/** A busy WebContainer may fire a timer before it delivers data that has already arrived. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

export function createProcesses(): Processes {
  const groups = new Map<number, ChildProcess>();
  const mark = randomUUID();
  let count = 0;
  /** Whether programs were started since `endAll`. */
  let mayHaveLeft = false;

  function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group has gone, or the system has no groups: signal only the program.
      child.kill(signal);
    }
  }

  function killMarked(from: string): void {
    for (const pid of markedProcesses(from)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended in the meantime.
      }
    }
  }

  /** A group that still has processes stays registered, to be ended with the command. */
  function forget(child: ChildProcess): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 0);
    } catch (error) {
      // Only ESRCH says that no process is left.
      if (codeOf(error) === "ESRCH") groups.delete(child.pid);
    }
  }

  return {
    start({ program, args, cwd, env, stdin, output }) {
      const started = (kind: ProgramEnd): Running => ({ end: Promise.resolve(kind), stop: () => undefined, send: () => undefined });
      if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return started({ kind: "nowhere" });
      const own = `${mark}.${(count += 1)};`;
      let child: ReturnType<typeof spawnProgram>;
      try {
        child = spawnProgram({ program, args, cwd, env: { ...env, [markVariable]: own } });
      } catch (error) {
        return started({ kind: "failed", why: whyNot(error) });
      }
      mayHaveLeft = true;
      if (child.pid !== undefined) groups.set(child.pid, child);
      let chunks = 0;
      for (const stream of ["stdout", "stderr"] as const)
        child[stream].on("data", (chunk: Buffer) => {
          chunks += 1;
          output(stream, chunk);
        });
      // A program need not read all of its input.
      child.stdin.on("error", () => undefined);
      child.stdin.end(stdin);
      let timer: NodeJS.Timeout | null = null;

      const end = new Promise<ProgramEnd>((resolve) => {
        child.on("error", (error: NodeJS.ErrnoException) => {
          if (child.pid !== undefined) return;
          resolve(error.code === "ENOENT" ? { kind: "missing" } : { kind: "failed", why: whyNot(error) });
        });
        const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
          if (timer !== null) clearTimeout(timer);
          forget(child);
          resolve({ kind: "ended", exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
        };
        child.on("close", ended);
        child.on("exit", (code, signal) => {
          const until = performance.now() + latestOutput;
          const waitForMore = (): void => {
            const before = chunks;
            late = setTimeout(
              () => afterReading(() => (chunks > before && performance.now() < until ? waitForMore() : giveUp())),
              lateOutput,
            );
          };
          const giveUp = (): void => {
            child.stdout.destroy();
            child.stderr.destroy();
            ended(code, signal);
          };
          let late: NodeJS.Timeout;
          waitForMore();
          child.on("close", () => clearTimeout(late));
        });
      });

      return {
        end,
        send(name) {
          const signal = signalNamed(name);
          signalGroup(child, signal);
          if (signal === "SIGKILL") killMarked(own);
        },
        stop(signal) {
          signalGroup(child, signal);
          timer ??= setTimeout(() => {
            signalGroup(child, "SIGKILL");
            killMarked(own);
          }, grace);
        },
      };
    },
    endAll() {
      for (const child of groups.values()) signalGroup(child, "SIGKILL");
      groups.clear();
      if (mayHaveLeft) killMarked(`${mark}.`);
      mayHaveLeft = false;
    },
  };
}

/** Returns SIGTERM for a signal that the system doesn't have. */
function signalNamed(name: string): NodeJS.Signals {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the name is one of the system's signals.
  return Object.hasOwn(constants.signals, name) ? (name as NodeJS.Signals) : "SIGTERM";
}

type Spawn = Pick<ProgramStart, "program" | "args" | "cwd" | "env">;

/** Throws errors that the system reports at once. */
function spawnProgram({ program, args, cwd, env }: Spawn) {
  return spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

/** The message that bash prints if a program can't be started. */
function whyNot(error: unknown): string {
  const saying = {
    E2BIG: "Argument list too long",
    EACCES: "Permission denied",
    ENOEXEC: "cannot execute: it is no program of this computer",
  };
  for (const [code, text] of Object.entries(saying)) if (codeOf(error) === code) return text;
  return error instanceof Error ? error.message : String(error);
}
