import type { ToEngine } from "../../protocol/port/messages.ts";
import { answerCalls, type Handler } from "../../protocol/port/answer-calls.ts";
import {
  bufferOf,
  decodeBridge,
  encodeMessage,
  type FromPage,
  joined,
  lineCodes,
  linePath,
  lineTimes,
  lineVersion,
  piecesOf,
} from "../../protocol/bridge/messages.ts";
import { isSame, newNonce, proofOf } from "../../protocol/bridge/proof.ts";

/** The part of a WebSocket that a connection uses. */
export interface Socket {
  binaryType: BinaryType;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
}

export interface BridgeConnectionParts {
  /** The address of the bridge, such as `ws://127.0.0.1:7870`. */
  readonly address: string;
  readonly key: CryptoKey;
  readonly project: string;
  readonly epoch: number;
  /** Answers incoming requests. */
  readonly handler: Handler;
  readonly connect: (url: string) => Socket;
  /** Calls back once. Returns a function that cancels the call. */
  readonly after: (then: () => void, ms: number) => () => void;
  readonly now: () => number;
  readonly told: (news: ConnectionNews) => void;
}

export type ConnectionNews =
  | { readonly kind: "connecting"; readonly problem: string | null }
  | { readonly kind: "connected" }
  /** Tried again, but rarely. `taken`: the number of the page that is connected instead of this one. */
  | { readonly kind: "refused"; readonly problem: string; readonly taken?: number };

/** The connection to the bridge. It reconnects when it breaks. Requests on a broken connection are canceled, never answered on the next one. */
export interface BridgeConnection {
  close(): void;
}

export function openBridgeConnection(parts: BridgeConnectionParts): BridgeConnection {
  const engine = newNonce();
  let closed = false;
  let tries = 0;
  let stop: () => void = () => {};
  let end: () => void = () => {};

  function again(news: Exclude<ConnectionNews, { kind: "connected" }>, isSlow: boolean): void {
    if (closed) return;
    parts.told(news);
    const wait = isSlow ? lineTimes.lastRetryMs : Math.min(lineTimes.lastRetryMs, lineTimes.firstRetryMs * 2 ** tries);
    tries += 1;
    stop = parts.after(connect, wait);
  }

  function connect(): void {
    if (closed) return;
    let socket: Socket;
    try {
      socket = parts.connect(`${parts.address}${linePath}`);
    } catch (error) {
      // The address is invalid, or this page's policy blocks it.
      return again({ kind: "refused", problem: error instanceof Error ? error.message : String(error) }, true);
    }
    end = talk({ ...parts, engine }, socket, {
      open() {
        tries = 0;
        parts.told({ kind: "connected" });
      },
      over: again,
    });
  }

  parts.told({ kind: "connecting", problem: null });
  connect();
  return {
    close() {
      closed = true;
      stop();
      end();
    },
  };
}

/** A browser doesn't say if the certificate was the reason. */
const unanswered = (address: string): string =>
  address.startsWith("wss:") ? "No bridge answers there, or this browser doesn't trust its certificate" : "No bridge answers there";

/** `version`: the bridge's version, which differs from this page's. Null: unknown. */
function versionProblem(version: number | null): string {
  if (version === null)
    return "The bridge and this page are from different versions of Vibey. Update the older one and start the bridge again";
  return version < lineVersion
    ? "The bridge is from an earlier version of Vibey than this page. Update it and start it again"
    : "This page is from an earlier version of Vibey than the bridge. Update it and reload";
}

/** UTF-16 units of an error, which has to fit into a frame. */
const maxError = 1_000;

interface Ends {
  readonly open: () => void;
  readonly over: (news: Exclude<ConnectionNews, { kind: "connected" }>, isSlow: boolean) => void;
}

/** One connection, from its first message to its end. */
function talk(parts: BridgeConnectionParts & { readonly engine: string }, socket: Socket, { open, over }: Ends): () => void {
  socket.binaryType = "arraybuffer";
  const nonce = newNonce();
  let challenge: string | null = null;
  let isOpen = false;
  let isOver = false;
  let taken: number | undefined;
  let heard = parts.now();
  const bodies = new Map<number, Uint8Array[]>();
  const send = (message: FromPage) => {
    if (!isOver) socket.send(new Uint8Array(encodeMessage(message)));
  };
  const answering = answerCalls(parts.handler, (message) => {
    if (message.kind === "error") return send({ ...message, message: message.message.slice(0, maxError) });
    if (message.kind !== "chunk") return send(message);
    const pieces = [...piecesOf(message.bytes)];
    const last = pieces.pop() ?? new Uint8Array();
    for (const bytes of pieces) send({ kind: "piece", id: message.id, bytes });
    send({ kind: "chunk", id: message.id, bytes: last });
  });

  let stopWatch = parts.after(watch, lineTimes.pingMs);
  function watch(): void {
    if (isOver) return;
    if (parts.now() - heard > lineTimes.deadMs) return finish({ kind: "connecting", problem: "The bridge stopped answering" }, false, 4408);
    if (isOpen) send({ kind: "ping" });
    stopWatch = parts.after(watch, lineTimes.pingMs);
  }

  function finish(news: Exclude<ConnectionNews, { kind: "connected" }>, isSlow: boolean, code?: number): void {
    if (isOver) return;
    isOver = true;
    stopWatch();
    answering.cancelAll();
    if (code !== undefined) socket.close(code);
    over(news, isSlow);
  }

  const refused = () => finish({ kind: "refused", problem: "The bridge has another key" }, true, lineCodes.refused);

  const replaced = () => {
    const other = taken === undefined ? {} : { taken };
    finish({ kind: "refused", problem: "Another page is connected for this project", ...other }, true);
  };

  const otherVersion = (version: number | null) => finish({ kind: "refused", problem: versionProblem(version) }, true, lineCodes.version);

  async function take(bytes: Uint8Array): Promise<void> {
    heard = parts.now();
    const message = decodeBridge(bytes);
    if (message === null) return;
    const { project, epoch, engine } = parts;
    if (message.kind === "challenge" && challenge === null) {
      if (message.v !== lineVersion) return otherVersion(message.v);
      challenge = message.nonce;
      const proof = await proofOf(parts.key, "page", { bridgeNonce: challenge, pageNonce: nonce, project, epoch });
      return send({ kind: "hello", v: lineVersion, project, epoch, nonce, proof, engine });
    }
    if (message.kind === "welcome" && challenge !== null && !isOpen) {
      const expected = await proofOf(parts.key, "bridge", { bridgeNonce: challenge, pageNonce: nonce, project, epoch });
      if (!isSame(expected, message.proof)) return refused();
      if (isOver) return;
      isOpen = true;
      return open();
    }
    if (message.kind === "taken") return void (taken = message.epoch);
    // The other side may not send requests before it has proved that it has the key.
    if (isOpen) ask(message);
  }

  function ask(message: Exclude<ReturnType<typeof decodeBridge>, null>): void {
    switch (message.kind) {
      case "ping":
        return send({ kind: "pong" });
      case "body":
        return void bodies.set(message.id, [...(bodies.get(message.id) ?? []), message.bytes]);
      case "request": {
        const pieces = bodies.get(message.id);
        bodies.delete(message.id);
        const request: ToEngine = pieces ? { ...message, body: bufferOf(joined(pieces)) } : message;
        return answering.take(request);
      }
      case "more":
      case "cancel":
        bodies.delete(message.id);
        return answering.take(message);
      default:
        return;
    }
  }

  // One after another: a request that follows the welcome waits until the welcome is checked.
  let order: Promise<void> = Promise.resolve();
  socket.addEventListener("message", ({ data }) => {
    if (data instanceof ArrayBuffer) order = order.then(() => take(new Uint8Array(data)));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    if (code === lineCodes.refused) refused();
    else if (code === lineCodes.replaced) void order.then(replaced);
    else if (code === lineCodes.version) otherVersion(null);
    else if (challenge === null) finish({ kind: "connecting", problem: unanswered(parts.address) }, false);
    else finish({ kind: "connecting", problem: reason === "" ? "The connection was lost" : reason }, false);
  });
  // A close event follows, with more information.
  socket.addEventListener("error", () => undefined);
  return () => {
    if (isOver) return;
    isOver = true;
    stopWatch();
    answering.cancelAll();
    socket.close(1000);
  };
}
