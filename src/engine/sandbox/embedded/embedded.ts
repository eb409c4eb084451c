import type { Path } from "../../../fs/path.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { RunOptions, RunOutcome, Sandbox, SandboxChange, SandboxFiles } from "../sandbox.ts";
import { projectFolder, type ShellDone } from "./protocol.ts";
import { type ShellWorker, startShellWorker, type WorkerLike } from "./shell-worker.ts";
import { deferred } from "./deferred.ts";
import { createTouched, type Touched } from "./touched.ts";

export interface EmbeddedSandboxOptions {
  readonly files: SandboxFiles;
  readonly createWorker: () => WorkerLike;
  readonly timers: Timers;
}

export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds, unless the way to stop that it returns was called before. */
  after(ms: number, callback: () => void): () => void;
}

/** Milliseconds. just-bash looks at its deadline often but not always; after this long the worker is killed. */
const timeGrace = 400;
/** A command that waits hears of an abort in some ten milliseconds, one that computes does not hear of it at all. */
const abortGrace = 100;
/** For the worker's script, and for the files that it has to be given. */
const startLimit = 60_000;

/**
 * The sandbox that works everywhere: just-bash in a disposable worker.
 *
 * - One command at a time, in the order of the calls; one that waits its turn can be aborted at once.
 * - A command that does not stop is stopped by killing the worker. The next command gets a new one with the project's files.
 *   What the killed command changed until then is in its outcome; what it printed is not.
 */
export function embeddedSandbox({ files, createWorker, timers }: EmbeddedSandboxOptions): Sandbox {
  /** The working directory of each session, absolute. */
  const folders = new Map<string, string>();
  let worker: ShellWorker | null = null;
  let last: Promise<void> = Promise.resolve();
  const disposed = new AbortController();

  function restart(): void {
    worker?.terminate();
    worker = null;
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal): Promise<RunOutcome> {
    const startedAt = timers.now();
    const touched = createTouched();
    const ending = await commandIn((worker ??= startShellWorker(files, createWorker)), command, options, signal, touched);
    const ms = Math.round(timers.now() - (ending.startedAt ?? startedAt));
    if (ending.kind === "done") folders.set(options.session, ending.done.folder);
    const { stdout, stderr, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const changes = worker === null ? [] : await changesOf(touched, worker);
    if (ending.kind !== "done") restart();
    return { stdout, stderr, exitCode, limit, aborted, ms, changes };
  }

  /** Runs one command and settles when it ended or when there is nothing more to wait for; then the worker has to go. */
  async function commandIn(
    shell: ShellWorker,
    command: string,
    options: RunOptions,
    signal: AbortSignal,
    touched: Touched,
  ): Promise<Ending> {
    const { promise, resolve } = deferred<Ending>();
    let startedAt: number | null = null;
    const lose = (why: Loss, detail = ""): void => resolve({ kind: "lost", why, detail, startedAt });
    let stopTimer = timers.after(startLimit, () => lose("crash", "it did not start in time"));
    let posted = false;
    const stops: (() => void)[] = [];

    const onAbort = (): void => {
      if (!posted) return lose("abort");
      shell.post({ type: "abort" });
      stops.push(timers.after(abortGrace, () => lose("abort")));
    };
    signal.addEventListener("abort", onAbort);

    shell.listener = {
      crash: (why) => lose("crash", why),
      message(message) {
        if (message.type === "done") resolve({ kind: "done", done: message, startedAt });
        else if (message.type === "started") {
          startedAt = timers.now();
          stopTimer();
          stopTimer = timers.after(options.timeoutMs + timeGrace, () => lose("time"));
        } else touched.apply(message);
      },
    };

    try {
      await Promise.race([shell.bringUpToDate(), promise]);
      if (signal.aborted) lose("abort");
      else {
        posted = true;
        const folder = folders.get(options.session) ?? projectFolder;
        shell.post({ type: "run", command, folder, timeoutMs: options.timeoutMs, maxBytes: options.maxBytes });
      }
      return await promise;
    } catch (error) {
      return { kind: "lost", why: "crash", detail: `the project's files could not be read: ${String(error)}`, startedAt };
    } finally {
      stopTimer();
      for (const stopIt of stops) stopIt();
      signal.removeEventListener("abort", onAbort);
      shell.listener = null;
    }
  }

  /** What differs from what the worker was given. A file that was written with the content that it had is no change. */
  async function changesOf(touched: Touched, shell: ShellWorker): Promise<SandboxChange[]> {
    const changes: SandboxChange[] = [];
    for (const { path, bytes } of touched.files()) {
      const base = shell.given(path);
      shell.markTouched(path);
      if (bytes === null && base === null) continue;
      if (bytes !== null && base !== null && (await isStill(path, base, bytes))) continue;
      changes.push({ path, bytes, base });
    }
    return changes;
  }

  async function isStill(path: Path, version: number, bytes: Uint8Array): Promise<boolean> {
    const now = await files.read(path);
    return now !== null && now.version === version && equalBytes(now.bytes, bytes);
  }

  return {
    async run(command, options) {
      const signal = AbortSignal.any([options.signal, disposed.signal]);
      const turn = last;
      const { promise, resolve: giveTurn } = deferred<void>();
      last = promise;
      await Promise.race([turn, abortOf(signal)]);
      if (signal.aborted) {
        void turn.then(giveTurn);
        return { stdout: "", stderr: "", exitCode: 130, limit: null, aborted: true, ms: 0, changes: [] };
      }
      try {
        const outcome = await runNow(command, options, signal);
        await options.commit?.(outcome);
        return outcome;
      } finally {
        giveTurn();
      }
    },
    dispose() {
      disposed.abort();
      restart();
    },
  };
}

type Loss = "time" | "abort" | "crash";

type Ending =
  | { readonly kind: "done"; readonly done: ShellDone; readonly startedAt: number | null }
  | { readonly kind: "lost"; readonly why: Loss; readonly detail: string; readonly startedAt: number | null };

/** The exit codes are bash's: 124 of `timeout`, 130 of an interrupt, 126 of what could not be run. */
function lostOutcome({ why, detail, startedAt }: Extract<Ending, { kind: "lost" }>): Omit<ShellDone, "type" | "folder"> {
  const lost =
    "the command did not stop by itself, so the shell was restarted; files that it had written are kept, what it had printed is lost";
  const stderr =
    why === "crash" ? `vibey: the shell failed and will be restarted: ${detail}\n` : startedAt === null ? "" : `vibey: ${lost}\n`;
  return {
    stdout: "",
    stderr,
    exitCode: why === "time" ? 124 : why === "abort" ? 130 : 126,
    limit: why === "time" ? "time" : null,
    aborted: why === "abort",
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
