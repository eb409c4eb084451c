import type { ServerResponse } from "node:http";
import { realModels, refusedBody } from "./claude-rules.ts";
import { type Faults, streamText } from "./claude-stream.ts";
import { allowHeaders, jsonOf, type Recorded, type Refused, serve, type Turn as AnyTurn } from "./serve.ts";

export { type Faults, type Reply, say, streamText } from "./claude-stream.ts";
export type { Recorded } from "./serve.ts";

export type Turn = AnyTurn<Faults>;

export interface StandInOptions {
  /** The only valid key. */
  readonly key?: string;
  readonly models?: readonly string[];
  /** The key's organization doesn't allow calls from browsers. */
  readonly noBrowsers?: true;
  /** Entries per page of the list of models. */
  readonly pageSize?: number;
}

/**
 * A stand-in for the Messages API over real HTTP, for tests in Node and in a browser. It refuses what the real API refuses,
 * in the same words (`claude-rules.ts`), requires its headers, answers its preflights, and plays the given turns in
 * order. It has no model: every word of an answer comes from the test.
 */
export interface ClaudeStandIn {
  readonly url: string;
  readonly key: string;
  readonly requests: readonly Recorded[];
  /** Queues turns, one for each valid request to `/v1/messages`. */
  play(...turns: (Turn | ((request: Recorded) => Turn | Promise<Turn>))[]): void;
  close(): Promise<void>;
}

export async function startClaude(options: StandInOptions = {}): Promise<ClaudeStandIn> {
  const key = options.key ?? "sk-ant-api03-right-key-0123456789";
  const models = options.models ?? realModels;
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

  const server = await serve<Faults>({
    preflight: (headers, response) => allowHeaders(headers, allowedHeaders, response),
    allow({ headers }, response) {
      if (headers["anthropic-dangerous-direct-browser-access"] !== "true") return;
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "*");
    },
    refused: ({ method, url, headers }, raw) => refusedRequest(method, url.pathname, headers, raw),
    sendRefusal: sendError,
    sendOther({ url }, response) {
      if (url.pathname !== "/v1/models") return false;
      sendModels(url, response);
      return true;
    },
    streamText: (reply, faults) => streamText(reply, faults),
  });
  return { ...server, key };
}

function unauthorised(message: string): Refused {
  return { status: 401, type: "authentication_error", message };
}

/** Headers that the API is known to allow. `authorization` is not among them: no case is known in which it was allowed. */
const allowedHeaders =
  /^(content-type|x-api-key|anthropic-version|anthropic-beta|anthropic-dangerous-direct-browser-access|x-stainless-[a-z-]+)$/;

function sendError({ status, type, message }: Refused, response: ServerResponse): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_1" });
  response.end(JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }));
}
