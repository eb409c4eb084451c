import type { ComputerView, ServerView } from "../../api.ts";
import type { Place } from "../embedded/one-command.ts";
import type { Timers } from "../embedded/embedded.ts";
import { deferred } from "../embedded/deferred.ts";
import type { BesideOptions, RunOptions, RunOutcome, SandboxFiles } from "../sandbox.ts";
import { boot, type Running } from "./boot.ts";
import type { ComputerPort } from "./computer.ts";
import { type ComputerLink, openLink } from "./link.ts";
import { type ScriptEnding, type ScriptProcess, startScript } from "./run-script.ts";
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

/** The computer can't be had now; nothing was run. `why`: a sentence. */
export interface Unavailable {
  readonly unavailable: string;
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

/** Milliseconds that a command waits for a computer that could not be had before, in case it can be now. */
const secondChance = 250;

export function webContainerSandbox({ files, connect, loadScript, timers, changed }: WebContainerParts): WebContainerSandbox {
  let link: ComputerLink | null = null;
  let current: Running | null = null;
  let starting: Promise<void> | null = null;
  /** Why it could not be had when that was last tried. */
  let why: string | null = null;
  let spare: ScriptProcess | null = null;
  /** How often a computer has gone: one that goes while it is made ready is none. */
  let goneTimes = 0;
  /** It runs, and is made ready. */
  let hasBooted = false;
  /** A command in the foreground runs. */
  let isBusy = false;
  let last: Promise<void> = Promise.resolve();
  let lastLook: Promise<unknown> = Promise.resolve();
  const places = new Map<string, Place>();
  const watchers = new Set<(line: string) => void>();
  /** How the commands in the background store what they have changed. */
  const stores = new Set<() => void>();
  const servers = createServers(changed);
  const disposed = new AbortController();

  function linkNow(): ComputerLink {
    link ??= openLink(
      connect(),
      {
        port: (port, url, open) => (open ? servers.opened(port, url) : servers.closed(port)),
        hidden() {
          if (!isBusy) for (const storeSoon of stores) storeSoon();
        },
        gone() {
          goneTimes += 1;
          current = null;
          spare = null;
          servers.clear();
          changed();
        },
      },
      timers,
    );
    return link;
  }

  function start(): Promise<void> {
    if (current !== null) return Promise.resolve();
    starting ??= begin().finally(() => {
      starting = null;
      changed();
    });
    return starting;
  }

  async function begin(): Promise<void> {
    const progress = (line: string): void => {
      for (const watch of watchers) watch(line);
    };
    const booted = (): void => {
      hasBooted = true;
      changed();
    };
    const before = goneTimes;
    try {
      const running = await exclusive(() =>
        boot({ link: linkNow(), files, timers, loadScript, progress, booted, signal: disposed.signal }),
      );
      if (goneTimes !== before) throw new Error("it ended while it was made ready");
      current = running;
      why = null;
    } catch (error) {
      why = messageOf(error);
    } finally {
      hasBooted = false;
    }
  }

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

  /** null: it is there. */
  async function unavailable(signal: AbortSignal, onOutput: RunOptions["onOutput"]): Promise<string | null> {
    if (current !== null) return null;
    const failedBefore = why !== null;
    const watch = (text: string): void => onOutput?.({ stream: "progress", text });
    watchers.add(watch);
    const begun = start();
    changed();
    let stopTimer = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      if (failedBefore) stopTimer = timers.after(secondChance, resolve);
    });
    await Promise.race([begun, late, abortOf(signal)]);
    stopTimer();
    watchers.delete(watch);
    if (isThere()) return null;
    if (hasBooted) return "it is still being made ready";
    return signal.aborted ? "it was stopped" : (why ?? "it ended again at once");
  }

  // A function of its own, so that the compiler does not believe what was so before the wait.
  const isThere = (): boolean => current !== null;

  function takeProcess(running: Running): ScriptProcess {
    const taken = spare?.isAlive === true ? spare : startScript(linkNow(), running.script, timers);
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
      if (current === running) current = null;
      why = failure;
      changed();
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
      run: {
        type: "run",
        command,
        ...placeOf(options.session, running),
        timeoutMs: options.timeoutMs,
        maxBytes: options.maxBytes,
        liveCharacters,
      },
      signal,
      onOutput: options.onOutput,
      background: options.background,
    });
    isOver = true;
    stopTimer();
    keepPlace(options.session, ending);
    if (current === running) spare ??= startScript(linkNow(), running.script, timers);
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

  function placeOf(session: string, { folder }: Running): Place {
    return places.get(session) ?? { folder, env: {} };
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
      const missing = await unavailable(signal, options.onOutput);
      if (signal.aborted) return stoppedBefore;
      if (missing !== null || current === null) return { unavailable: missing ?? "it ended again at once" };
      return await runNow(command, options, signal, current);
    } finally {
      isBusy = false;
      giveTurn();
    }
  }

  async function runBeside(command: string, options: BesideOptions): Promise<RunOutcome | Unavailable> {
    const signal = AbortSignal.any([options.signal, disposed.signal]);
    const missing = await unavailable(signal, options.onOutput);
    if (signal.aborted) return stoppedBefore;
    if (missing !== null || current === null) return { unavailable: missing ?? "it ended again at once" };
    const running = current;
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
        run: {
          type: "run",
          command,
          ...placeOf(options.session, running),
          timeoutMs: options.timeoutMs,
          maxBytes: options.maxBytes,
          liveCharacters: liveCharactersBeside,
        },
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
    start() {
      why = null;
      void start();
      changed();
    },
    view() {
      if (current !== null) return { state: "running" };
      if (hasBooted) return { state: "starting" };
      if (why !== null) return { state: "unavailable", why };
      return { state: starting === null ? "resting" : "starting" };
    },
    servers: () => servers.views(),
    dispose() {
      disposed.abort();
      spare?.kill();
    },
  };
}

const stoppedBefore: RunOutcome = { stdout: "", stderr: "", exitCode: 130, limit: null, aborted: true, ms: 0, changes: [] };

function failed(why: string): RunOutcome {
  return { stdout: "", stderr: `vibey: ${why}\n`, exitCode: 126, limit: null, aborted: false, ms: 0, changes: [] };
}

function outcomeOf(ending: ScriptEnding, remarks: readonly string[]): Omit<RunOutcome, "changes"> {
  const ms = Math.round(ending.ms);
  if (ending.kind === "done") {
    const { stdout, stderr, exitCode, limit, aborted } = ending.done;
    return { stdout, stderr: withLines(stderr, remarks), exitCode, limit, aborted, ms };
  }
  const { stdout, stderr, cut } = ending.shown.kept();
  const line = {
    time: "the command did not stop by itself and was killed; the last of what it had printed may be missing",
    abort: "the command did not stop by itself and was killed; the last of what it had printed may be missing",
    crash: `the command's shell in the WebContainer ended before it did: ${ending.detail}`,
  }[ending.why];
  return {
    stdout,
    stderr: withLines(stderr, [line, ...remarks]),
    exitCode: { time: 124, abort: 130, crash: 126 }[ending.why],
    limit: ending.why === "time" ? "time" : cut ? "output" : null,
    aborted: ending.why === "abort",
    ms,
  };
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.map((line) => `vibey: ${line}\n`).join("")}`;
}

function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
