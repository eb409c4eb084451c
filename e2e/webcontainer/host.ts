import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { makeCertificate } from "./certificate.ts";
import type { Container } from "./container.ts";
import { serveHostSite } from "./host-site.ts";
import { serveLine } from "./line.ts";
import { killNow } from "./process-tree.ts";
import { previewAt, servePreview, upgradePreview } from "./preview.ts";
import type { Weather } from "./weather.ts";

/**
 * A stand-in of WebContainer's host for tests: an HTTPS server on this machine that is `https://stackblitz.com` and
 * `https://*.webcontainer-api.io` for a Chromium that was started with `chromiumArguments`. Against it works the client
 * `@webcontainer/api` 1.6.4 as it is published, in a page as it is shipped: nothing is set in the page and no request is rerouted in it.
 *
 * It EXECUTES WHATEVER IT IS GIVEN, as real processes on the machine that runs the tests and with the rights of who runs them. The
 * calls of the file system keep to the project's folder; processes are kept by nothing. It listens on the loopback address only, its key
 * is made anew each time, and it is part of no build.
 *
 *     Chromium                                              this process
 *     page with the client ── Comlink ──► /headless         host-site.ts    stackblitz.com: the page and its scripts
 *                                         page/host.js ───► line.ts         one WebSocket for each container (messages.ts)
 *                                                           container.ts    a temporary folder: files.ts, tree.ts
 *                                                           processes.ts    programs in terminals: terminal.ts, process-tree.ts
 *     frame of a preview ─────────────────────────────────► preview.ts      what listens at a port: ports.ts, inside/ports.cjs
 *
 * What it can't prove, since the real one has another system below: how its own shell `jsh` differs from bash, its npm, its limits of
 * memory, how fast it is, what it prints in which pieces, its exit code of what was killed (137 here), previews by a service worker, keys
 * and licences. Processes run on Linux: paths are longer (`/tmp/webcontainer-…/home/<workdirName>` for `/home/<workdirName>`), native
 * binaries run, the network is the machine's, and only Node's servers have ports that are told of. It needs Linux with util-linux' `script`.
 */
export interface WebContainerHost {
  /** What Chromium has to be started with to find it and to trust its key, and no other. */
  readonly chromiumArguments: readonly string[];
  weather: Weather;
  /** Those that live. */
  readonly containers: ReadonlySet<Container>;
  /** Addresses of the host's page that were asked for, with the client's version, policy and key (`client_id`). */
  readonly asked: readonly URL[];
  /** Every container dies: its processes are gone, and the page hears nothing any more. */
  crash(): Promise<void>;
  /** Fair weather, and nothing left of any container. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const hostName = "stackblitz.com";
const previewNames = "*.webcontainer-api.io";

export async function startWebContainerHost(): Promise<WebContainerHost> {
  const { key, cert, pin } = await makeCertificate([hostName, previewNames]);
  const containers = new Set<Container>();
  const asked: URL[] = [];
  let weather: Weather = "fair";

  const server = createServer({ key, cert }, (request, response) => {
    const host = request.headers.host ?? "";
    const preview = previewAt(host, containers);
    if (preview) return servePreview(preview, request, response);
    if (host === hostName) return serveHostSite(request, response, weather, asked);
    response.writeHead(404).end();
  });
  const lines = new WebSocketServer({ noServer: true });
  const built = (container: Container) => void containers.add(container);
  const ended = (container: Container) => void containers.delete(container);
  server.on("upgrade", (request, socket, head) => {
    const host = request.headers.host ?? "";
    const preview = previewAt(host, containers);
    if (preview) return upgradePreview(preview, request, socket, head);
    if (host !== hostName || request.url !== "/line") return void socket.destroy();
    lines.handleUpgrade(request, socket, head, (line) => serveLine(line, { weather: () => weather, built, ended }));
  });
  server.on("connection", (socket) => {
    if (weather === "unreachable") socket.destroy();
  });
  // A browser that goes away in the middle of something.
  server.on("tlsClientError", (_, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  async function endAll(): Promise<void> {
    for (const line of lines.clients) line.terminate();
    while (containers.size > 0) await delay(10);
  }
  const killAll = () => {
    for (const container of containers) killNow(container.pids());
  };
  // A run that is broken off leaves folders behind, but no processes.
  process.on("exit", killAll);

  return {
    chromiumArguments: [
      `--host-resolver-rules=MAP ${hostName}:443 127.0.0.1:${port}, MAP ${previewNames}:443 127.0.0.1:${port}`,
      `--ignore-certificate-errors-spki-list=${pin}`,
    ],
    get weather() {
      return weather;
    },
    set weather(next) {
      weather = next;
      if (next === "unreachable") server.closeIdleConnections();
    },
    containers,
    async crash() {
      await Promise.all(Array.from(containers, (container) => container.crash()));
    },
    asked,
    async clear() {
      weather = "fair";
      asked.length = 0;
      await endAll();
    },
    async close() {
      await endAll();
      process.off("exit", killAll);
      server.close();
      server.closeAllConnections();
    },
  };
}
