import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";

export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly output: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

/** `missing`: there is no such program. `failed`: it could not be started, for the reason given. */
export type ProgramEnd =
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly why: string };

export interface Running {
  readonly end: Promise<ProgramEnd>;
  /** Asks the program to end, with all that it has started, and after a moment makes it. */
  stop(signal: "SIGTERM" | "SIGPIPE"): void;
}

/** Milliseconds between the request to end and the end. */
const grace = 100;
/** Milliseconds without output after a program's end, when something that it started still holds its pipes open, until no more is waited for. */
const lateOutput = 250;

/** Every program leads a group of processes, so that it can be ended with what it has started. */
export interface Processes {
  start(given: ProgramStart): Running;
  /** Ends what is left of all that was started, at once. */
  endAll(): void;
}

/** A busy computer may fire a timer before it looks at what has come meanwhile. */
function afterReading(then: () => void): void {
  setImmediate(() => setImmediate(then));
}

export function createProcesses(): Processes {
  const groups = new Map<number, ChildProcess>();

  function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group is gone, or the system knows no groups: then the program is ended alone.
      child.kill(signal);
    }
  }

  /** What has a group that still lives must be ended with the command. */
  function forget(child: ChildProcess): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 0);
    } catch {
      // Nobody is left.
      groups.delete(child.pid);
    }
  }

  return {
    start({ program, args, cwd, env, stdin, output }) {
      const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["pipe", "pipe", "pipe"], detached: true });
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
          resolve(error.code === "ENOENT" ? { kind: "missing" } : { kind: "failed", why: error.message });
        });
        const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
          if (timer !== null) clearTimeout(timer);
          forget(child);
          resolve({ kind: "ended", exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
        };
        child.on("close", ended);
        child.on("exit", (code, signal) => {
          const waitForMore = (): void => {
            const before = chunks;
            late = setTimeout(() => afterReading(() => (chunks > before ? waitForMore() : giveUp())), lateOutput);
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
        stop(signal) {
          signalGroup(child, signal);
          timer ??= setTimeout(() => signalGroup(child, "SIGKILL"), grace);
        },
      };
    },
    endAll() {
      for (const child of groups.values()) signalGroup(child, "SIGKILL");
      groups.clear();
    },
  };
}
