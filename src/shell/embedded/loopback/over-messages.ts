import type { FromPorts, ToPorts } from "./messages.ts";
import type { Accept, End, EndListener, Listening, Ports } from "./ports.ts";

/** The maximum number of open connections of one client. */
const mostWires = 512;

/** Maximum bytes sent to one client that it has not received yet. A connection that would exceed it is closed. */
const mostUnderWay = 64_000_000;

export interface AskedPorts extends Ports {
  hear(message: FromPorts): void;
}

/** Ports at the other end of a message channel. */
export function askForPorts(say: (message: ToPorts) => void): AskedPorts {
  let lastId = 0;
  const listens = new Map<number, (port: number | null) => void>();
  const connects = new Map<number, (wire: number | null) => void>();
  const accepts = new Map<number, Accept>();
  const wires = new Map<number, EndListener>();

  function endOf(wire: number): End {
    return {
      send: (bytes) => wires.has(wire) && say({ kind: "data", wire, bytes }),
      end: () => wires.has(wire) && say({ kind: "end", wire }),
      close() {
        if (wires.delete(wire)) say({ kind: "close", wire });
      },
    };
  }

  return {
    listen: (wanted, accept) =>
      new Promise<Listening | null>((resolve) => {
        const id = ++lastId;
        listens.set(id, (port) => {
          if (port === null) return resolve(null);
          accepts.set(port, accept);
          resolve({
            port,
            close() {
              if (accepts.delete(port)) say({ kind: "unlisten", port });
            },
          });
        });
        say({ kind: "listen", id, port: wanted });
      }),
    connect: (port, listener) =>
      new Promise<End | null>((resolve) => {
        const id = ++lastId;
        connects.set(id, (wire) => {
          if (wire === null) return resolve(null);
          wires.set(wire, listener);
          resolve(endOf(wire));
        });
        say({ kind: "connect", id, port });
      }),
    hear(message) {
      switch (message.kind) {
        case "listening":
          listens.get(message.id)?.(message.port);
          return void listens.delete(message.id);
        case "connected":
          connects.get(message.id)?.(message.wire);
          return void connects.delete(message.id);
        case "accepted": {
          const { wire } = message;
          const accept = accepts.get(message.port);
          if (accept === undefined) return say({ kind: "close", wire });
          // The listener may send before it returns its own listener.
          wires.set(wire, silent);
          return void wires.set(wire, accept(endOf(wire)));
        }
        case "data":
          say({ kind: "took", size: message.bytes.length });
          return wires.get(message.wire)?.data(message.bytes);
        case "end":
          return wires.get(message.wire)?.end();
        case "close": {
          const listener = wires.get(message.wire);
          wires.delete(message.wire);
          return listener?.close();
        }
      }
    },
  };
}

const silent: EndListener = { data: () => undefined, end: () => undefined, close: () => undefined };

export interface ServedPorts {
  hear(message: ToPorts): void;
  /** The client has gone: frees its ports and closes its connections. */
  close(): void;
}

/** Serves the requests from the other end of a message channel with these ports. */
export function servePorts(ports: Ports, say: (message: FromPorts) => void): ServedPorts {
  let lastWire = 0;
  let closed = false;
  let underWay = 0;
  const listening = new Map<number, Listening>();
  const wires = new Map<number, End>();
  const tell = (message: FromPorts): void => {
    if (!closed) say(message);
  };

  function listenerOf(wire: number): EndListener {
    return {
      data(bytes) {
        const end = wires.get(wire);
        if (end === undefined) return;
        if (underWay + bytes.length > mostUnderWay) {
          end.close();
          wires.delete(wire);
          return tell({ kind: "close", wire });
        }
        underWay += bytes.length;
        tell({ kind: "data", wire, bytes });
      },
      end: () => tell({ kind: "end", wire }),
      close() {
        if (wires.delete(wire)) tell({ kind: "close", wire });
      },
    };
  }

  async function listen(id: number, wanted: number): Promise<void> {
    let port = wanted;
    const made = await ports.listen(wanted, (end) => {
      const wire = ++lastWire;
      if (wires.size >= mostWires) queueMicrotask(() => end.close());
      else {
        wires.set(wire, end);
        tell({ kind: "accepted", port, wire });
      }
      return listenerOf(wire);
    });
    if (made !== null) ({ port } = made);
    if (closed) return made?.close();
    if (made !== null) listening.set(made.port, made);
    tell({ kind: "listening", id, port: made?.port ?? null });
  }

  async function connect(id: number, port: number): Promise<void> {
    const wire = ++lastWire;
    if (wires.size >= mostWires) return tell({ kind: "connected", id, wire: null });
    const early: (() => void)[] = [];
    let known = false;
    const listener = listenerOf(wire);
    const later = (now: () => void): void => (known ? now() : void early.push(now));
    const end = await ports.connect(port, {
      data: (bytes) => later(() => listener.data(bytes)),
      end: () => later(() => listener.end()),
      close: () => later(() => listener.close()),
    });
    if (closed) return end?.close();
    known = true;
    if (end !== null) wires.set(wire, end);
    tell({ kind: "connected", id, wire: end === null ? null : wire });
    for (const now of early) now();
  }

  return {
    hear(message) {
      switch (message.kind) {
        case "listen":
          return void listen(message.id, message.port);
        case "unlisten":
          listening.get(message.port)?.close();
          return void listening.delete(message.port);
        case "connect":
          return void connect(message.id, message.port);
        case "took":
          underWay = Math.max(0, underWay - message.size);
          return;
        case "data":
          return wires.get(message.wire)?.send(message.bytes);
        case "end":
          return wires.get(message.wire)?.end();
        case "close":
          wires.get(message.wire)?.close();
          return void wires.delete(message.wire);
      }
    },
    close() {
      closed = true;
      for (const each of listening.values()) each.close();
      for (const end of wires.values()) end.close();
      listening.clear();
      wires.clear();
    },
  };
}
