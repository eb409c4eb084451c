import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { realModels, type Refused, refusedBody } from "./claude-rules.ts";
import { type Faults, type Reply, streamText } from "./claude-stream.ts";

export { type Faults, type Reply, say, streamText } from "./claude-stream.ts";

/** What the stand-in does with a good request. */
export type Turn =
  | (Reply & { readonly faults?: Faults })
  | { readonly fail: number; readonly type?: string; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Any answer at all, such as a page of HTML. */
  | { readonly raw: string; readonly status?: number; readonly contentType: string; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is cut before any answer. */
  | { readonly hangUp: true }
  /** No answer ever comes. */
  | { readonly silence: true };

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came over the wire. */
  readonly raw: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly refused: Refused | null;
  /** Settles when the exchange is over: `true` when the connection went before the answer was whole. */
  readonly left: Promise<boolean>;
}

export interface StandInOptions {
  /** The one key that is right. */
  readonly key?: string;
  readonly models?: readonly string[];
  /** The key's organisation does not allow calls from a browser. */
  readonly noBrowsers?: true;
  /** Entries of one page of the list of models. */
  readonly pageSize?: number;
}

/**
 * A stand-in of the Messages API over real HTTP, for tests in Node and in a browser. It refuses what the real one refuses
 * and in its words (`claude-rules.ts`), demands its headers, answers its preflights, and plays the turns it is given in
 * their order. It has no model: every word of an answer comes from the test.
 */
export interface ClaudeStandIn {
  readonly url: string;
  readonly key: string;
  readonly requests: readonly Recorded[];
  /** Turns that are played next, one for each good request to `/v1/messages`. */
  play(...turns: (Turn | ((request: Recorded) => Turn))[]): void;
  close(): Promise<void>;
}

export async function startClaude(options: StandInOptions = {}): Promise<ClaudeStandIn> {
  const key = options.key ?? "sk-ant-api03-right-key-0123456789";
  const models = options.models ?? realModels;
  const requests: Recorded[] = [];
  const queue: (Turn | ((request: Recorded) => Turn))[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://stand-in");
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    if (request.method === "OPTIONS") return preflight(headers, response);
    const raw = await textOf(request);
    const left = new Promise<boolean>((resolve) => response.once("close", () => resolve(!response.writableFinished)));
    const refused = refusedRequest(request.method ?? "", url.pathname, headers, raw);
    const record: Recorded = {
      method: request.method ?? "",
      path: url.pathname + url.search,
      headers,
      raw,
      body: jsonOf(raw),
      refused,
      left,
    };
    requests.push(record);
    if (headers["anthropic-dangerous-direct-browser-access"] === "true") {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "*");
    }
    if (refused !== null) return sendError(response, refused.status, refused.type, refused.message);
    if (url.pathname === "/v1/models") return sendModels(url, response);
    const next = queue.shift();
    if (next === undefined) return sendError(response, 400, "invalid_request_error", "The stand-in has no turn left to play.");
    await playTurn(typeof next === "function" ? next(record) : next, response);
  }

  function refusedRequest(method: string, path: string, headers: Readonly<Record<string, string>>, raw: string): Refused | null {
    const known = (method === "POST" && path === "/v1/messages") || (method === "GET" && path === "/v1/models");
    if (!known) return { status: 404, type: "not_found_error", message: "Not Found" };
    if (headers["origin"] !== undefined) {
      if (headers["anthropic-dangerous-direct-browser-access"] !== "true") {
        return unauthorised("CORS requests must set 'anthropic-dangerous-direct-browser-access' header");
      }
      if (options.noBrowsers) {
        return unauthorised("CORS requests are not allowed for this Organization because of custom retention settings.");
      }
    }
    const given = headers["x-api-key"] ?? /^Bearer (.*)$/.exec(headers["authorization"] ?? "")?.[1];
    if (given === undefined) return unauthorised("x-api-key header is required");
    if (given !== key) return unauthorised("invalid x-api-key");
    const version = headers["anthropic-version"];
    if (version === undefined) return { status: 400, type: "invalid_request_error", message: "anthropic-version: header is required" };
    if (version !== "2023-06-01" && version !== "2026-10-21") {
      return { status: 400, type: "invalid_request_error", message: `anthropic-version: "${version}" is not a valid version` };
    }
    if (path === "/v1/models") return null;
    if (!(headers["content-type"] ?? "").startsWith("application/json")) {
      return { status: 400, type: "invalid_request_error", message: "content-type: must be application/json" };
    }
    const refused = refusedBody(raw, { models });
    if (refused !== null) return refused;
    const sampled = ["temperature", "top_p", "top_k"].find((field) => version === "2026-10-21" && field in jsonOf(raw));
    return sampled === undefined
      ? null
      : { status: 400, type: "invalid_request_error", message: `\`${sampled}\` is not supported in this API version.` };
  }

  function sendModels(url: URL, response: ServerResponse): void {
    const size = Math.min(options.pageSize ?? 1000, Number(url.searchParams.get("limit") ?? 20));
    const from = models.indexOf(url.searchParams.get("after_id") ?? "") + 1;
    const page = models.slice(from, from + size);
    const answer = {
      data: page.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-01T00:00:00Z" })),
      has_more: from + size < models.length,
      first_id: page[0] ?? null,
      last_id: page.at(-1) ?? null,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
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
    key,
    requests,
    play: (...turns) => void queue.push(...turns),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function unauthorised(message: string): Refused {
  return { status: 401, type: "authentication_error", message };
}

/** Headers that the API is known to allow. `authorization` is not among them: nobody has seen it allowed. */
const allowedHeaders =
  /^(content-type|x-api-key|anthropic-version|anthropic-beta|anthropic-dangerous-direct-browser-access|x-stainless-[a-z-]+)$/;

function preflight(headers: Readonly<Record<string, string>>, response: ServerResponse): void {
  const asked = (headers["access-control-request-headers"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (asked.every((name) => name === "" || allowedHeaders.test(name))) {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-methods", "GET, POST, OPTIONS");
    response.setHeader("access-control-allow-headers", asked.join(", "));
  }
  response.writeHead(204).end();
}

async function playTurn(turn: Turn, response: ServerResponse): Promise<void> {
  if ("hangUp" in turn) return void response.destroy();
  if ("silence" in turn) return;
  if ("fail" in turn) {
    for (const [name, value] of Object.entries(turn.headers ?? {})) response.setHeader(name, value);
    return sendError(response, turn.fail, turn.type ?? "api_error", turn.message ?? "Internal server error");
  }
  if ("raw" in turn) {
    response.writeHead(turn.status ?? 200, { "content-type": turn.contentType, ...turn.headers }).end(turn.raw);
    return;
  }
  await sendStream(Buffer.from(streamText(turn, turn.faults)), turn.faults ?? {}, response);
}

async function sendStream(bytes: Buffer, faults: Faults, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": faults.contentType ?? "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const end = Math.min(bytes.length, faults.cutAfterBytes ?? bytes.length, faults.stallAfterBytes ?? bytes.length);
  const size = faults.pieceBytes ?? bytes.length;
  for (let at = 0; at < end && !response.destroyed; at += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(at, Math.min(end, at + size)), () => resolve()));
    await new Promise<void>((resolve) => (faults.pieceMs === undefined ? setImmediate(resolve) : setTimeout(resolve, faults.pieceMs)));
  }
  if (faults.cutAfterBytes !== undefined) response.destroy();
  else if (faults.stallAfterBytes === undefined) response.end();
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }));
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding("utf8");
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

// oxlint-disable-next-line typescript/no-explicit-any
function jsonOf(raw: string): any {
  try {
    return JSON.parse(raw);
  } catch {
    // A body that is no JSON is recorded raw, and refused by the rules.
    return null;
  }
}
