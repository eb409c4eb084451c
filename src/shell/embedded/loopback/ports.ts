/** One end of a connection between two programs of a dialog. */
export interface End {
  send(bytes: Uint8Array): void;
  /** Ends sending from this end. */
  end(): void;
  /** Closes both directions. */
  close(): void;
}

/** Receives data from the other end. Nothing follows `close`. */
export interface EndListener {
  data(bytes: Uint8Array): void;
  end(): void;
  close(): void;
}

/** Accepts a connection to a port. */
export type Accept = (end: End) => EndListener;

export interface Listening {
  readonly port: number;
  /** Refuses new connections; existing ones stay open. */
  close(): void;
}

/** The ports of one dialog. The programs of its commands reach each other over them; no one else can. */
export interface Ports {
  /** `port` 0: any free port. Null: the port is taken, or there are too many. */
  listen(port: number, accept: Accept): Promise<Listening | null>;
  /** Null: nothing listens there. */
  connect(port: number, listener: EndListener): Promise<End | null>;
}

/** The maximum number of open ports of a dialog. */
export const mostPorts = 64;

/** The first port given to callers that ask for any free one. */
const firstFree = 40_000;

/** Creates the ports. What one end sends reaches the other in a later turn. */
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

/** Creates the two ends of a connection. */
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
