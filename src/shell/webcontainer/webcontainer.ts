import type { WebContainerView, ServerView } from "../../protocol/index.ts";
import type { Timers } from "../timers.ts";
import { deferred } from "../embedded/deferred.ts";
import type { BackgroundOptions, RunOptions, RunOutcome, SandboxFiles, StoreLate } from "../sandbox.ts";
import { abortOf, createExclusive, createTurns } from "../turns.ts";
import type { Running } from "./boot.ts";
import { type BackgroundFiles, keepBackgroundFiles } from "./background.ts";
import type { WebContainerPort } from "./page-messages.ts";
import { createKeeper, type Unavailable } from "./keeper.ts";
import { lookOften, lookPause } from "./look.ts";
import { createPlaces } from "./places.ts";
import { type ScriptEnding, type ScriptProcess, type ScriptRun, startScript } from "./run-script.ts";
import { failed, outcomeOf, stoppedBefore } from "./outcome.ts";
import { createServers } from "./servers.ts";
import { collectWithRemarks, storeFound } from "./store-found.ts";

export interface WebContainerParts {
  readonly files: SandboxFiles;
  /** Called once, when the WebContainer is first needed. */
  readonly connect: () => WebContainerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** Called when the answer of `view` changes. */
  readonly changed: () => void;
}

/**
 * A sandbox in a WebContainer: real processes over a copy of the project's files.
 *
 * - One foreground command runs at a time, in the order of the calls: all commands share one folder, and the changes of two could not be told apart.
 *   Background commands run at the same time over the same files.
 * - The WebContainer is updated before a command. After the command, and every few seconds while it runs, its files are compared with what it was
 *   given. Changes found while a foreground command runs count as that command's, whatever made them. Exception: if a background command ends, or the
 *   page is hidden while one runs, they are stored at once.
 * - A WebContainer that ends by itself takes its processes with it. The output says so, and the changes found until then are kept. The next command
 *   starts it again.
 */
export interface WebContainerSandbox {
  run(command: string, options: RunOptions): Promise<RunOutcome | Unavailable>;
  runInBackground(command: string, options: BackgroundOptions): Promise<RunOutcome | Unavailable>;
  /** Begins to start it, even if the last start failed. */
  start(): void;
  /**
   * Sets whether the user has chosen it, which is true at first. When it is no longer chosen, it ends: after the running foreground command, the
   * background commands are stopped, their changes are stored, and the WebContainer is taken down. If it is chosen again before that, it continues.
   */
  choose(isChosen: boolean): void;
  view(): Exclude<WebContainerView, { readonly state: "off" }>;
  servers(): readonly ServerView[];
  /** How to store changes that are found after the command that would have stored them has ended. */
  storeLateBy(store: StoreLate): void;
  dispose(): void;
}

/** UTF-16 units of a command's output that are shown while it runs. */
const liveCharacters = 262_144;
const liveCharactersBeside = 1_000_000;

const waitsForTurn = "Waiting for its turn: in the WebContainer commands run one at a time…";

const notChosen: Unavailable = { unavailable: "the built-in shell was selected" };
const endedRemark = "stopped because the built-in shell was selected, which ends WebContainer";

export function webContainerSandbox({ files, connect, loadScript, timers, changed }: WebContainerParts): WebContainerSandbox {
  let spare: ScriptProcess | null = null;
  /** Whether a foreground command runs. */
  let isBusy = false;
  const takeTurn = createTurns();
  /** Runs one action at a time that reads or changes the WebContainer's files. */
  const exclusive = createExclusive();
  const places = createPlaces();
  /** The sessions that ran commands in each WebContainer. Changes found in it are attributed to them. */
  const ranIn = new WeakMap<Running, Set<string>>();
  /** Of the background commands. */
  const backgroundFiles = new Set<BackgroundFiles>();
  let isChosen = true;
  /** Aborts when it is no longer chosen. */
  let away = new AbortController();
  /** Set while the WebContainer is being ended. */
  let ending: Promise<void> | null = null;
  /** Stops the background commands that began since the last end. */
  let era = new AbortController();
  const besides = new Set<Promise<unknown>>();
  let late: StoreLate | null = null;
  /** What could not be kept of a WebContainer that was ended, shown with the next command. */
  let untold: readonly string[] = [];
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
        for (const kept of backgroundFiles) kept.storeSoon();
      },
      gone() {
        spare = null;
        servers.clear();
      },
    },
    exclusive,
    signal: disposed.signal,
  });

  async function ready(signal: AbortSignal, { onOutput }: Pick<RunOptions, "onOutput">): Promise<Running | Unavailable> {
    const running = await keeper.ready(AbortSignal.any([signal, away.signal]), (text) => onOutput?.({ stream: "progress", text }));
    return "unavailable" in running && !isChosen ? notChosen : running;
  }

  function takeProcess(running: Running): ScriptProcess {
    const taken = spare?.isAlive === true ? spare : startScript(running.container, running.script, timers);
    spare = null;
    return taken;
  }

  async function runScript(running: Running, session: string, given: ScriptRun): Promise<ScriptEnding> {
    ranIn.set(running, (ranIn.get(running) ?? new Set()).add(session));
    const ended = await takeProcess(running).run(given);
    running.mirror.touched();
    return ended;
  }

  async function runNow(command: string, options: RunOptions, signal: AbortSignal, running: Running): Promise<RunOutcome | Unavailable> {
    options.begins?.();
    const refreshed = refresh(running, isAlive(), (done, of) => {
      if (done > 0) options.onOutput?.({ stream: "progress", text: `loading project files: ${done} of ${of}` });
    });
    await Promise.race([refreshed, abortOf(signal)]);
    if (signal.aborted) {
      void refreshed.then(() => storeLate(running));
      return stoppedBefore;
    }
    const failure = await refreshed;
    const { mirror } = running;
    if (failure !== null) {
      // The next command tries again. Changes found until now are stored with this command.
      return exclusive(async () => (mirror.pending === 0 ? { unavailable: failure } : store(running, options, failed(failure))));
    }
    if ((await options.claim?.()) === false || signal.aborted) {
      void storeLate(running);
      return stoppedBefore;
    }
    const remarks = takeRemarks(running);
    // Clears the progress line of the wait that is over.
    options.onOutput?.({ stream: "progress", text: "" });
    const stopLooking = lookOften(timers, () => exclusive(() => mirror.collect()));
    const leaveFront = servers.inFront();
    try {
      const ended = await runScript(running, options.session, {
        run: places.toRun(command, options, running.folder, liveCharacters),
        signal,
        onOutput: options.onOutput,
        background: options.background,
      });
      stopLooking();
      places.keep(options.session, ended);
      if (isChosen && keeper.current() === running) spare ??= startScript(running.container, running.script, timers);
      return await exclusive(async () => {
        const lines = [...remarks, ...(await collectWithRemarks(mirror))];
        return store(running, options, outcomeOf(ended, lines));
      });
    } finally {
      leaveFront();
    }
  }

  /** Stores the changes with the command's result. */
  async function store({ mirror }: Running, options: RunOptions, ended: Omit<RunOutcome, "changes">): Promise<RunOutcome> {
    const outcome = { ...ended, changes: mirror.take() };
    await options.commit?.(outcome);
    // A WebContainer that has gone gets all files again when it restarts.
    await mirror.settle(outcome.changes).catch(() => undefined);
    return outcome;
  }

  /** Stores changes that belong to no command, if that is possible; otherwise they wait for the next command. */
  const storeLate = (running: Running): Promise<void> =>
    exclusive(async () => {
      const keep = late;
      const [session = null, another] = ranIn.get(running) ?? [];
      if (keep !== null) await storeFound(running.mirror, (changes) => keep(changes, another === undefined ? session : null));
    });

  /**
   * Finds changes that were made in the WebContainer since the last check, then updates it from the store. Returns null, or why the update failed.
   * Never rejects.
   */
  function refresh(running: Running, isAlive: boolean, progress: (done: number, of: number) => void): Promise<string | null> {
    const { mirror } = running;
    return exclusive(async () => {
      let failure: string | null = null;
      try {
        if (isAlive || !mirror.isLooked) await mirror.collect();
        await mirror.bringIn(progress);
      } catch (error) {
        failure = `couldn't load the project files: ${messageOf(error)}`;
      }
      keeper.setTrouble(running, failure);
      return failure;
    });
  }

  const isAlive = (): boolean => backgroundFiles.size > 0 || servers.views().length > 0;

  const told = new WeakSet<Running>();
  function takeRemarks(running: Running): readonly string[] {
    if (told.has(running)) return [];
    told.add(running);
    const remarks = [...untold, ...running.remarks];
    untold = [];
    return remarks;
  }

  async function run(command: string, options: RunOptions): Promise<RunOutcome | Unavailable> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const leave = keeper.waits(signal);
    const giveTurn = await takeTurn(signal, () => {
      options.onOutput?.({ stream: "progress", text: waitsForTurn });
      options.waits?.();
    });
    if (giveTurn === null || !isChosen) {
      leave();
      giveTurn?.();
      return giveTurn === null ? stoppedBefore : notChosen;
    }
    isBusy = true;
    try {
      const readying = ready(signal, options);
      leave();
      const running = await readying;
      if (signal.aborted) return stoppedBefore;
      return "unavailable" in running ? running : await runNow(command, options, signal, running);
    } finally {
      isBusy = false;
      giveTurn();
    }
  }

  async function runInBackground(command: string, options: BackgroundOptions): Promise<RunOutcome | Unavailable> {
    if (ending !== null) await Promise.race([ending, abortOf(options.signal)]);
    if (options.signal.aborted || disposed.signal.aborted) return stoppedBefore;
    if (!isChosen) return notChosen;
    const done = runInBackgroundNow(command, options, era.signal);
    besides.add(done);
    try {
      return await done;
    } finally {
      besides.delete(done);
    }
  }

  /** `stop` aborts when the WebContainer is being ended. */
  async function runInBackgroundNow(command: string, options: BackgroundOptions, stop: AbortSignal): Promise<RunOutcome | Unavailable> {
    const signal = AbortSignal.any([options.signal, disposed.signal, stop]);
    const running = await ready(signal, options);
    const stopped = (): RunOutcome => (stop.aborted ? { ...stoppedBefore, stderr: `vibey: ${endedRemark}\n` } : stoppedBefore);
    if (signal.aborted) return stopped();
    if ("unavailable" in running) return running;
    const kept = keepBackgroundFiles({
      mirror: running.mirror,
      options,
      timers,
      isBusy: () => isBusy,
      broughtIn: () => keeper.setTrouble(running, null),
      exclusive,
      pause: lookPause,
    });
    backgroundFiles.add(kept);
    const disown = servers.owns({ dialogId: options.session, background: options.id, command });
    try {
      const refreshed = refresh(running, true, () => undefined);
      await Promise.race([refreshed, abortOf(signal)]);
      if (signal.aborted) {
        void refreshed.then(() => storeLate(running));
        return stopped();
      }
      const failure = await refreshed;
      if (failure !== null) {
        await exclusive(() => storeFound(running.mirror, options.commitChanges));
        return { unavailable: failure };
      }
      kept.start();
      const ended = await runScript(running, options.session, {
        run: places.toRun(command, options, running.folder, liveCharactersBeside),
        signal,
        onOutput: options.onOutput,
        background: undefined,
      });
      backgroundFiles.delete(kept);
      const remarks = await kept.end();
      return { ...outcomeOf(ended, stop.aborted ? [...remarks, endedRemark] : remarks), changes: [] };
    } finally {
      kept.stop();
      backgroundFiles.delete(kept);
      disown();
    }
  }

  /** Stores what has changed in it and was not stored. */
  async function lastLook(running: Running): Promise<void> {
    const remarks = await exclusive(() => collectWithRemarks(running.mirror));
    await storeLate(running);
    untold = remarks.map((line) => `in the WebContainer before this one: ${line}`);
  }

  /** Waits for its turn, so that the running command ends first. */
  async function end(): Promise<void> {
    const giveTurn = await takeTurn(disposed.signal);
    if (giveTurn === null) return;
    try {
      if (isChosen) return;
      const ended = deferred<void>();
      ending = ended.promise;
      era.abort();
      await Promise.allSettled(besides);
      const running = keeper.current();
      if (running !== null) await lastLook(running);
      await keeper.end();
      spare = null;
      servers.clear();
      era = new AbortController();
      ending = null;
      ended.resolve();
    } finally {
      giveTurn();
    }
  }

  function start(): void {
    if (!isChosen) return;
    if (ending !== null) return void ending.then(start);
    const running = keeper.current();
    if (running === null) keeper.start();
    // A running command copies the files in itself.
    else if (!isBusy) void refresh(running, isAlive(), () => undefined).then(() => storeLate(running));
  }

  return {
    run,
    runInBackground,
    start,
    choose(next) {
      if (isChosen === next) return;
      isChosen = next;
      if (next) away = new AbortController();
      else {
        away.abort();
        void end();
      }
    },
    view: () => keeper.view(),
    servers: () => servers.views(),
    storeLateBy: (next) => void (late = next),
    dispose() {
      disposed.abort();
      spare?.kill();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
