import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";

/** Why a stand-in refuses a request. */
export interface Refused {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** Only OpenAI's APIs have these fields. */
  readonly code?: string | null;
  readonly param?: string | null;
}

/** Ways in which any stream can fail on its way. Bytes are counted over the whole body. */
export interface WayFaults {
  /** Cuts the connection after this many bytes. */
  readonly cutAfterBytes?: number;
  /** Sends nothing more after this many bytes, and keeps the connection open. */
  readonly stallAfterBytes?: number;
  /** The rest of a stalled stream is sent when this promise settles. */
  readonly stallUntil?: Promise<void>;
  /** Sends the body in pieces of this many bytes. */
  readonly pieceBytes?: number;
  /** Milliseconds between two pieces. */
  readonly pieceMs?: number;
  readonly contentType?: string;
  readonly crlf?: true;
  readonly comments?: true;
  /** Changes what is sent, to simulate how compatible servers differ. */
  readonly edit?: (events: readonly WireEvent[]) => readonly WireEvent[];
}

/** The content of one `data:` line of a stream. */
export interface WireEvent {
  readonly [key: string]: unknown;
}

/** How a stand-in answers a valid request. */
export type Turn<Faults extends WayFaults> =
  | (Reply & { readonly faults?: Faults })
  | {
      readonly fail: number;
      readonly type?: string;
      readonly code?: string | null;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Any other answer, such as an HTML page. */
  | {
      readonly raw: string | Uint8Array;
      readonly status?: number;
      readonly contentType: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly faults?: WayFaults;
    }
  /** Cuts the connection before any answer. */
  | { readonly hangUp: true }
  /** Never answers. */
  | { readonly silence: true };

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrived. */
  readonly raw: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly refused: Refused | null;
  /** Resolves when the exchange is over; `true` if the connection closed before the answer was complete. */
  readonly left: Promise<boolean>;
}

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of a stand-in that is specific to one API; the HTTP part is shared. */
export interface Api<Faults extends WayFaults> {
  preflight(headers: Asked["headers"], response: ServerResponse): void;
  /** Sets headers that let a page read the answer. */
  allow(asked: Asked, response: ServerResponse): void;
  refused(asked: Asked, raw: string): Refused | null;
  sendRefusal(refused: Refused, response: ServerResponse): void;
  /** Answers requests other than for turns. Returns false if the request is for a turn. */
  sendOther(asked: Asked, response: ServerResponse): boolean;
  streamText(reply: Reply, faults: Faults | undefined, record: Recorded): string;
}

export interface StandIn<Faults extends WayFaults> {
  readonly url: string;
  readonly requests: readonly Recorded[];
  /** A function may take its time: nothing is sent before it has returned. */
  play(...turns: (Turn<Faults> | ((request: Recorded) => Turn<Faults> | Promise<Turn<Faults>>))[]): void;
  close(): Promise<void>;
}

export async function serve<Faults extends WayFaults>(api: Api<Faults>): Promise<StandIn<Faults>> {
  const requests: Recorded[] = [];
  const queue: (Turn<Faults> | ((request: Recorded) => Turn<Faults> | Promise<Turn<Faults>>))[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const asked: Asked = { method: request.method ?? "", url, headers };
    if (asked.method === "OPTIONS") return api.preflight(headers, response);
    const raw = await textOf(request);
    const left = new Promise<boolean>((resolve) => response.once("close", () => resolve(!response.writableFinished)));
    const refused = api.refused(asked, raw);
    const record: Recorded = { method: asked.method, path: url.pathname + url.search, headers, raw, body: jsonOf(raw), refused, left };
    requests.push(record);
    api.allow(asked, response);
    if (refused !== null) return api.sendRefusal(refused, response);
    if (api.sendOther(asked, response)) return;
    const next = queue.shift();
    if (next === undefined) {
      return api.sendRefusal({ status: 400, type: "invalid_request_error", message: "The stand-in has no turn left to play." }, response);
    }
    await playTurn(api, typeof next === "function" ? await next(record) : next, record, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    play: (...turns) => void queue.push(...turns),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function playTurn<Faults extends WayFaults>(
  api: Api<Faults>,
  turn: Turn<Faults>,
  record: Recorded,
  response: ServerResponse,
): Promise<void> {
  if ("hangUp" in turn) return void response.destroy();
  if ("silence" in turn) return;
  if ("fail" in turn) {
    for (const [name, value] of Object.entries(turn.headers ?? {})) response.setHeader(name, value);
    const { fail: status, type = "api_error", message = "Internal server error", code } = turn;
    return api.sendRefusal({ status, type, message, ...(code === undefined ? {} : { code }) }, response);
  }
  if ("raw" in turn) {
    response.writeHead(turn.status ?? 200, { "content-type": turn.contentType, ...turn.headers });
    return sendBody(Buffer.from(turn.raw), turn.faults ?? {}, response);
  }
  const faults: WayFaults = turn.faults ?? {};
  response.writeHead(200, { "content-type": faults.contentType ?? "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  await sendBody(Buffer.from(api.streamText(turn, turn.faults, record)), faults, response);
}

async function sendBody(bytes: Buffer, faults: WayFaults, response: ServerResponse): Promise<void> {
  response.flushHeaders();
  const end = Math.min(bytes.length, faults.cutAfterBytes ?? bytes.length);
  const stall = Math.min(end, faults.stallAfterBytes ?? end);
  await sendPieces(bytes.subarray(0, stall), faults, response);
  if (faults.stallAfterBytes !== undefined) {
    if (faults.stallUntil === undefined) return;
    await faults.stallUntil;
    await sendPieces(bytes.subarray(stall, end), faults, response);
  }
  if (faults.cutAfterBytes === undefined) response.end();
  else setImmediate(() => response.destroy());
}

async function sendPieces(bytes: Buffer, { pieceBytes, pieceMs }: WayFaults, response: ServerResponse): Promise<void> {
  const size = pieceBytes ?? bytes.length;
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, at + size), () => resolve()));
    await new Promise<void>((resolve) => (pieceMs === undefined ? setImmediate(resolve) : setTimeout(resolve, pieceMs)));
  }
}

/** Allows a page the headers that it asks for, if all of them are allowed. */
export function allowHeaders(headers: Asked["headers"], allowed: RegExp, response: ServerResponse): void {
  const asked = (headers["access-control-request-headers"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (asked.every((name) => name === "" || allowed.test(name))) {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-methods", "GET, POST, OPTIONS");
    response.setHeader("access-control-allow-headers", asked.join(", "));
  }
  response.writeHead(204).end();
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

// oxlint-disable-next-line typescript/no-explicit-any
export function jsonOf(raw: string): any {
  try {
    return JSON.parse(raw);
  } catch {
    // A body that isn't JSON is recorded raw and refused by the rules.
    return null;
  }
}
