import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { readConfig } from "../../bridge/config.ts";
import { type Bridge, type BridgeOptions, startBridge } from "../../bridge/server.ts";
import type { StoredBridge } from "../../src/engine/gateways/bridge-store.ts";
import { type ConnectionNews, openBridgeConnection, type Socket } from "../../src/engine/gateways/bridge-connection.ts";
import type { Handler } from "../../src/protocol/port/answer-calls.ts";
import { importKey } from "../../src/protocol/bridge/proof.ts";
import { client as program } from "./client.ts";
import { bench, type BenchOptions, type Reply } from "../engine/harness.ts";

export const psk = "a-key-that-is-long-enough";

/** A bridge on two free ports of this machine. */
export async function openBridge(options: Partial<BridgeOptions> = {}): Promise<Bridge> {
  const read = readConfig({ VIBECHECK_PSK: psk }, ["--port", "0", "--agent-port", "0"]);
  if (!read.ok) throw new Error(read.why);
  const bridge = await startBridge({ ...read.config, adapters: [], dist: null, ...options });
  onTestFinished(() => bridge.close());
  return bridge;
}

/** A page's socket, which a test can kill. */
function createSockets(origin = "http://localhost:3001", ca?: string) {
  const open = new Set<WebSocket>();
  const connect = (url: string): Socket => {
    const socket = new WebSocket(url, { origin, ...(ca === undefined ? {} : { ca }) });
    socket.binaryType = "arraybuffer";
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    return {
      binaryType: "arraybuffer",
      send: (bytes) => socket.send(bytes),
      close: (code, reason) => socket.close(code, reason),
      addEventListener: (type: "message" | "close" | "error", listener: (event: never) => void) =>
        socket.addEventListener(type as "message", listener as never),
    };
  };
  return { connect, kill: () => open.forEach((socket) => socket.terminate()) };
}

const after = (then: () => void, ms: number) => {
  const timer = setTimeout(then, ms).unref();
  return () => clearTimeout(timer);
};

export interface PageOptions {
  readonly project?: string;
  readonly epoch?: number;
  readonly key?: string;
  readonly origin?: string;
  readonly address?: string;
  /** A certificate that the page trusts. */
  readonly ca?: string;
}

/** A page without an engine: only its connection to the bridge, with `handler` instead of the router. */
export async function openPage(bridge: Bridge, handler: Handler, options: PageOptions = {}) {
  const { project = "", epoch = 1, key = psk, origin, address = `ws://127.0.0.1:${bridge.port}` } = options;
  const news: ConnectionNews[] = [];
  let wake = () => {};
  const sockets = createSockets(origin, options.ca);
  const line = openBridgeConnection({
    address,
    key: await importKey(key),
    project,
    epoch,
    handler,
    connect: sockets.connect,
    after,
    now: () => Date.now(),
    told(one) {
      news.push(one);
      wake();
    },
  });
  onTestFinished(() => line.close());
  return {
    line,
    news,
    kill: sockets.kill,
    /** Waits for news of this kind, starting with the news at index `from`. */
    async until(kind: ConnectionNews["kind"], from = 0): Promise<ConnectionNews> {
      for (;;) {
        const found = news.slice(from).find((one) => one.kind === kind);
        if (found) return found;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

/** A complete engine behind the bridge. */
export async function openTown(replies: readonly Reply[] = [], options: BenchOptions = {}, bridgeOptions: Partial<BridgeOptions> = {}) {
  const bridge = await openBridge(bridgeOptions);
  const sockets = createSockets();
  let stored: StoredBridge | null = { address: `ws://127.0.0.1:${bridge.port}`, key: await importKey(psk), all: false, ahead: 0 };
  const b = await bench(replies, {
    // A page that was killed reconnects quickly.
    now: () => new Date(),
    later: (then, ms) => void setTimeout(then, ms / 50),
    ...options,
    bridge: {
      project: "",
      connect: sockets.connect,
      store: {
        readBridge: async () => stored,
        writeBridge: async (next) => void (stored = next),
        forgetBridge: async () => void (stored = null),
      },
    },
  });
  onTestFinished(async () => void (await b.ask("DELETE", "/bridge")));
  const api = client(bridge.port);
  /** Waits until the page is connected. */
  const ready = async () => {
    while ((await api.ask("GET", "/api/state")).status === 503) await soon();
  };
  await ready();
  return { bridge, b, ready, kill: sockets.kill, ...api };
}

export const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

/** A program with the key. */
export const client = (port: number, key: string | null = psk) => program(port, key);
