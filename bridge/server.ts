import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocketServer } from "ws";
import { frameBytes, linePath, provedHeader } from "../src/protocol/bridge/messages.ts";
import { importKey } from "../src/protocol/bridge/proof.ts";
import { createHandler } from "../scripts/serve.mjs";
import { adapt, type CustomAdapter } from "./adapters.ts";
import type { Tls } from "./certificate.ts";
import { acceptTls, isLoopback } from "./encrypted.ts";
import { bodyLimits, type Bodies, type BodyBounds, createBodies } from "./bodies.ts";
import type { Config } from "./config.ts";
import { forward, headersOf } from "./forward.ts";
import { createGuard, type Guard } from "./guard.ts";
import { limitRemote } from "./remote.ts";
import { openConnections } from "./connections.ts";
import { agentsPath, agentsStream, enginePath, parseProjectPath, streamPath, urlOf } from "./paths.ts";
import { createResponder, problem, refuseBody, sayJson, whenOver } from "./respond.ts";
import { openStream } from "./stream.ts";
import { createTurns, readWithoutUpgrade } from "./upgrade.ts";

/** A running bridge. */
export interface Bridge {
  readonly port: number;
  readonly agentPort: number;
  close(): Promise<void>;
}

export interface BridgeOptions extends Omit<Config, "adapters" | "vibe" | "certificate"> {
  /** The folder with the app's build. Null: the app isn't served. */
  readonly dist: string | null;
  /** With a certificate, the bridge accepts TLS, and from other machines only TLS. Null: all connections are unencrypted. */
  readonly tls?: Tls | null;
  /** Whether an address belongs to this machine. */
  readonly isLocal?: (address: string) => boolean;
  /** Adapters for events in other formats. */
  readonly adapters?: readonly CustomAdapter[];
  /** Milliseconds for which a reader may read nothing. */
  readonly readTimeoutMs?: number;
  readonly bodies?: Partial<BodyBounds>;
}

/** Maximum concurrent calls and streams per port. Each port has its own limit, so waiting agents can't lock the user out. */
const most = { calls: 256, streams: 256 } as const;

/** Limits for the bodies on each port. */
const bodyBounds = { bytes: 64_000_000, atOnce: 64, ms: 30_000 } as const;

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Milliseconds. A client that sends nothing, or sends very slowly, is disconnected. */
const listenLimits = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 } as const;
const maxConnections = 2_000;
/** The most connections from all other machines, and from each of them, so that some are always left for this machine. */
const maxRemote = { all: 1_500, each: 250 } as const;

interface PortContext {
  readonly isAgents: boolean;
  readonly guard: Guard;
  readonly busy: { calls: number; streams: number };
  readonly bodies: Bodies;
}

interface PortParts extends Required<Pick<BridgeOptions, "isLocal">> {
  readonly answer: (request: IncomingMessage, response: ServerResponse, context: PortContext) => Promise<void>;
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer, context: PortContext) => Promise<void>;
  readonly tls: NonNullable<BridgeOptions["tls"]> | null;
  readonly endings: (() => void)[];
}

/** Rejects if it can't listen on a port. */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const key = await importKey(options.psk);
  const now = () => Date.now();
  const every = (ms: number, then: () => void) => {
    const timer = setInterval(then, ms).unref();
    return () => clearInterval(timer);
  };
  const connections = openConnections({ key, now, every });
  const ports = { port: 0, agentPort: 0 };
  const { tls = null, isLocal = isLoopback } = options;
  const origins = () => [
    ...options.origins,
    ...[ports.port, ports.agentPort].flatMap((port) => options.hosts.flatMap((host) => originsAt(host, port, tls !== null))),
  ];
  const guard = createGuard({ key, hosts: options.hosts, origins, now });
  const files = options.dist === null ? null : createHandler({ root: options.dist, compress: true });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: frameBytes, perMessageDeflate: false });
  const { readTimeoutMs = 30_000 } = options;
  /** Headers that the bridge adds to a request for the page. */
  const marks = (isAgents: boolean): readonly (readonly [string, string])[] => [
    ...(isAgents ? [] : ([[provedHeader, "1"]] as const)),
    ...(isAgents && options.openAgents ? ([["x-vibey-open-agents", "1"]] as const) : []),
  ];

  async function answer(request: IncomingMessage, response: ServerResponse, { isAgents, busy, bodies }: PortContext): Promise<void> {
    const say = createResponder(response, isAgents);
    const url = urlOf(request);
    if (url === null) return say(400, "Bad path");
    // A page can't construct a request with any other method.
    if (!methods.has(request.method ?? "")) return say(501, "No such method");
    const turned = guard.often(request) ?? guard.host(request);
    if (turned) return say(turned.status, turned.why, turned.status === 429 ? { "retry-after": "1" } : {});
    if (!isAgents && url.pathname === "/api/health" && isReading(request)) return sayJson(response, 200, { status: "ok" });
    const where = parseProjectPath(url);
    const path = isAgents ? agentsPath(where.path) : where.path.startsWith("/static/") ? null : enginePath(where.path);
    if (path === null) {
      if (isAgents || files === null || where.project !== null) return say(404, "Not found");
      if (url.pathname.startsWith("/static/")) request.url = url.pathname.replace(/^\/static\/+/, "/");
      // A client that stops reading a file is disconnected.
      response.setTimeout(readTimeoutMs, () => response.destroy());
      return files(request, response);
    }
    const foreign = guard.origin(request);
    if (foreign) return say(foreign.status, foreign.why);
    const keyless = isAgents ? null : await guard.key(request, url);
    if (keyless) return say(keyless.status, keyless.why, keyless.status === 429 ? { "retry-after": "60" } : {});
    const first = connections.find(where.project);
    if (!first) return say(503, noPage, { "retry-after": "2" });
    if (first.unsent() > bodies.room) return say(503, behind, { "retry-after": "2" });
    if (busy.calls >= most.calls) return say(503, "Too many calls at once", { "retry-after": "1" });
    // The caller may have hung up while its key was checked.
    if (response.closed || request.socket.destroyed) return;
    busy.calls += 1;
    whenOver(response, () => (busy.calls -= 1));
    const { method = "GET" } = request;
    const body = await bodies.read(request, response, path.startsWith("/api/voice/") ? bodyLimits.recording : bodyLimits.usual);
    switch (body) {
      case "long":
        return refuseBody({ request, response, isAgents }, 413, "The body is too long");
      case "full":
        return refuseBody({ request, response, isAgents }, 503, "Too much is sent at once", { "retry-after": "1" });
      case "slow":
        return say(408, "The body came too slowly", { connection: "close" });
    }
    // By now, another page may be connected, or none.
    const page = connections.find(where.project);
    if (!page) return say(503, noPage, { "retry-after": "2" });
    if (page.unsent() > bodies.room) return say(503, behind, { "retry-after": "2" });
    const adapted = isAgents ? adapt(path, body, options.adapters ?? []) : ({ ok: true, body } as const);
    if (!adapted.ok) return say(adapted.status, adapted.why);
    const headers = headersOf(request, marks(isAgents));
    forward(page, { method, path, headers, body: isReading(request) ? null : adapted.body }, response, say, readTimeoutMs);
  }

  async function upgrade(request: IncomingMessage, socket: Socket, head: Buffer, { isAgents, busy }: PortContext): Promise<void> {
    const url = urlOf(request);
    const refuse = (status: number, why: string, more = "") => {
      socket.end(
        `HTTP/1.1 ${status} ${why}\r\nconnection: close\r\ncontent-type: application/json\r\n${more}\r\n${JSON.stringify(problem(why, isAgents))}`,
        () => socket.destroy(),
      );
      // A client that doesn't read the refusal is disconnected, too.
      socket.setTimeout(readTimeoutMs, () => socket.destroy());
    };
    socket.on("error", () => socket.destroy());
    if (url === null) return refuse(400, "Bad path");
    const turned = guard.often(request) ?? guard.host(request) ?? guard.origin(request);
    if (turned) return refuse(turned.status, turned.why);
    if (!isAgents && url.pathname === linePath) return sockets.handleUpgrade(request, socket, head, (page) => connections.accept(page));
    const where = parseProjectPath(url);
    const path = isAgents ? agentsStream(where.path) : streamPath(where.path);
    if (path === null) return refuse(404, "Not Found");
    const keyless = isAgents ? null : await guard.key(request, url);
    if (keyless) return refuse(keyless.status, keyless.why);
    const page = connections.find(where.project);
    if (!page) return refuse(503, "No page is connected", "retry-after: 2\r\n");
    if (busy.streams >= most.streams) return refuse(503, "Too many streams at once", "retry-after: 2\r\n");
    const headers = headersOf(request, marks(isAgents));
    sockets.handleUpgrade(request, socket, head, (reader) => {
      busy.streams += 1;
      openStream(page, { method: "GET", path, headers, body: null }, reader, {
        every,
        stalls(then) {
          socket.setTimeout(readTimeoutMs);
          socket.on("timeout", then);
        },
        // A refused client no longer counts, even before it hangs up.
        ended: () => (busy.streams -= 1),
      });
    });
  }

  const endings: (() => void)[] = [];
  const servers = [false, true].map((isAgents) =>
    serverOf(
      { isAgents, guard, busy: { calls: 0, streams: 0 }, bodies: createBodies({ ...bodyBounds, ...options.bodies }) },
      { answer, upgrade, tls, isLocal, endings },
    ),
  );

  const [first, second] = servers;
  if (!first || !second) throw new Error("two servers were to be made");
  try {
    ports.port = await listen(first, options.port, options.host);
    ports.agentPort = await listen(second, options.agentPort, options.host);
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
  return {
    ...ports,
    async close() {
      connections.close();
      for (const client of sockets.clients) client.terminate();
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
              for (const end of endings) end();
            }),
        ),
      );
    },
  };
}

/** A server for requests and upgrades on one port. With TLS, adds a function that closes its connections to `endings`. */
function serverOf(context: PortContext, { answer, upgrade, tls, isLocal, endings }: PortParts): Server {
  const turns = createTurns();
  const take = (request: IncomingMessage, response: ServerResponse) => {
    turns.begin(response);
    answer(request, response, context).catch((error: unknown) => {
      // The client hung up, or this is a bug. Nothing of the request is logged, because it can contain a key.
      if (!response.headersSent && !response.destroyed)
        createResponder(response, context.isAgents)(500, error instanceof Error ? error.name : "failed");
      else response.destroy();
    });
  };
  const server = createServer(listenLimits, take);
  // The key decides whether the client may send its body.
  server.on("checkContinue", take);
  server.maxConnections = maxConnections;
  // Only the size of headers is limited: Node would drop those after the 2,000th, such as the length of the body.
  server.maxHeadersCount = 0;
  const [connected] = server.listeners("connection");
  const read = (socket: Socket) => void (connected && Reflect.apply(connected, server, [socket]));
  if (tls !== null) endings.push(acceptTls(server, tls, isLocal));
  // Runs before anything is read from the connection.
  server.prependListener("connection", limitRemote(maxRemote, isLocal));
  server.on("upgrade", (request, socket: Socket, head) =>
    turns.after(socket, () => {
      if (request.headers.upgrade?.toLowerCase() !== "websocket") return readWithoutUpgrade(request, socket, head, read);
      void upgrade(request, socket, head, context).catch(() => socket.destroy());
    }),
  );
  return server;
}

/** The origins of the app's pages that the bridge serves. With TLS, unencrypted origins are only allowed for this machine. */
function originsAt(host: string, port: number, isEncrypted: boolean): string[] {
  const at = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const clear = !isEncrypted || host === "localhost" || isLoopback(host) ? [`http://${at}`] : [];
  return isEncrypted ? [...clear, new URL(`https://${at}`).origin] : clear;
}

const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const noPage = "No page is connected: open Vibey, and connect in Settings, Bridge";
const behind = "The page has not yet taken what it was sent before";
