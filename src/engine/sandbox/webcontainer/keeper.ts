import type { ComputerView } from "../../api.ts";
import type { Timers } from "../embedded/embedded.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { boot, type Running } from "./boot.ts";
import type { ComputerPort } from "./computer.ts";
import { type ComputerLink, type LinkListener, openLink } from "./link.ts";

export interface KeeperParts {
  readonly files: SandboxFiles;
  /** Called once, when the computer is first wanted. */
  readonly connect: () => ComputerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** What `view` answers has changed. */
  readonly changed: () => void;
  readonly listener: LinkListener;
  /** Nothing else looks at the computer's files, or changes them, meanwhile. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** The sandbox has ended. */
  readonly signal: AbortSignal;
}

/** The computer can't be had now; nothing was run. `why`: a sentence. */
export interface Unavailable {
  readonly unavailable: string;
}

/** Has the one computer, or makes it ready. */
export interface Keeper {
  readonly link: () => ComputerLink;
  /** The computer, made ready if need be. One that could not be had before is waited for only a moment. `progress` is told what goes on. */
  ready(signal: AbortSignal, progress: (line: string) => void): Promise<Running | Unavailable>;
  /** It has not gone, and no other one has taken its place. */
  isCurrent(running: Running): boolean;
  /** It is of no use any more: the next command has one made ready anew. */
  drop(running: Running, why: string): void;
  /** Begins to make it ready, also when that failed before. */
  start(): void;
  view(): Exclude<ComputerView, { readonly state: "off" }>;
}

/** Milliseconds that a command waits for a computer that could not be had before, in case it can be now. */
const secondChance = 250;

export function createKeeper({ files, connect, loadScript, timers, changed, listener, exclusive, signal: ended }: KeeperParts): Keeper {
  let opened: ComputerLink | null = null;
  let current: Running | null = null;
  let starting: Promise<void> | null = null;
  /** Why it could not be had when that was last tried. */
  let why: string | null = null;
  /** How often a computer has gone: one that goes while it is made ready is none. */
  let goneTimes = 0;
  /** It runs, and is made ready. */
  let hasBooted = false;
  const watchers = new Set<(line: string) => void>();

  function link(): ComputerLink {
    opened ??= openLink(
      connect(),
      {
        ...listener,
        gone(reason) {
          goneTimes += 1;
          current = null;
          listener.gone(reason);
          changed();
        },
      },
      timers,
    );
    return opened;
  }

  function start(): Promise<void> {
    if (current !== null) return Promise.resolve();
    starting ??= begin().finally(() => {
      starting = null;
      changed();
    });
    changed();
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
      const running = await exclusive(() => boot({ link: link(), files, timers, loadScript, progress, booted, signal: ended }));
      if (goneTimes !== before) throw new Error("it ended while it was made ready");
      current = running;
      why = null;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    } finally {
      hasBooted = false;
    }
  }

  // A function of its own, so that the compiler does not believe what was so before a wait.
  const now = (): Running | null => current;

  return {
    link,
    async ready(signal, progress) {
      if (current !== null) return current;
      const failedBefore = why !== null;
      watchers.add(progress);
      const begun = start();
      let stopTimer = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        if (failedBefore) stopTimer = timers.after(secondChance, resolve);
      });
      await Promise.race([begun, late, abortOf(signal)]);
      stopTimer();
      watchers.delete(progress);
      const running = now();
      if (running !== null) return running;
      return { unavailable: hasBooted ? "it is still being made ready" : (why ?? "it ended again at once") };
    },
    isCurrent: (running) => current === running,
    drop(running, reason) {
      if (current !== running) return;
      current = null;
      why = reason;
      changed();
    },
    start() {
      why = null;
      void start();
    },
    view() {
      if (current !== null) return { state: "running" };
      if (hasBooted) return { state: "starting" };
      if (why !== null) return { state: "unavailable", why };
      return { state: starting === null ? "resting" : "starting" };
    },
  };
}

export function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
