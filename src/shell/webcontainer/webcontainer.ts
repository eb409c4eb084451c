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
  /** Called once, when the WebContainer is first wanted. */
  readonly connect: () => WebContainerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** What `view` answers has changed. */
  readonly changed: () => void;
}

/**
 * A sandbox in a WebContainer: real processes over a copy of the project's files.
 *
 * - One command in the foreground at a time, in the order of the calls, because all share one folder and a change can't be told from another
 *   one's; those in the background run beside them, over the same files.
 * - Before a command the WebContainer is brought up to date; after it, and every few seconds while it runs, what it has is compared with what it
 *   was given. What is found while a command in the foreground runs is that command's, whatever did it, unless one in the background
 *   ends meanwhile, or the page hides while one runs there: then it is stored at once.
 * - A WebContainer that ends by itself takes its processes with it, which is said; what was found until then is kept. The next command starts it again.
 */
export interface WebContainerSandbox {
  run(command: string, options: RunOptions): Promise<RunOutcome | Unavailable>;
  runInBackground(command: string, options: BackgroundOptions): Promise<RunOutcome | Unavailable>;
  /** Begins to start it, also when that failed before. */
  start(): void;
  /**
   * Whether the user has it chosen; it is so at first. When no more, it ends: after the command in the foreground that runs, those in the background
   * are stopped, what they have changed is stored, and the WebContainer is taken down. Chosen again before that, it continues.
   */
  choose(isChosen: boolean): void;
  view(): Exclude<WebContainerView, { readonly state: "off" }>;
  servers(): readonly ServerView[];
  /** How changes are stored that were found when no command was there any more to store them. */
  storeLateBy(store: StoreLate): void;
  dispose(): void;
}

/** UTF-16 units of a command that are shown while it runs. */
const liveCharacters = 262_144;
const liveCharactersBeside = 1_000_000;

const waitsForTurn = "Waiting for its turn: in the WebContainer commands run one at a time…";

const notChosen: Unavailable = { unavailable: "the built-in shell was selected" };
const endedRemark = "stopped because the built-in shell was selected, which ends WebContainer";

export function webContainerSandbox({ files, connect, loadScript, timers, changed }: WebContainerParts): WebContainerSandbox {
  let spare: ScriptProcess | null = null;
  /** A command in the foreground runs. */
  let isBusy = false;
  const takeTurn = createTurns();
  /** One at a time looks at the WebContainer's files, or changes them. */
  const exclusive = createExclusive();
  const places = createPlaces();
  /** The sessions that ran anything in each WebContainer: what is found in it is a doing of theirs. */
  const ranIn = new WeakMap<Running, Set<string>>();
  /** Of the commands in the background. */
  const backgroundFiles = new Set<BackgroundFiles>();
  let isChosen = true;
  /** Aborts when it is chosen no more. */
  let away = new AbortController();
  /** While the WebContainer is being ended. */
  let ending: Promise<void> | null = null;
  /** Stops the commands in the background that began since the last end. */
  let era = new AbortController();
  const besides = new Set<Promise<unknown>>();
  let late: StoreLate | null = null;
  /** What could not be kept of a WebContainer that was ended, for anyone who types the next command. */
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
      // It is tried again with the next command; what was changed until now is this one's.
      return exclusive(async () => (mirror.pending === 0 ? { unavailable: failure } : store(running, options, failed(failure))));
    }
    if ((await options.claim?.()) === false || signal.aborted) {
      void storeLate(running);
      return stoppedBefore;
    }
    const remarks = takeRemarks(running);
    // What continued before it is over.
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

  /** Stores what was found with the result. */
  async function store({ mirror }: Running, options: RunOptions, ended: Omit<RunOutcome, "changes">): Promise<RunOutcome> {
    const outcome = { ...ended, changes: mirror.take() };
    await options.commit?.(outcome);
    // A WebContainer that is gone is given everything again.
    await mirror.settle(outcome.changes).catch(() => undefined);
    return outcome;
  }

  /** Stores what was found for no command, as far as that can be: else it waits for the next one. */
  const storeLate = (running: Running): Promise<void> =>
    exclusive(async () => {
      const keep = late;
      const [session = null, another] = ranIn.get(running) ?? [];
      if (keep !== null) await storeFound(running.mirror, (changes) => keep(changes, another === undefined ? session : null));
    });

  /** The WebContainer is brought up to date; null: it is, else why it could not be. What may have been changed in it since the last look is found before. Never rejects. */
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

  /** `stop`: with the WebContainer. */
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

  /** What is still in it is stored. */
  async function lastLook(running: Running): Promise<void> {
    const remarks = await exclusive(() => collectWithRemarks(running.mirror));
    await storeLate(running);
    untold = remarks.map((line) => `in the WebContainer before this one: ${line}`);
  }

  /** In its turn, so that the command that runs ends first. */
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
    // A command brings them in itself.
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
