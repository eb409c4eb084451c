import { joinBytes } from "../../../fs/bytes.ts";
import type { EndListener, End, Listening, Ports } from "../loopback/ports.ts";

/** Maximum bytes, over all connections, that have arrived and were not read. A connection that exceeds it is reset. */
const mostUnread = 64_000_000;

/** A program's sockets, each identified by a number. */
export interface Sockets {
  /** `port` 0: any free port. Null: the port isn't available. */
  listen(port: number): Promise<{ readonly id: number; readonly port: number } | null>;
  /** Null: nothing listens there. */
  connect(port: number): Promise<number | null>;
  /** The next new connection to a server; null if there is none. */
  accept(server: number): number | null;
  /** Up to `size` received bytes. Null: nothing has arrived. Empty: the other end sends nothing more. "reset": too much arrived, and it is lost. */
  receive(wire: number, size: number): Uint8Array | "reset" | null;
  /** False: the other end has gone. */
  send(wire: number, bytes: Uint8Array): boolean;
  /** Ends sending. */
  shut(wire: number): void;
  close(id: number): void;
  /** Whether a read would not block. */
  isReady(id: number): boolean;
  closeAll(): void;
}

interface Wire {
  end: End | null;
  readonly unread: Uint8Array[];
  size: number;
  /** The other end sends nothing more. */
  over: boolean;
  /** The other end has gone. */
  gone: boolean;
  /** Too much arrived. */
  reset: boolean;
}

/** `news` is called when something has arrived. */
export function socketsOf(ports: Ports | null, news: () => void): Sockets {
  const servers = new Map<number, { readonly listening: Listening; readonly waiting: number[] }>();
  const wires = new Map<number, Wire>();
  let unread = 0;
  let last = 0;
  let isOver = false;

  function forget(wire: Wire): void {
    unread -= wire.size;
    wire.unread.length = 0;
    wire.size = 0;
  }

  function newWire(): { readonly id: number; readonly wire: Wire; readonly listener: EndListener } {
    const id = ++last;
    const wire: Wire = { end: null, unread: [], size: 0, over: false, gone: false, reset: false };
    wires.set(id, wire);
    const listener: EndListener = {
      data(bytes) {
        if (wire.over) return;
        if (unread + bytes.length > mostUnread) {
          forget(wire);
          Object.assign(wire, { over: true, gone: true, reset: true });
          wire.end?.close();
        } else {
          wire.unread.push(bytes);
          wire.size += bytes.length;
          unread += bytes.length;
        }
        news();
      },
      end() {
        wire.over = true;
        news();
      },
      close() {
        Object.assign(wire, { over: true, gone: true });
        news();
      },
    };
    return { id, wire, listener };
  }

  return {
    async listen(port) {
      if (ports === null) return null;
      const waiting: number[] = [];
      const listening = await ports.listen(port, (end) => {
        const { id, wire, listener } = newWire();
        wire.end = end;
        waiting.push(id);
        news();
        return listener;
      });
      if (listening === null || isOver) {
        listening?.close();
        return null;
      }
      const id = ++last;
      servers.set(id, { listening, waiting });
      return { id, port: listening.port };
    },
    async connect(port) {
      const { id, wire, listener } = newWire();
      wire.end = (await ports?.connect(port, listener)) ?? null;
      if (wire.end !== null && !isOver) return id;
      wire.end?.close();
      wires.delete(id);
      return null;
    },
    accept: (server) => servers.get(server)?.waiting.shift() ?? null,
    receive(id, size) {
      const wire = wires.get(id);
      if (wire === undefined) return new Uint8Array();
      if (wire.reset) return "reset";
      if (wire.size === 0) return wire.over ? new Uint8Array() : null;
      const parts: Uint8Array[] = [];
      let left = Math.max(1, size);
      for (let first = wire.unread.shift(); first !== undefined; first = wire.unread.shift()) {
        parts.push(first.subarray(0, left));
        if (first.length > left) wire.unread.unshift(first.subarray(left));
        left -= Math.min(left, first.length);
        if (left === 0) break;
      }
      const bytes = joinBytes(parts);
      wire.size -= bytes.length;
      unread -= bytes.length;
      return bytes;
    },
    send(id, bytes) {
      const wire = wires.get(id);
      if (wire === undefined || wire.gone || wire.end === null) return false;
      wire.end.send(bytes);
      return true;
    },
    shut: (id) => wires.get(id)?.end?.end(),
    close(id) {
      const server = servers.get(id);
      server?.listening.close();
      for (const each of [id, ...(server?.waiting ?? [])]) {
        const wire = wires.get(each);
        if (wire === undefined) continue;
        wire.end?.close();
        wires.delete(each);
        forget(wire);
        // Data that still arrives is dropped.
        wire.over = true;
      }
      servers.delete(id);
    },
    isReady(id) {
      const server = servers.get(id);
      if (server !== undefined) return server.waiting.length > 0;
      const wire = wires.get(id);
      return wire === undefined || wire.size > 0 || wire.over;
    },
    closeAll() {
      isOver = true;
      for (const { listening } of servers.values()) listening.close();
      for (const { end } of wires.values()) end?.close();
      servers.clear();
      wires.clear();
    },
  };
}
