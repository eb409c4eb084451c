import {
  encodeMessage,
  type FromBridge,
  type FromPage,
  lineCodes,
  lineTimes,
  lineVersion,
  piecesOf,
} from "../src/protocol/bridge/messages.ts";
import { type Handshake, isSame, newNonce, proofOf } from "../src/protocol/bridge/proof.ts";
import { decodePage } from "./decode.ts";

/** The part of a WebSocket that a connection uses. */
export interface PageSocket {
  /** Bytes that were passed to `send` and not sent yet. */
  readonly bufferedAmount: number;
  send(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: "message", listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: "close" | "error", listener: () => void): unknown;
}

export interface BridgeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | null;
}

/** Receives the answer to a call. `lost`: the connection broke, so it is unknown whether the call was done. `end`, `error` and `lost` are final. */
export interface Listener {
  head(status: number, headers: readonly (readonly [string, string])[]): void;
  /** Call `taken` when the chunk has been passed on and the next one may come. */
  chunk(bytes: Uint8Array, taken: () => void): void;
  end(): void;
  error(message: string): void;
  lost(): void;
}

/** The page of one project. */
export interface PageConnection {
  readonly project: string;
  /** Bytes that were not sent to the page yet, including those of callers that are gone. */
  unsent(): number;
  /** Sends a request to the page, once. Returns a function that cancels it. */
  call(asked: BridgeRequest, listener: Listener): () => void;
}

/** The connected pages. */
export interface Connections {
  accept(socket: PageSocket): void;
  /** The page of the project. Null: of the first project. Undefined: that page isn't connected. */
  find(project: string | null): PageConnection | undefined;
  close(): void;
}

export interface ConnectionsParts {
  readonly key: CryptoKey;
  readonly now: () => number;
  /** Calls back every `ms`. Returns a function that stops it. */
  readonly every: (ms: number, then: () => void) => () => void;
}

/** The most sockets that have not proved that they know the key, and the milliseconds in which they must. */
const maxUnauthenticated = 16;
const helloMs = 5_000;

interface OpenConnection extends PageConnection {
  readonly epoch: number;
  readonly engine: string | undefined;
  replaced(reason: string, by: number): void;
}

export function openConnections(parts: ConnectionsParts): Connections {
  const byProject = new Map<string, OpenConnection>();
  const sockets = new Set<PageSocket>();
  /**
   * The project for paths that name no project: the browser's first project, otherwise the one that connected first. It stays the same while its
   * page is away, because requests for one project must not reach another.
   */
  let unnamed: string | null = null;
  /** Oldest first. The oldest socket is closed if there are too many, so that silent sockets don't keep pages out. */
  const unauthenticated = new Set<PageSocket>();

  function accept(socket: PageSocket): void {
    unauthenticated.add(socket);
    const [oldest] = unauthenticated;
    if (unauthenticated.size > maxUnauthenticated) oldest?.close(1013, "too many at once");
    sockets.add(socket);
    const bridgeNonce = newNonce();
    let connection: ReturnType<typeof createConnection> | null = null;
    let isClosed = false;
    let heard = parts.now();
    const send = (message: FromBridge) => {
      if (!isClosed) socket.send(encodeMessage(message));
    };
    const stopHello = parts.every(helloMs, () => known() && socket.terminate());
    const known = () => {
      stopHello();
      return unauthenticated.delete(socket);
    };
    const stopWatch = parts.every(lineTimes.pingMs, () => {
      if (parts.now() - heard > lineTimes.deadMs) return socket.terminate();
      if (connection) send({ kind: "ping" });
    });

    async function handleHello(message: Extract<FromPage, { kind: "hello" }>): Promise<void> {
      const { v, project, epoch, nonce: pageNonce, proof, engine } = message;
      if (v !== lineVersion) return socket.close(lineCodes.version, "another version");
      const handshake: Handshake = { bridgeNonce, pageNonce, project, epoch };
      if (!isSame(await proofOf(parts.key, "page", handshake), proof)) return socket.close(lineCodes.refused, "another key");
      const own = await proofOf(parts.key, "bridge", handshake);
      if (isClosed) return;
      const before = byProject.get(project);
      if (before && (before.epoch > epoch || (before.epoch === epoch && before.engine !== engine))) {
        send({ kind: "taken", epoch: before.epoch });
        return socket.close(lineCodes.replaced, "a later page is connected");
      }
      known();
      before?.replaced("another page took its place", epoch);
      connection = createConnection({ project, epoch, engine }, socket, send);
      // Sent before anything else, because a page ignores calls that come before the proof.
      send({ kind: "welcome", proof: own });
      byProject.set(project, connection);
      if (unnamed === null || project === "") unnamed = project;
    }

    let order: Promise<void> = Promise.resolve();
    const take = async (bytes: Uint8Array): Promise<void> => {
      const message = decodePage(bytes);
      heard = parts.now();
      if (isClosed) return;
      if (connection === null) {
        // An unauthenticated socket may only send `hello`.
        if (message?.kind === "hello") return handleHello(message);
        return socket.close(lineCodes.refused, "expected hello");
      }
      if (message) connection.heard(message);
    };
    socket.on("message", (data, isBinary) => {
      const bytes = isBinary ? bytesOf(data) : null;
      order = order
        .then(() => (bytes === null ? socket.close(1003, "expected bytes") : take(bytes)))
        // A message that can't be passed on, for example with an invalid status, only ends this connection.
        .catch(() => socket.terminate());
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      isClosed = true;
      known();
      stopWatch();
      sockets.delete(socket);
      if (connection && byProject.get(connection.project) === connection) byProject.delete(connection.project);
      connection?.lost();
    });
    send({ kind: "challenge", v: lineVersion, nonce: bridgeNonce });
  }

  return {
    accept,
    find: (project) => byProject.get(project ?? unnamed ?? ""),
    close() {
      for (const socket of sockets) socket.close(1001, "the bridge was stopped");
    },
  };
}

function createConnection(
  of: Pick<OpenConnection, "project" | "epoch" | "engine">,
  socket: PageSocket,
  send: (message: FromBridge) => void,
) {
  const calls = new Map<number, Listener & { pieces: Uint8Array[] }>();
  let lastId = 0;
  return {
    ...of,
    unsent: () => socket.bufferedAmount,
    /** Another page takes its place. Waiting callers are told at once, because a frozen page doesn't close its socket. */
    replaced(reason: string, by: number): void {
      send({ kind: "taken", epoch: by });
      socket.close(lineCodes.replaced, reason);
      this.lost();
    },
    call({ method, path, headers, body }: BridgeRequest, listener: Listener): () => void {
      lastId += 1;
      const id = lastId;
      calls.set(id, { ...listener, pieces: [] });
      if (body !== null && body.length > 0) for (const bytes of piecesOf(body)) send({ kind: "body", id, bytes });
      send({ kind: "request", id, method, path, headers, body: null });
      return () => {
        if (calls.delete(id)) send({ kind: "cancel", id });
      };
    },
    heard(message: FromPage): void {
      if (message.kind === "ping") return send({ kind: "pong" });
      const call = "id" in message ? calls.get(message.id) : undefined;
      if (!call || !("id" in message)) return;
      const { id } = message;
      switch (message.kind) {
        case "head":
          return call.head(message.status, message.headers);
        case "piece":
          // The credit limits how many pieces are kept.
          call.pieces.push(message.bytes);
          return;
        case "chunk": {
          const pieces = [...call.pieces, message.bytes];
          call.pieces = [];
          for (const [at, bytes] of pieces.entries())
            call.chunk(bytes, at < pieces.length - 1 ? () => undefined : () => calls.has(id) && send({ kind: "more", id, count: 1 }));
          return;
        }
        case "end":
          calls.delete(id);
          return call.end();
        case "error":
          calls.delete(id);
          return call.error(message.message);
      }
    },
    lost(): void {
      const all = [...calls.values()];
      calls.clear();
      for (const call of all) call.lost();
    },
  };
}

function bytesOf(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return Array.isArray(data) ? Buffer.concat(data.filter((part) => part instanceof Uint8Array)) : new Uint8Array();
}
