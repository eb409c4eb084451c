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
 * A stand-in for WebContainer's host in tests: an HTTPS server on this machine that acts as `https://stackblitz.com` and
 * `https://*.webcontainer-api.io` for a Chromium started with `chromiumArguments`. The published client `@webcontainer/api` 1.6.4 works with it
 * in an unmodified page: nothing is set in the page and none of its requests is rerouted.
 *
 * It EXECUTES WHATEVER IT IS GIVEN, as real processes on the machine that runs the tests, with the rights of the user who runs them. File
 * system calls stay within the project's folder; nothing confines processes. It listens only on the loopback address, its key is new for
 * each run, and it is part of no build.
 *
 *     Chromium                                              this process
 *     page with the client ── Comlink ──► /headless         host-site.ts    stackblitz.com: the page and its scripts
 *                                         page/host.js ───► line.ts         one WebSocket for each container (messages.ts)
 *                                                           container.ts    a temporary folder: files.ts, tree.ts
 *                                                           processes.ts    programs in terminals: terminal.ts, process-tree.ts
 *     frame of a preview ─────────────────────────────────► preview.ts      what listens at a port: ports.ts, inside/ports.cjs
 *
 * It can't prove everything, because the real host runs another system: how the shell `jsh` differs from bash, its npm, memory limits, speed,
 * how output is split into pieces, the exit code of killed processes (137 here), previews through a service worker, keys and licences.
 * Processes run on Linux: paths are longer (`/tmp/webcontainer-…/home/<workdirName>` for `/home/<workdirName>`), native binaries run, the network
 * is the machine's, and only Node's servers report their ports. It needs Linux with util-linux's `script`.
 */
export interface WebContainerHost {
  /** The arguments with which Chromium finds this host and trusts only its key. */
  readonly chromiumArguments: readonly string[];
  weather: Weather;
  /** The living containers. */
  readonly containers: ReadonlySet<Container>;
  /** The requested addresses of the host's page, with the client's version, policy and key (`client_id`). */
  readonly asked: readonly URL[];
  /** Kills every container: its processes are gone, and the page gets no more messages. */
  crash(): Promise<void>;
  /** Resets to fair weather and removes all containers. */
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
  // A browser may disconnect at any time.
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
  // An aborted run leaves folders behind, but no processes.
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
