import type { WebContainerView } from "../../protocol/index.ts";
import type { Timers } from "../timers.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { boot, type Running } from "./boot.ts";
import type { WebContainerPort } from "./page-messages.ts";
import { type WebContainerLink, type LinkListener, openLink } from "./link.ts";
import { abortOf } from "../turns.ts";

export interface KeeperParts {
  readonly files: SandboxFiles;
  /** Called once, when the WebContainer is first wanted. */
  readonly connect: () => WebContainerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** What `view` answers has changed. */
  readonly changed: () => void;
  readonly listener: LinkListener;
  /** Nothing else looks at the WebContainer's files, or changes them, meanwhile. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** The sandbox has ended. */
  readonly signal: AbortSignal;
}

/** The WebContainer can't be had now; nothing was run. `why`: a sentence. */
export interface Unavailable {
  readonly unavailable: string;
}

/** Has the one WebContainer, or makes it ready. */
export interface Keeper {
  readonly link: () => WebContainerLink;
  /**
   * The WebContainer, made ready if need be. One that could not be had before is waited for only a moment. `progress` is told what continues. When
   * all who waited have been aborted, packages that are being installed are left out.
   */
  ready(signal: AbortSignal, progress: (line: string) => void): Promise<Running | Unavailable>;
  /** Anyone who has called this counts as one who waits until what it returns is called. */
  waits(signal: AbortSignal): () => void;
  /** The one that is ready; null: there is none. */
  current(): Running | null;
  /** It runs, and the project's files could not be brought in; null: they could. */
  setTrouble(running: Running, why: string | null): void;
  /** Begins to make it ready, also when that failed before. */
  start(): void;
  /** It is taken down, or no more waited for. What ran in it has to have ended. Never rejects. */
  end(): Promise<void>;
  view(): Exclude<WebContainerView, { readonly state: "off" }>;
}

/** Why what is asked of it meanwhile fails. */
const endedFor = "the WebContainer was ended";

/** Milliseconds that a command waits for a WebContainer that could not be had before, in case it can be now. */
const secondChance = 250;

export function createKeeper({ files, connect, loadScript, timers, changed, listener, exclusive, signal: ended }: KeeperParts): Keeper {
  let opened: WebContainerLink | null = null;
  let current: Running | null = null;
  let starting: Promise<void> | null = null;
  /** Why it could not be had when that was last tried. */
  let why: string | null = null;
  /** Why its files are not the project's. */
  let trouble: string | null = null;
  /** How often a WebContainer has gone: one that goes while it is made ready is none. */
  let goneTimes = 0;
  /** It runs, and is made ready. */
  let hasBooted = false;
  /** What continues until it is ready. */
  let doing: string | null = null;
  /** Ends the packages that are being installed. */
  let install: AbortController | null = null;
  /** All who waited have been aborted. */
  let isUnwanted = false;
  const watchers = new Set<(line: string) => void>();

  function wait(signal: AbortSignal, progress: (line: string) => void): () => void {
    watchers.add(progress);
    isUnwanted = false;
    return () => {
      watchers.delete(progress);
      if (!signal.aborted || watchers.size > 0) return;
      isUnwanted = true;
      install?.abort();
    };
  }

  function link(): WebContainerLink {
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
      doing = line;
      for (const watch of watchers) watch(line);
      changed();
    };
    const installing = (): AbortSignal => {
      install = new AbortController();
      // It was not there yet when they were.
      if (isUnwanted) install.abort();
      return AbortSignal.any([install.signal, ended]);
    };
    const booted = (): void => {
      hasBooted = true;
      changed();
    };
    const before = goneTimes;
    try {
      const running = await exclusive(() => boot({ link: link(), files, timers, loadScript, progress, booted, installing }));
      if (goneTimes !== before) throw new Error("it ended while it was made ready");
      current = running;
      why = null;
      trouble = null;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    } finally {
      hasBooted = false;
      [doing, install] = [null, null];
    }
  }

  // A function of its own, so that the compiler does not believe what was so before a wait.
  const now = (): Running | null => current;

  return {
    link,
    async ready(signal, progress) {
      if (current !== null) return current;
      const failedBefore = why !== null;
      const leave = wait(signal, progress);
      if (doing !== null) progress(doing);
      const begun = start();
      let stopTimer = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        if (failedBefore) stopTimer = timers.after(secondChance, resolve);
      });
      await Promise.race([begun, late, abortOf(signal)]);
      stopTimer();
      leave();
      const running = now();
      if (running !== null) return running;
      return { unavailable: hasBooted ? "it is still being made ready" : (why ?? "it ended again at once") };
    },
    waits: (signal) => wait(signal, () => undefined),
    current: now,
    setTrouble(running, reason) {
      if (current !== running || trouble === reason) return;
      trouble = reason;
      changed();
    },
    start() {
      why = null;
      isUnwanted = false;
      void start();
    },
    async end() {
      if (opened === null) return;
      goneTimes += 1;
      await opened.end(endedFor);
      await starting;
      [current, why, trouble] = [null, null, null];
      changed();
    },
    view() {
      if (current !== null) return trouble === null ? { state: "running" } : { state: "unavailable", why: trouble };
      if (why !== null && !hasBooted) return { state: "unavailable", why };
      if (starting === null) return { state: "resting" };
      return doing === null ? { state: "starting" } : { state: "starting", doing };
    },
  };
}
