/** One end of a connection between two programs of a dialog. */
export interface End {
  send(bytes: Uint8Array): void;
  /** Nothing more is sent from this end. */
  end(): void;
  /** It is over in both directions. */
  close(): void;
}

/** What comes from the other end. Nothing follows `close`. */
export interface EndListener {
  data(bytes: Uint8Array): void;
  end(): void;
  close(): void;
}

/** Takes a connection that was made to a port. */
export type Accept = (end: End) => EndListener;

export interface Listening {
  readonly port: number;
  /** New connections are refused; those that are there stay. */
  close(): void;
}

/** The ports of one dialog: the programs of its commands reach each other over them, and no one else does. */
export interface Ports {
  /** `port` 0: any that is free. null: someone listens there, or there are too many. */
  listen(port: number, accept: Accept): Promise<Listening | null>;
  /** null: no one listens there. */
  connect(port: number, listener: EndListener): Promise<End | null>;
}

/** Ports that one dialog may have open at one time. */
export const mostPorts = 64;

/** Where ports begin that no one asked for by number. */
const firstFree = 40_000;

/** The ports themselves. What one end sends, the other hears in a later turn. */
export function createPorts(): Ports {
  const accepts = new Map<number, Accept>();

  function freePort(): number {
    let port = firstFree;
    while (accepts.has(port)) port++;
    return port;
  }

  return {
    async listen(wanted, accept) {
      const port = wanted === 0 ? freePort() : wanted;
      if (accepts.has(port) || accepts.size >= mostPorts) return null;
      accepts.set(port, accept);
      return {
        port,
        close() {
          if (accepts.get(port) === accept) accepts.delete(port);
        },
      };
    },
    async connect(port, listener) {
      const accept = accepts.get(port);
      if (accept === undefined) return null;
      const [near, far] = pair();
      near.hear(listener);
      far.hear(accept(far.end));
      return near.end;
    },
  };
}

/** The two ends of a connection. */
function pair() {
  let closed = false;
  const one = (other: () => EndListener | null) => {
    let listener: EndListener | null = null;
    let ended = false;
    const tell = (say: (to: EndListener) => void): void =>
      queueMicrotask(() => {
        const to = other();
        if (to !== null) say(to);
      });
    return {
      hear: (given: EndListener): void => void (listener = given),
      listener: () => listener,
      end: {
        send(bytes: Uint8Array): void {
          if (!closed && !ended) tell((to) => to.data(bytes));
        },
        end(): void {
          if (closed || ended) return;
          ended = true;
          tell((to) => to.end());
        },
        close(): void {
          if (closed) return;
          closed = true;
          tell((to) => to.close());
        },
      } satisfies End,
    };
  };
  const near: ReturnType<typeof one> = one(() => far.listener());
  const far: ReturnType<typeof one> = one(() => near.listener());
  return [near, far] as const;
}
