/** What the tabs of one origin share; a test puts its own in their place. */
export interface TabsWorld {
  readonly locks: Pick<LockManager, "request">;
  /** Opens a channel: what is posted reaches every other one of that name that is open. */
  channel<Side extends Talk>(name: string, listener: (message: Side["hears"]) => void): Channel<Side>;
  /** A name that no one guesses and no one else has. */
  random(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, `ms` from now; returns the way to stop that. */
  after(ms: number, callback: () => void): () => void;
  readonly report: (error: unknown) => void;
}

/** The types of what one side of a channel hears and says. */
interface Talk {
  hears: unknown;
  says: unknown;
}

export interface Channel<Side extends Talk> {
  readonly post: (message: Side["says"]) => void;
  readonly close: () => void;
}

export const browserTabs: TabsWorld = {
  get locks() {
    return navigator.locks;
  },
  channel<Side extends Talk>(name: string, listener: (message: Side["hears"]) => void) {
    const channel = new BroadcastChannel(name);
    channel.addEventListener("message", ({ data }: MessageEvent<Side["hears"]>) => listener(data));
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it never leaves the origin.
      post: (message: Side["says"]) => channel.postMessage(message),
      close: () => channel.close(),
    };
  },
  random: () => crypto.randomUUID(),
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  report: (error) => console.error(error),
};
