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

/** `nowhere`: there is no such folder to run it in. `missing`: there is no such program. `failed`: it could not be started, for the reason given. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "nowhere" }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly why: string };

export interface Running {
  readonly end: Promise<ProgramEnd>;
  /** Asks the program to end, with all that it has started, and after a moment makes it. */
  stop(signal: "SIGTERM" | "SIGPIPE"): void;
  /** Sends a signal, by its name, to the program and all that it has started, and leaves it to them. */
  send(signal: string): void;
}

/** Milliseconds between the request to end and the end. */
const grace = 100;
/** Milliseconds without output after a program's end, when something that it started still holds its pipes open, until no more is waited for. */
const lateOutput = 250;
/** Milliseconds until then with output, at most. */
const latestOutput = 1_500;

/**
 * Every program leads a group of processes, so that it can be ended with what it has started. What has left the group is found by its mark, where the
 * system tells.
 */
export interface Processes {
  start(given: ProgramStart): Running;
  /** Ends what is left of all that was started, at once. */
  endAll(): void;
}

/** A busy WebContainer may fire a timer before it looks at what has come meanwhile. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

export function createProcesses(): Processes {
  const groups = new Map<number, ChildProcess>();
  const mark = randomUUID();
  let count = 0;
  /** Programs were started since everything was ended. */
  let mayHaveLeft = false;

  function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group is gone, or the system knows no groups: then the program is ended alone.
      child.kill(signal);
    }
  }

  function killMarked(from: string): void {
    for (const pid of markedProcesses(from)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** What has a group that still lives must be ended with the command. */
  function forget(child: ChildProcess): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 0);
    } catch (error) {
      // No one is left. Any other error says nothing of that.
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
      // A program need not read all that it is given.
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

/** SIGTERM in place of one that the system has not. */
function signalNamed(name: string): NodeJS.Signals {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its names are these.
  return Object.hasOwn(constants.signals, name) ? (name as NodeJS.Signals) : "SIGTERM";
}

type Spawn = Pick<ProgramStart, "program" | "args" | "cwd" | "env">;

/** Throws what the system says at once. */
function spawnProgram({ program, args, cwd, env }: Spawn) {
  return spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);

/** As bash says why a program can't be started. */
function whyNot(error: unknown): string {
  const saying = {
    E2BIG: "Argument list too long",
    EACCES: "Permission denied",
    ENOEXEC: "cannot execute: it is no program of this computer",
  };
  for (const [code, text] of Object.entries(saying)) if (codeOf(error) === code) return text;
  return error instanceof Error ? error.message : String(error);
}
