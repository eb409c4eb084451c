import type { ComputerView, ServerView } from "../../api.ts";
import type { Place } from "../embedded/one-command.ts";
import type { Timers } from "../embedded/embedded.ts";
import { deferred } from "../embedded/deferred.ts";
import type { BesideOptions, RunOptions, RunOutcome, SandboxFiles } from "../sandbox.ts";
import type { Running } from "./boot.ts";
import type { ComputerPort } from "./computer.ts";
import { abortOf, createKeeper, type Unavailable } from "./keeper.ts";
import { type ScriptEnding, type ScriptProcess, type ScriptRun, startScript } from "./run-script.ts";
import { failed, outcomeOf, stoppedBefore } from "./outcome.ts";
import { createServers } from "./servers.ts";

export interface WebContainerParts {
  readonly files: SandboxFiles;
  /** Called once, when the computer is first wanted. */
  readonly connect: () => ComputerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** What `view` answers has changed. */
  readonly changed: () => void;
}

/**
 * A sandbox in a WebContainer: real processes over a copy of the project's files.
 *
 * - One command in the foreground at a time, in the order of the calls; those in the background run beside them, over the same files.
 * - Before a command the computer is brought up to date; after it, and every few seconds while it runs, what it has is compared with what it
 *   was given. What is found while a command in the foreground runs is that command's, whoever did it.
 * - A computer that ends by itself takes its processes with it, which is said; what was found until then is kept. The next command starts it anew.
 */
export interface WebContainerSandbox {
  run(command: string, options: RunOptions): Promise<RunOutcome | Unavailable>;
  runBeside(command: string, options: BesideOptions): Promise<RunOutcome | Unavailable>;
  /** Begins to start it, also when that failed before. */
  start(): void;
  view(): Exclude<ComputerView, { readonly state: "off" }>;
  servers(): readonly ServerView[];
  dispose(): void;
}

/** UTF-16 units of a command that are shown while it runs. */
const liveCharacters = 262_144;
const liveCharactersBeside = 1_000_000;

/** Milliseconds between two comparisons while a command in the foreground runs. */
const lookEvery = 2_000;
/** At the least so many times as long as the last one took: looking is not to be what the machine does. */
const lookPause = 10;

export function webContainerSandbox({ files, connect, loadScript, timers, changed }: WebContainerParts): WebContainerSandbox {
  let spare: ScriptProcess | null = null;
  /** A command in the foreground runs. */
  let isBusy = false;
  let last: Promise<void> = Promise.resolve();
  let lastLook: Promise<unknown> = Promise.resolve();
  const places = new Map<string, Place>();
  /** How the commands in the background store what they have changed. */
  const stores = new Set<() => void>();
  const servers = createServers(changed);
  const disposed = new AbortController();
  const keeper = createKeeper({
    files,
    connect,
    loadScript,
    timers,
    changed,
    listener: {
      port: (port, url, open) => (open ? servers.opened(port, url) : servers.closed(port)),
      hidden() {
        if (!isBusy) for (const storeSoon of stores) storeSoon();
      },
      gone() {
        spare = null;
        servers.clear();
      },
    },
    exclusive,
    signal: disposed.signal,
  });

  const ready = (signal: AbortSignal, onOutput: RunOptions["onOutput"]): Promise<Running | Unavailable> =>
    keeper.ready(signal, (text) => onOutput?.({ stream: "progress", text }));

  /** One at a time looks at the computer's files, or changes them. */
  async function exclusive<T>(act: () => Promise<T>): Promise<T> {
    const before = lastLook;
    const { promise, resolve } = deferred<void>();
    lastLook = promise;
    await before;
    try {
      return await act();
    } finally {
      resolve();
    }
  }

  function takeProcess(running: Running): ScriptProcess {
    const taken = spare?.isAlive === true ? spare : startScript(keeper.link(), running.script, timers);
    spare = null;
    return taken;
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal, running: Running): Promise<RunOutcome | Unavailable> {
    const remarks = takeRemarks(running);
    const refreshed = refresh(running, stores.size > 0 || servers.views().length > 0, (done, of) => {
      if (done > 0) options.onOutput?.({ stream: "progress", text: `the project's files are brought in: ${done} of ${of}` });
    });
    await Promise.race([refreshed, abortOf(signal)]);
    if (signal.aborted) return running.mirror.pending === 0 ? stoppedBefore : conclude(running, options, stoppedBefore);
    const failure = await refreshed;
    if (failure !== null) {
      // It is made anew for the next command; what it had changed until now is this one's.
      keeper.drop(running, failure);
      return running.mirror.pending === 0 ? { unavailable: failure } : conclude(running, options, failed(failure));
    }
    const { mirror } = running;
    let stopTimer = (): void => undefined;
    let isOver = false;
    const look = (took: number): void => {
      if (isOver) return;
      stopTimer = timers.after(Math.max(lookEvery, lookPause * took), () => {
        const since = timers.now();
        const again = (): void => look(timers.now() - since);
        // What can't be found out now is found out at the end, which says so when that fails.
        exclusive(() => mirror.collect()).then(again, again);
      });
    };
    look(0);
    const ending = await takeProcess(running).run({
      run: toRun(command, options, running, liveCharacters),
      signal,
      onOutput: options.onOutput,
      background: options.background,
    });
    isOver = true;
    stopTimer();
    keepPlace(options.session, ending);
    if (keeper.isCurrent(running)) spare ??= startScript(keeper.link(), running.script, timers);
    return exclusive(async () => {
      const lines = [...remarks, ...(await collectWithRemarks(running))];
      return store(running, options, outcomeOf(ending, lines));
    });
  }

  /** Stores what was found with the result. */
  async function store({ mirror }: Running, options: RunOptions, ended: Omit<RunOutcome, "changes">): Promise<RunOutcome> {
    const outcome = { ...ended, changes: mirror.take() };
    await options.commit?.(outcome);
    // A computer that is gone is given everything anew.
    await mirror.settle(outcome.changes).catch(() => undefined);
    return outcome;
  }

  const conclude = (running: Running, options: RunOptions, ended: Omit<RunOutcome, "changes">): Promise<RunOutcome> =>
    exclusive(() => store(running, options, ended));

  /** The computer is brought up to date; null: it is, else why it could not be. Where something in it is alive, what that has changed is found before. Never rejects. */
  function refresh({ mirror }: Running, isAlive: boolean, progress: (done: number, of: number) => void): Promise<string | null> {
    return exclusive(async () => {
      try {
        if (isAlive) await mirror.collect();
        await mirror.bringIn(progress);
        return null;
      } catch (error) {
        return `the project's files could not be brought in: ${messageOf(error)}`;
      }
    });
  }

  /** Looks for changes a last time, and says what can't be kept. */
  async function collectWithRemarks({ mirror }: Running): Promise<readonly string[]> {
    try {
      await mirror.collect();
      return mirror.takeRemarks();
    } catch (error) {
      return [...mirror.takeRemarks(), `what was changed in the last seconds could not be found out: ${messageOf(error)}`];
    }
  }

  const told = new WeakSet<Running>();
  function takeRemarks(running: Running): readonly string[] {
    if (told.has(running)) return [];
    told.add(running);
    return running.remarks;
  }

  function toRun(
    command: string,
    { session, timeoutMs, maxBytes }: Pick<RunOptions, "session" | "timeoutMs" | "maxBytes">,
    { folder }: Running,
    shown: number,
  ): ScriptRun["run"] {
    const place = places.get(session) ?? { folder, env: {} };
    return { type: "run", command, ...place, timeoutMs, maxBytes, liveCharacters: shown };
  }

  function keepPlace(session: string, ending: ScriptEnding): void {
    if (ending.kind === "done") places.set(session, { folder: ending.done.folder, env: ending.done.env });
  }

  async function run(command: string, options: RunOptions): Promise<RunOutcome | Unavailable> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const turn = last;
    const { promise, resolve: giveTurn } = deferred<void>();
    last = promise;
    await Promise.race([turn, abortOf(signal)]);
    if (signal.aborted) {
      void turn.then(giveTurn);
      return stoppedBefore;
    }
    isBusy = true;
    try {
      const running = await ready(signal, options.onOutput);
      if (signal.aborted) return stoppedBefore;
      return "unavailable" in running ? running : await runNow(command, options, signal, running);
    } finally {
      isBusy = false;
      giveTurn();
    }
  }

  async function runBeside(command: string, options: BesideOptions): Promise<RunOutcome | Unavailable> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const running = await ready(signal, options.onOutput);
    if (signal.aborted) return stoppedBefore;
    if ("unavailable" in running) return running;
    const { mirror } = running;

    async function keep(): Promise<void> {
      // What is found while a command in the foreground runs is stored with its result.
      if (isBusy) return mirror.collect();
      try {
        await mirror.collect();
      } finally {
        const changes = mirror.take();
        if (changes.length > 0) await options.commitChanges(changes);
        await mirror.settle(changes);
      }
      // A server is to see what is written while it runs.
      await mirror.bringIn(() => undefined);
    }
    let isOver = false;
    let stopTimer = (): void => undefined;
    let storing: Promise<unknown> = Promise.resolve();
    const storeSoon = (): void => {
      if (isOver) return;
      stopTimer();
      const since = timers.now();
      const again = (): void => plan(timers.now() - since);
      storing = exclusive(keep).then(again, again);
    };
    const plan = (took: number): void => {
      stopTimer();
      if (!isOver) stopTimer = timers.after(Math.max(options.commitEveryMs, lookPause * took), storeSoon);
    };
    stores.add(storeSoon);
    const disown = servers.owns({ dialogId: options.session, background: options.id, command });
    try {
      const failure = await refresh(running, true, () => undefined);
      if (failure !== null) return { unavailable: failure };
      plan(0);
      const ending = await takeProcess(running).run({
        run: toRun(command, options, running, liveCharactersBeside),
        signal,
        onOutput: options.onOutput,
        background: undefined,
      });
      isOver = true;
      stores.delete(storeSoon);
      stopTimer();
      await storing;
      const remarks = await exclusive(keep).then(
        () => mirror.takeRemarks(),
        (error: unknown) => [`what was changed in the last seconds could not be found out: ${messageOf(error)}`],
      );
      return { ...outcomeOf(ending, remarks), changes: [] };
    } finally {
      isOver = true;
      stores.delete(storeSoon);
      stopTimer();
      disown();
    }
  }

  return {
    run,
    runBeside,
    start: () => keeper.start(),
    view: () => keeper.view(),
    servers: () => servers.views(),
    dispose() {
      disposed.abort();
      spare?.kill();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
