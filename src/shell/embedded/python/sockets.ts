import { joinBytes } from "../../../fs/bytes.ts";
import type { EndListener, End, Listening, Ports } from "../loopback/ports.ts";

/** Bytes that came on all connections and that the program has not read. A connection that brings more is reset. */
const mostUnread = 64_000_000;

/** What a program's sockets are: each is known by a number. */
export interface Sockets {
  /** `port` 0: any that is free. null: it can't be had. */
  listen(port: number): Promise<{ readonly id: number; readonly port: number } | null>;
  /** null: no one listens there. */
  connect(port: number): Promise<number | null>;
  /** The next connection that was made to a server; null: there is none. */
  accept(server: number): number | null;
  /** Up to so many bytes of what came; null: nothing has come. Empty: nothing more comes. "reset": it brought too much, which is lost. */
  receive(wire: number, size: number): Uint8Array | "reset" | null;
  /** False: the other end is gone. */
  send(wire: number, bytes: Uint8Array): boolean;
  /** Nothing more is sent. */
  shut(wire: number): void;
  close(id: number): void;
  /** Whether a program that reads from it would not wait. */
  isReady(id: number): boolean;
  closeAll(): void;
}

interface Wire {
  end: End | null;
  readonly unread: Uint8Array[];
  size: number;
  /** Nothing more comes. */
  over: boolean;
  /** The other end is gone. */
  gone: boolean;
  /** It brought too much. */
  reset: boolean;
}

/** `news` is called when something came. */
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
        // What still comes is not kept.
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
