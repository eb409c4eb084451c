import { type IncomingMessage, request as httpRequest } from "node:http";
import { WebSocket } from "ws";

/* A program on this machine, which uses HTTP and WebSocket, with or without the key. */

/** A program with this key. Null: without a key. */
export function client(port: number, key: string | null) {
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(key === null ? {} : { "x-psk": key }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const said = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const response = await ask(method, path, body, headers);
    return `${response.status} ${await response.text()}`;
  };
  const read = async <T>(path: string) => (await (await ask("GET", path)).json()) as T;
  return { ask, said, read, follow: (path: string, query = `?psk=${key}`) => follow(`ws://127.0.0.1:${port}${path}${query}`) };
}

/** A request with headers that `fetch` doesn't allow to set. */
export function raw(port: number, path: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, method, headers }, (response: IncomingMessage) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    request.end();
  });
}

export interface Message {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Follows a stream over a WebSocket. */
export function follow(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers });
  const all: Message[] = [];
  let wake = () => {};
  const closed = new Promise<number>((resolve) => {
    socket.on("close", (code) => {
      resolve(code);
      wake();
    });
    socket.on("unexpected-response", (_, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    socket.on("error", () => undefined);
  });
  let isOver = false;
  void closed.then(() => (isOver = true));
  socket.on("message", (data: Buffer) => {
    all.push(JSON.parse(data.toString()) as Message);
    wake();
  });
  return {
    all,
    socket,
    /** The code with which the socket closed, or the HTTP status if it didn't open. */
    closed,
    async until(isWanted: (message: Message) => boolean): Promise<Message | undefined> {
      for (let at = 0; ; at += 1) {
        while (at >= all.length) {
          if (isOver) return undefined;
          await new Promise<void>((resolve) => (wake = resolve));
        }
        const message = all[at];
        if (message && isWanted(message)) return message;
      }
    },
    leave: () => socket.close(),
  };
}
