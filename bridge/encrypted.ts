import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { Tls } from "./certificate.ts";

/** The first byte of a TLS connection. An unencrypted request begins with a letter. */
const handshakeByte = 22;
/** Milliseconds until the first byte, and for the handshake. */
const patience = 10_000;

const refusal =
  "HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: text/plain\r\n\r\nThis bridge is encrypted: use https:// or wss://.\n";

export const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

/**
 * Makes a server accept TLS on the port on which it listens. Connections from this machine cross no network and may stay unencrypted, so
 * that the page and agents here keep their addresses. Other unencrypted connections are refused before they are read. Returns a function that
 * ends all connections.
 */
export function acceptTls(server: Server, tls: Tls, isLocal: (address: string) => boolean): () => void {
  // The server's own listeners accept any stream, encrypted or not.
  const takers = server.listeners("connection");
  server.removeAllListeners("connection");
  const take = (stream: Socket) => {
    for (const taker of takers) Reflect.apply(taker, server, [stream]);
  };
  const secure = createServer({ ...tls, handshakeTimeout: patience, ALPNProtocols: ["http/1.1"] }, take);
  secure.on("tlsClientError", (_error, stream) => stream.destroy());
  const open = new Set<Socket>();

  function sort(socket: Socket): void {
    const first: unknown = socket.read(1);
    if (!(first instanceof Buffer)) return void socket.destroy();
    socket.setTimeout(0);
    socket.unshift(first);
    if (first[0] === handshakeByte) secure.emit("connection", socket);
    else if (isLocal(socket.remoteAddress ?? "")) take(socket);
    else {
      socket.resume();
      socket.end(refusal, () => socket.destroy());
    }
  }

  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(patience, () => socket.destroy());
    socket.once("readable", () => sort(socket));
  });
  return () => {
    for (const socket of open) socket.destroy();
  };
}
