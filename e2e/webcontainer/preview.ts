import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, request as ask, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import type { Container } from "./container.ts";
import { isolationHeaders } from "./host-site.ts";

/** Serves `https://<container>--<port>--<hash>.local-….webcontainer-api.io`: what a process in the container serves at that port. */

export interface Preview {
  readonly container: Container;
  readonly port: number;
}

/** The preview for a host name; null if the name is no preview, or its container isn't alive. */
export function previewAt(host: string, containers: Iterable<Container>): Preview | null {
  const port = Number(/^[0-9a-f-]+?--(\d+)--/.exec(host)?.[1] ?? Number.NaN);
  for (const container of containers) if (new URL(container.urlOf(port)).host === host.replace(/:443$/, "")) return { container, port };
  return null;
}

/** Paths that the host itself serves in every preview. */
const scriptPath = "/.webcontainer/preview.js";
const messagePath = "/.webcontainer/message";
const script = readFileSync(new URL("page/preview.js", import.meta.url), "utf8");

/** Scripts inserted before a page's own. */
function scripts({ container, port }: Preview): string {
  const { forwardErrors, script: added } = container.previews;
  const told = JSON.stringify({ previewId: container.id, port, forward: forwardErrors ?? false, messagePath }).replaceAll("'", "&#39;");
  const { type, defer, async: isAsync } = added?.options ?? {};
  const attributes = `${type ? ` type="${type}"` : ""}${defer === true ? " defer" : ""}${isAsync === true ? " async" : ""}`;
  return `<script src="${scriptPath}" data-preview='${told}'></script>${added ? `<script${attributes}>${added.source}</script>` : ""}`;
}

/** The headers of a request to a server in the container: it appears local, ignores the browser's cache, and accepts no compression. */
function headersFor(port: number, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { "if-none-match": _, "if-modified-since": __, ...rest } = headers;
  const origin = headers.origin === undefined ? {} : { origin: `http://localhost:${port}` };
  return { ...rest, ...origin, host: `localhost:${port}`, "accept-encoding": "identity" };
}

async function hearMessage({ container }: Preview, request: IncomingMessage, response: ServerResponse): Promise<void> {
  container.emit("preview-message", JSON.parse(await text(request)));
  response.writeHead(204).end();
}

export function servePreview(preview: Preview, request: IncomingMessage, response: ServerResponse): void {
  const { container, port } = preview;
  const own = isolationHeaders(container.previews.coep);
  const fail = (error: unknown) => {
    if (response.headersSent) return void response.destroy();
    response
      .writeHead(502, { ...own, "Content-Type": "text/plain; charset=utf-8" })
      .end(`Nothing to show at port ${port}: ${String(error)}\n`);
  };
  if (request.url === scriptPath) return void response.writeHead(200, { ...own, "Content-Type": "text/javascript" }).end(script);
  if (request.url === messagePath) return void hearMessage(preview, request, response).catch(fail);
  const at = container.machinePort(port);
  if (at === null) return fail("no process listens there");
  const { method, url: path, headers } = request;
  const asked = ask({ host: "localhost", port: at, method, path, headers: headersFor(port, headers) }, (answer) => {
    const status = answer.statusCode ?? 502;
    const sent = { ...answer.headers, ...own };
    if (!/^text\/html\b/.test(answer.headers["content-type"] ?? "")) {
      response.writeHead(status, sent);
      return void answer.pipe(response);
    }
    delete sent["content-length"];
    text(answer)
      .then((html) => response.writeHead(status, sent).end(html.replace(/<head[^>]*>|^/i, (head) => `${head}${scripts(preview)}`)))
      .catch(fail);
  });
  asked.on("error", fail);
  request.pipe(asked);
}

/** Connects a WebSocket to a server in the container and passes the bytes on unchanged. */
export function upgradePreview({ container, port }: Preview, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const at = container.machinePort(port);
  if (at === null) return void socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n");
  const headers = Object.entries(headersFor(port, request.headers)).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}\r\n`),
  );
  const other = connect({ host: "localhost", port: at }, () => {
    other.write(`${request.method ?? "GET"} ${request.url ?? "/"} HTTP/1.1\r\n${headers.join("")}\r\n`);
    other.write(head);
    other.pipe(socket).pipe(other);
  });
  // If one side disconnects, close the other.
  other.on("error", () => socket.destroy());
  socket.on("error", () => other.destroy());
  socket.on("close", () => other.destroy());
}
