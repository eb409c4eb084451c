import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { whenOver } from "./respond.ts";

/** Tracks the unfinished answers on each connection. */
export interface Turns {
  begin(response: ServerResponse): void;
  /** Calls `then` when all answers that have begun are complete, so that nothing is written between them. Never, if the connection closes first. */
  after(socket: Socket, then: () => void): void;
}

export function createTurns(): Turns {
  const open = new WeakMap<Socket, { answers: number; next: (() => void) | null }>();
  return {
    begin(response) {
      const { socket } = response.req;
      const state = open.get(socket) ?? { answers: 0, next: null };
      open.set(socket, state);
      state.answers += 1;
      whenOver(response, () => {
        state.answers -= 1;
        if (state.answers === 0 && !socket.destroyed) state.next?.();
      });
    },
    after(socket, then) {
      const state = open.get(socket);
      if (!state || state.answers === 0) return then();
      const fail = () => socket.destroy();
      socket.on("error", fail);
      state.next = () => {
        socket.off("error", fail);
        state.next = null;
        then();
      };
    },
  };
}

/** Headers that ask for another protocol. */
const asking = /^(?:upgrade|http2-settings)$/i;

/**
 * Reads a request again as if it had not offered another protocol, which servers may do (RFC 9110, 7.8): Java's client offers HTTP/2 with
 * the first request of each connection. `read`: handles the connection as a new one.
 */
export function readWithoutUpgrade(
  { method = "GET", url = "/", rawHeaders }: IncomingMessage,
  socket: Socket,
  head: Buffer,
  read: (socket: Socket) => void,
): void {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (asking.test(name)) continue;
    if (name.toLowerCase() !== "connection") lines.push(`${name}: ${value}`);
    else if (/\bclose\b/i.test(value)) lines.push("connection: close");
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  read(socket);
}
