import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Headers that ask for another protocol. */
const asking = /^(?:upgrade|http2-settings)$/i;

/**
 * Reads a request again as if it had asked for no other protocol, which a server may do (RFC 9110, 7.8): Java's client offers HTTP/2 with the first
 * request of each connection. `read`: takes the connection as a new one.
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
