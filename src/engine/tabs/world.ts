/** What the tabs of one origin share. Tests replace it. */
export interface TabsWorld {
  readonly locks: Pick<LockManager, "request">;
  /** Opens a channel. Messages reach every other open channel of the same name. */
  channel<Side extends Talk>(name: string, listener: (message: Side["hears"]) => void): Channel<Side>;
  /** A unique name that can't be guessed. */
  random(): string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once, `ms` from now. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void;
  readonly report: (error: unknown) => void;
}

/** The types of the messages that one side of a channel receives and sends. */
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
