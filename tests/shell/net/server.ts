import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { NetAnswer, NetRequest } from "../../../src/shell/network.ts";

/** A server on this machine. `url` has no slash at its end. */
export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serve(handle: (request: IncomingMessage, body: Buffer, response: ServerResponse) => void): Promise<TestServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => handle(request, Buffer.concat(parts), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Replaces the engine's network access with Node's own fetch, without rules. */
export async function standInFetch(request: NetRequest): Promise<NetAnswer> {
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      ...(request.body === null ? {} : { body: new Uint8Array(request.body) }),
      redirect: request.follow ? "follow" : "manual",
    });
    return {
      kind: "answer",
      url: response.url,
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      body: new Uint8Array(await response.arrayBuffer()),
    };
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Answers with a description of the request. */
export function tellRequest(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://here");
  response.sendDate = false;
  response.setHeader("Connection", "close");
  const status = /^\/status\/(\d+)$/.exec(url.pathname);
  if (status) {
    response.writeHead(Number(status[1]), { "Content-Type": "text/plain", "X-Kind": "status" });
    response.end(`status ${status[1]}\n`);
  } else if (url.pathname.startsWith("/redirect/")) {
    response.writeHead(Number(url.pathname.slice("/redirect/".length)), { Location: "/echo?from=redirect" });
    response.end("moved\n");
  } else if (url.pathname === "/bytes") {
    response.writeHead(200, { "Content-Type": "application/octet-stream" });
    response.end(Buffer.from([0, 255, 10, 128, 13, 10, 65]));
  } else if (url.pathname === "/named") {
    response.writeHead(200, { "Content-Disposition": 'attachment; filename="given.txt"', "Content-Type": "text/plain" });
    response.end("named\n");
  } else if (url.pathname === "/never") {
    // No answer: the client has to give up.
  } else {
    const border = /boundary=(.*)$/.exec(request.headers["content-type"] ?? "")?.[1];
    const told = ["content-type", "accept", "authorization", "x-one", "x-two", "range", "if-none-match"];
    const plain = (text: string): string => (border === undefined ? text : text.replaceAll(border, "BORDER"));
    response.writeHead(200, { "Content-Type": "application/json", "X-Kind": "echo" });
    response.end(
      `${JSON.stringify({
        method: request.method,
        url: request.url,
        headers: told.flatMap((name) => (request.headers[name] === undefined ? [] : [`${name}: ${plain(String(request.headers[name]))}`])),
        body: plain(body.toString("latin1")),
      })}\n`,
    );
  }
}
