import { deferred } from "../embedded/deferred.ts";
import type { ShellDone, ToShell } from "../embedded/protocol.ts";
import { createShown, type Shown } from "../embedded/shown.ts";
import type { Timers } from "../timers.ts";
import type { RunOptions } from "../sandbox.ts";
import type { RunningContainer } from "./link.ts";
import { createLineReader, encodeLine, type FromScript } from "./script-protocol.ts";

/** A process of the shell that waits for its command, or runs it. */
export interface ScriptProcess {
  /** False: it ended before it got a command. */
  readonly isAlive: boolean;
  /** Call it once. Never rejects. */
  run(given: ScriptRun): Promise<ScriptEnding>;
  kill(): void;
}

export interface ScriptRun {
  readonly run: Extract<ToShell, { readonly type: "run" }>;
  readonly signal: AbortSignal;
  readonly onOutput: RunOptions["onOutput"];
  readonly background: RunOptions["background"];
}

export type ScriptEnding =
  | { readonly kind: "done"; readonly done: ShellDone; readonly ms: number }
  /** It ended otherwise, or had to be killed: only the output shown so far is left. */
  | {
      readonly kind: "lost";
      readonly why: "time" | "abort" | "crash";
      readonly detail: string;
      readonly shown: Shown;
      readonly ms: number;
    };

/** Milliseconds that the shell gets to end what it started: after the command's time is up, and after an abort. */
const timeGrace = 1_500;
const abortGrace = 400;
/** Milliseconds until the shell must have started: a WebContainer that installs packages is slow. */
const startLimit = 60_000;
/** UTF-16 units of output outside the protocol that are kept to explain a failure. */
const strayKept = 2_000;

export function startScript(container: RunningContainer, script: string, timers: Timers): ScriptProcess {
  let stray = "";
  let exited: string | null = null;
  let hear: ((message: FromScript) => void) | null = null;
  let onExit: ((why: string) => void) | null = null;

  const reader = createLineReader({
    line: (message) => hear?.(message),
    stray: (text) => {
      stray = (stray + text).slice(-strayKept);
    },
  });
  const process = container.start("node", [script], {
    output: (text) => reader.take(text),
    exit(code, why) {
      const said = withoutEcho(stray).trim();
      exited = code === null ? why : `it ended with exit code ${code}${said === "" ? "" : `: ${said}`}`;
      onExit?.(exited);
    },
  });

  return {
    get isAlive() {
      return exited === null;
    },
    kill: () => process.kill(),
    async run({ run, signal, onOutput, background }) {
      const startedAt = timers.now();
      const shown = createShown(run.maxBytes);
      const { promise, resolve } = deferred<ScriptEnding>();
      /** Aborts when the command has ended: answers to its requests are of no use then. */
      const over = new AbortController();
      let stopTimer = (): void => undefined;
      const lose = (why: "time" | "abort" | "crash", detail: string): void => {
        process.kill();
        resolve({ kind: "lost", why, detail, shown, ms: timers.now() - startedAt });
      };
      const limit = (ms: number, then: () => void): void => {
        stopTimer();
        stopTimer = timers.after(ms, then);
      };
      const onAbort = (): void => {
        process.input(encodeLine({ type: "abort" }));
        limit(abortGrace, () => lose("abort", ""));
      };

      hear = (message) => {
        switch (message.type) {
          case "ready":
          case "installed":
            return;
          case "started":
            if (!signal.aborted) limit(run.timeoutMs + timeGrace, () => lose("time", ""));
            return;
          case "output":
            shown.add(message.output);
            return onOutput?.(message.output);
          case "background":
            return void answer(message);
          case "done":
            return resolve({ kind: "done", done: message, ms: timers.now() - startedAt });
        }
      };
      async function answer({ id, operands }: Extract<FromScript, { readonly type: "background" }>): Promise<void> {
        const printed = (await background?.(operands, over.signal)) ?? { stdout: "", stderr: "background: not here\n", exitCode: 1 };
        if (!over.signal.aborted) process.input(encodeLine({ type: "answered", id, answer: printed }));
      }
      onExit = (why) => lose(signal.aborted ? "abort" : "crash", why);

      if (exited !== null) lose("crash", exited);
      else {
        limit(startLimit, () => lose("crash", `it did not begin within ${startLimit / 1000} s`));
        signal.addEventListener("abort", onAbort);
        process.input(encodeLine(run));
        if (signal.aborted) onAbort();
      }
      const ending = await promise;
      stopTimer();
      over.abort();
      signal.removeEventListener("abort", onAbort);
      [hear, onExit] = [null, null];
      return ending;
    },
  };
}

/** Removes the protocol's own input, which a terminal may echo. */
function withoutEcho(stray: string): string {
  return stray.replaceAll(/^\{"type":"(?:run|abort|answered)".*$/gm, "");
}
