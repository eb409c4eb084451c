import type { WebContainerView } from "../../protocol/index.ts";
import type { Timers } from "../timers.ts";
import type { SandboxFiles } from "../sandbox.ts";
import { boot, type Running } from "./boot.ts";
import type { WebContainerPort } from "./page-messages.ts";
import { type WebContainerLink, type LinkListener, openLink } from "./link.ts";
import { abortOf } from "../turns.ts";

export interface KeeperParts {
  readonly files: SandboxFiles;
  /** Called once, when the WebContainer is first needed. */
  readonly connect: () => WebContainerPort;
  readonly loadScript: () => Promise<Uint8Array>;
  readonly timers: Timers;
  /** Called when the answer of `view` changes. */
  readonly changed: () => void;
  readonly listener: LinkListener;
  /** Runs one action at a time that reads or changes the WebContainer's files. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
  /** Aborts when the sandbox is disposed. */
  readonly signal: AbortSignal;
}

/** The WebContainer isn't available now; nothing was run. `why`: a sentence. */
export interface Unavailable {
  readonly unavailable: string;
}

/** Owns the one WebContainer and starts it. */
export interface Keeper {
  readonly link: () => WebContainerLink;
  /**
   * Returns the WebContainer, and starts it if necessary. If the last start failed, waits only a moment for it. `progress` receives status lines.
   * Once every waiting caller has been aborted, the installation of packages is skipped.
   */
  ready(signal: AbortSignal, progress: (line: string) => void): Promise<Running | Unavailable>;
  /** Registers a waiting caller, until the returned function is called. */
  waits(signal: AbortSignal): () => void;
  /** The WebContainer that is ready; null if there is none. */
  current(): Running | null;
  /** Records why the project's files could not be copied into the running WebContainer; null: they could. */
  setTrouble(running: Running, why: string | null): void;
  /** Begins to start it, even if the last start failed. */
  start(): void;
  /** Takes it down, or stops waiting for it. What ran in it must have ended. Never rejects. */
  end(): Promise<void>;
  view(): Exclude<WebContainerView, { readonly state: "off" }>;
}

/** The reason given to requests that fail because the WebContainer was ended. */
const endedFor = "the WebContainer was ended";

/** Milliseconds that a command waits for a WebContainer whose last start failed, in case it now succeeds. */
const secondChance = 250;

export function createKeeper({ files, connect, loadScript, timers, changed, listener, exclusive, signal: ended }: KeeperParts): Keeper {
  let opened: WebContainerLink | null = null;
  let current: Running | null = null;
  let starting: Promise<void> | null = null;
  /** Why the last start failed. */
  let why: string | null = null;
  /** Why its files differ from the project's. */
  let trouble: string | null = null;
  /** How many WebContainers have gone. One that goes while it starts does not count as started. */
  let goneTimes = 0;
  /** It has booted; files and packages may still be missing. */
  let hasBooted = false;
  /** The current status line, until it is ready. */
  let doing: string | null = null;
  /** Cancels the running installation of packages. */
  let install: AbortController | null = null;
  /** Every waiting caller has been aborted. */
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
      // The callers were aborted before this controller existed.
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

  // A separate function, so that the compiler does not keep a narrowed type across an `await`.
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
