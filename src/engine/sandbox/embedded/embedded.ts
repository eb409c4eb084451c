import type { Path } from "../../../fs/path.ts";
import type { LoadAsset } from "../assets.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { BesideOptions, RunOptions, RunOutcome, Sandbox, SandboxChange, SandboxFiles } from "../sandbox.ts";
import { changesOf } from "./changes.ts";
import { deferred } from "./deferred.ts";
import { type Asked, firstPlace, lostOutcome, type Place, runOneCommand } from "./one-command.ts";
import { createPatience } from "./patience.ts";
import { type ShellWorker, startShellWorker, type WorkerLike } from "./shell-worker.ts";
import { createTouched, type TouchedFile } from "./touched.ts";

export interface EmbeddedSandboxOptions {
  readonly files: SandboxFiles;
  readonly createWorker: () => WorkerLike;
  readonly timers: Timers;
  readonly assets: LoadAsset;
}

export interface Timers {
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds, unless the way to stop that it returns was called before. */
  after(ms: number, callback: () => void): () => void;
}

/** UTF-16 units of a command that are shown while it runs; of one in the background nothing else is seen until its end. */
const liveCharacters = 262_144;
const liveCharactersBeside = 1_000_000;

/** A command that has run for so many milliseconds is one that may have to be killed: the next worker gets ready meanwhile. */
const nextAfter = 250;

/**
 * The sandbox that works everywhere: just-bash in a disposable worker.
 *
 * - One command at a time, in the order of the calls; one that waits its turn can be aborted at once.
 * - A command that does not stop is stopped by killing the worker. The next command gets a new one with the project's files, which
 *   is made as soon as the killed one's outcome is on its way: whoever stopped it waits for that alone. What the killed command
 *   changed until then is in its outcome, with what it had shown of its output.
 * - From the first long command on, one worker more stands ready with its script loaded and without files, which takes some
 *   megabytes: loading the script is most of what a new worker costs.
 * - A command that waits for a human's word lets nobody else wait for long: see `createPatience`.
 */
export function embeddedSandbox({ files, createWorker, timers, assets }: EmbeddedSandboxOptions): Sandbox {
  const places = new Map<string, Place>();
  let worker: ShellWorker | null = null;
  /** Has its script and no files; whoever needs a worker takes it. */
  let next: ShellWorker | null = null;
  /** The command that has just ended was killed, and the next one is probably not far. */
  let wantsSpare = false;
  let last: Promise<void> = Promise.resolve();
  const disposed = new AbortController();
  const patience = createPatience(timers);

  function start(): ShellWorker {
    const taken = next ?? startShellWorker(files, createWorker, assets);
    next = null;
    taken.listener = null;
    return taken;
  }

  function makeNext(): void {
    if (next !== null || disposed.signal.aborted) return;
    const made = startShellWorker(files, createWorker, assets);
    next = made;
    const drop = (): void => {
      made.terminate();
      if (next === made) next = null;
    };
    // Whoever needs a worker then makes one and hears why it can't be had. It has nothing to say before it is given a command.
    made.listener = { crash: drop, message: drop };
  }

  /** Its files are not the project's any more, or it computes. */
  function end(): void {
    worker?.terminate();
    worker = null;
  }

  /** Another one is made and given the project's files before anybody needs it. */
  function makeSpare(): void {
    if (worker !== null || disposed.signal.aborted) return;
    const spare = start();
    worker = spare;
    // The next command asks for the same and hears why it can't be had.
    spare.bringUpToDate().catch(() => undefined);
    rest(spare);
  }

  /** Nothing runs in it. One that fails now is not waited for: the next command makes its own. */
  function rest(shell: ShellWorker): void {
    shell.listener = {
      crash: () => worker === shell && end(),
      message({ type }) {
        // What a command left behind has changed a file, and nobody keeps that.
        if (worker !== shell || !/^(?:write|append|remove)$/.test(type)) return;
        end();
        makeSpare();
      },
    };
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal): Promise<RunOutcome> {
    const startedAt = timers.now();
    const touched = createTouched();
    const shell = (worker ??= start());
    let stopTimer = (): void => undefined;
    const ending = await runOneCommand(
      shell,
      {
        command,
        options,
        signal,
        touched,
        liveCharacters,
        place: places.get(options.session) ?? firstPlace,
        started: () => (stopTimer = timers.after(nextAfter, makeNext)),
        standsStill: (asked: Asked | null) => patience.standsStill(asked),
      },
      timers,
    );
    stopTimer();
    const ms = Math.round(timers.now() - (ending.startedAt ?? startedAt));
    // Killed before anything else: it may compute, and whoever stopped it waits. What takes its place comes after the answer.
    if (ending.kind === "lost") {
      end();
      wantsSpare = ending.why !== "crash";
    } else {
      rest(shell);
      places.set(options.session, { folder: ending.done.folder, env: ending.done.env });
    }
    const { stdout, stderr, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const given = touched.files();
    try {
      const changes = await changesOf(given, shell, files);
      return { stdout, stderr, exitCode, limit, aborted, ms, changes };
    } finally {
      for (const { path } of given) shell.markTouched(path);
    }
  }

  async function run(command: string, options: RunOptions): Promise<RunOutcome> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const turn = last;
    const { promise, resolve: giveTurn } = deferred<void>();
    last = promise;
    const stopsWaiting = patience.waits(options.session);
    await Promise.race([turn, abortOf(signal)]);
    stopsWaiting(!signal.aborted);
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
      if (wantsSpare) timers.after(0, makeSpare);
      wantsSpare = false;
    }
  }

  async function runBeside(command: string, options: BesideOptions): Promise<RunOutcome> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const startedAt = timers.now();
    const touched = createTouched();
    const shell = start();
    /** Somebody else changed them too: what becomes of them is said once, at the end. */
    const apart = new Set<Path>();
    /** What became of them could not be found out: they are looked at once more at the end. */
    const missed = new Set<Path>();

    async function commitAll(given: readonly TouchedFile[]): Promise<readonly SandboxChange[]> {
      const changes = await changesOf(given, shell, files);
      if (changes.length === 0) return changes;
      await options.commitChanges(changes);
      for (const { path, bytes } of changes) {
        const now = await files.read(path);
        if (bytes === null ? now === null : now !== null && equalBytes(now.bytes, bytes)) shell.markGiven(path, now?.version ?? null);
        else apart.add(path);
      }
      return changes;
    }

    let stopTimer = (): void => undefined;
    let committing: Promise<unknown> = Promise.resolve();
    const plan = (): void => {
      stopTimer = timers.after(options.commitEveryMs, () => {
        const fresh = touched.takeFresh().filter(({ path }) => !apart.has(path));
        committing = commitAll(fresh)
          .catch(() => {
            for (const { path } of fresh) missed.add(path);
          })
          .then(plan);
      });
    };
    plan();
    const place = places.get(options.session) ?? firstPlace;
    const ending = await runOneCommand(shell, { command, options, signal, touched, liveCharacters: liveCharactersBeside, place }, timers);
    shell.terminate();
    stopTimer();
    await committing;
    stopTimer();
    const { stdout, stderr, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const fresh = new Set(touched.takeFresh().map(({ path }) => path));
    const changes = await commitAll(touched.files().filter(({ path }) => fresh.has(path) || apart.has(path) || missed.has(path)));
    return { stdout, stderr, exitCode, limit, aborted, ms: Math.round(timers.now() - (ending.startedAt ?? startedAt)), changes };
  }

  return {
    run,
    runBeside,
    dispose() {
      disposed.abort();
      next?.terminate();
      end();
    },
  };
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
