import type { Path } from "../../../fs/path.ts";
import type { LoadAsset } from "../assets.ts";
import { batches } from "../batches.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { PolicyWait } from "../policy.ts";
import type { BesideOptions, RunOptions, RunOutcome, Sandbox, SandboxChange, SandboxFiles } from "../sandbox.ts";
import { changesOf, comparedAtOnce } from "./changes.ts";
import { deferred } from "./deferred.ts";
import { type Asked, firstPlace, lostOutcome, type Place, runOneCommand } from "./one-command.ts";
import { createPatience } from "./patience.ts";
import { withPython } from "./prepare-python.ts";
import { type ShellWorker, startShellWorker, type WorkerLike } from "./shell-worker.ts";
import { createTouched, type TouchedFile } from "./touched.ts";

export interface EmbeddedSandboxOptions {
  readonly files: SandboxFiles;
  readonly createWorker: () => WorkerLike;
  readonly timers: Timers;
  readonly assets: LoadAsset;
  /** No worker is made before this has settled. Missing: commands need not wait. */
  readonly policy?: PolicyWait;
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

/** Workers with files that wait for their session's next command; each takes some tens of megabytes, and the project's files. */
const mostWorkers = 4;

const filesGone = "vibey: the shell was restarted; files outside /project, such as those in /tmp, are gone\n";

/** UTF-16 units, names and all. The engine holds what each session exported, and gives it to each of its commands. */
const mostExported = 1_000_000;

const tooMuchExported = "vibey: what is exported takes more than 1 MB, so the next command has what was exported before\n";

/** A command that has run for so many milliseconds is one that may have to be killed: the next worker gets ready meanwhile. */
const nextAfter = 250;

/**
 * The sandbox that works everywhere: just-bash in a disposable worker.
 *
 * - One command at a time, in the order of the calls; one that waits its turn can be aborted at once.
 * - A worker runs the commands of one session only. What a command leaves in it, such as files in `/tmp`, is met by no other session; see
 *   `docs/decisions/one-dialogs-code.md`.
 * - A command that does not stop is stopped by killing the worker. The next command gets a new one with the project's files, which
 *   is made as soon as the killed one's outcome is on its way: whoever stopped it waits for that alone. What the killed command
 *   changed until then is in its outcome, with what it had shown of its output.
 * - From the first long command on, one worker more stands ready with its script loaded and without files, which takes some
 *   megabytes: loading the script is most of what a new worker costs.
 * - A command that waits for a human's word lets nobody else wait for long: see `createPatience`.
 */
export function embeddedSandbox({ files, createWorker, timers, assets: fetched, policy }: EmbeddedSandboxOptions): Sandbox {
  const assets = withPython(fetched, createWorker);
  const places = new Map<string, Place>();
  /** The worker of each session, the one used last at the end. */
  const workers = new Map<string, ShellWorker>();
  /** Sessions whose worker held files outside of the project when a command last ended in it. */
  const haveOutside = new Set<string>();
  /** Has the project's files and has run nothing. */
  let spare: ShellWorker | null = null;
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

  /** Its files are not the project's any more, or it computes, or others need the room. */
  function end(session: string): void {
    workers.get(session)?.terminate();
    workers.delete(session);
  }

  function workerOf(session: string): ShellWorker {
    const shell = workers.get(session) ?? spare ?? start();
    if (shell === spare) spare = null;
    workers.delete(session);
    workers.set(session, shell);
    for (const oldest of workers.keys()) {
      if (workers.size <= mostWorkers) break;
      end(oldest);
    }
    return shell;
  }

  /** Another one is made and given the project's files before anybody needs it. */
  function makeSpare(): void {
    if (spare !== null || disposed.signal.aborted) return;
    const made = start();
    spare = made;
    // The next command asks for the same and hears why it can't be had.
    made.bringUpToDate().catch(() => undefined);
    const drop = (): void => {
      made.terminate();
      if (spare === made) spare = null;
    };
    // It has nothing to say before it is given a command.
    made.listener = { crash: drop, message: drop };
  }

  /** Nothing runs in it. One that fails now is not waited for: the next command makes its own. */
  function rest(shell: ShellWorker, session: string): void {
    shell.listener = {
      crash: () => workers.get(session) === shell && end(session),
      message({ type }) {
        // What a command left behind has changed a file, and nobody keeps that.
        if (workers.get(session) !== shell || !/^(?:write|append|remove)$/.test(type)) return;
        end(session);
        makeSpare();
      },
    };
  }

  /** What a new worker's command is told when the one before had files that this one has not. */
  function lossOf(session: string): string {
    return !workers.has(session) && haveOutside.delete(session) ? filesGone : "";
  }

  /** What a command ends with that may not run yet; null: it may. */
  async function heldBack({ onOutput }: Pick<RunOptions, "onOutput">, signal: AbortSignal): Promise<RunOutcome | null> {
    const why = (await policy?.(signal, (text) => onOutput?.({ stream: "progress", text }))) ?? null;
    if (why === null && !signal.aborted) return null;
    return { stdout: "", stderr: why ?? "", exitCode: why === null ? 130 : 126, limit: null, aborted: why === null, ms: 0, changes: [] };
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal): Promise<RunOutcome> {
    const held = await heldBack(options, signal);
    if (held !== null) return held;
    const startedAt = timers.now();
    const touched = createTouched();
    const { session } = options;
    let remarks = lossOf(session);
    const place = places.get(session) ?? firstPlace;
    const shell = workerOf(session);
    let stopTimer = (): void => undefined;
    const ending = await runOneCommand(
      shell,
      {
        command,
        options,
        signal,
        touched,
        liveCharacters,
        place,
        started: () => (stopTimer = timers.after(nextAfter, makeNext)),
        standsStill: (asked: Asked | null) => patience.standsStill(asked),
      },
      timers,
    );
    stopTimer();
    const ms = Math.round(timers.now() - (ending.startedAt ?? startedAt));
    // Killed before anything else: it may compute, and whoever stopped it waits. What takes its place comes after the answer.
    if (ending.kind === "lost") {
      end(session);
      wantsSpare = ending.why !== "crash";
    } else {
      rest(shell, session);
      const isTooMuch = sizeOf(ending.done.env) > mostExported;
      if (isTooMuch) remarks += tooMuchExported;
      places.set(session, { folder: ending.done.folder, env: isTooMuch ? place.env : ending.done.env });
      if (ending.done.outside === true) haveOutside.add(session);
      else haveOutside.delete(session);
    }
    const { stdout, stderr: printed, exitCode, limit, aborted } = ending.kind === "done" ? ending.done : lostOutcome(ending);
    const stderr = remarks + printed;
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
    const held = await heldBack(options, signal);
    if (held !== null) return held;
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
      for (const batch of batches(changes, ({ bytes }) => bytes?.length ?? 0, comparedAtOnce)) {
        const contents = await files.readMany(batch.map(({ path }) => path));
        for (const [nth, { path, bytes }] of batch.entries()) {
          const now = contents[nth] ?? null;
          if (bytes === null ? now === null : now !== null && equalBytes(now.bytes, bytes)) shell.markGiven(path, now?.version ?? null);
          else apart.add(path);
        }
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
      spare?.terminate();
      for (const session of workers.keys()) end(session);
    },
  };
}

function sizeOf(env: Place["env"]): number {
  return Object.entries(env).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
