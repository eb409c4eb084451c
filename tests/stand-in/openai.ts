import type { ServerResponse } from "node:http";
import { refusedChat } from "./openai-chat-rules.ts";
import { type ChatFaults, chatStreamText } from "./openai-chat-stream.ts";
import { refusedResponses } from "./openai-responses-rules.ts";
import { type ResponsesFaults, responsesStreamText } from "./openai-responses-stream.ts";
import { realModels } from "./openai-rule.ts";
import { allowHeaders, type Asked, type Recorded, type Refused, type StandIn, serve, type Turn as AnyTurn } from "./serve.ts";

export { chatStreamText } from "./openai-chat-stream.ts";
export { responsesStreamText } from "./openai-responses-stream.ts";
export { say } from "./reply.ts";

/** The faults of both APIs. Each uses those that apply to it. */
export type OpenAiFaults = ChatFaults & ResponsesFaults;
export type OpenAiTurn = AnyTurn<OpenAiFaults>;

export interface OpenAiOptions {
  /** The only valid key. */
  readonly key?: string;
  readonly models?: readonly string[];
  /** Prices in the list of models, as routers write them: dollars per token, as text. */
  readonly pricing?: Readonly<Record<string, { readonly prompt: string; readonly completion: string }>>;
  /** Fields that this compatible server doesn't know. */
  readonly unknownFields?: readonly string[];
  /** The server doesn't know the role `developer`. */
  readonly noDeveloper?: true;
  /** The server has no `/v1/responses`. */
  readonly noResponses?: true;
  /** The server refuses `x-stainless-*` in the preflight. */
  readonly noStainless?: true;
  /** The server doesn't allow calls from pages. */
  readonly noBrowsers?: true;
}

/**
 * A stand-in for OpenAI's two APIs over real HTTP, for tests in Node and in a browser. It refuses what the real ones refuse,
 * in the same words (`openai-chat-rules.ts`, `openai-responses-rules.ts`), requires their headers, answers their preflights, and
 * plays the given turns in order. It has no model: every word of an answer comes from the test.
 */
export interface OpenAiStandIn extends StandIn<OpenAiFaults> {
  readonly key: string;
}

export async function startOpenAi(options: OpenAiOptions = {}): Promise<OpenAiStandIn> {
  const key = options.key ?? "sk-proj-right-key-0123456789";
  const models = options.models ?? realModels;
  const rules = { ...options, models };

  function refused({ method, url, headers }: Asked, raw: string): Refused | null {
    const path = url.pathname;
    const known =
      (method === "POST" && (path === "/v1/chat/completions" || (path === "/v1/responses" && !options.noResponses))) ||
      (method === "GET" && path === "/v1/models");
    if (!known) return invalid(404, `Invalid URL (${method} ${path})`);
    const given = /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1];
    if (given === undefined) {
      return invalid(
        401,
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      );
    }
    if (given !== key) {
      const shown = given.length > 12 ? `${given.slice(0, 8)}${"*".repeat(given.length - 12)}${given.slice(-4)}` : given;
      return {
        ...invalid(401, `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`),
        code: "invalid_api_key",
      };
    }
    if (path === "/v1/models") return null;
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("application/json")) {
      return invalid(415, `Unsupported Media Type: expected 'application/json', got '${type}'.`);
    }
    return path === "/v1/responses" ? refusedResponses(raw, rules) : refusedChat(raw, rules);
  }

  const standIn = await serve<OpenAiFaults>({
    preflight(headers, response) {
      if (options.noBrowsers) return void response.writeHead(204).end();
      allowHeaders(headers, options.noStainless ? withoutStainless : allowedHeaders, response);
    },
    allow(_asked, response) {
      if (options.noBrowsers) return;
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-expose-headers", "x-request-id");
    },
    refused,
    sendRefusal,
    sendOther({ url }, response) {
      if (url.pathname !== "/v1/models") return false;
      const data = models.map((id) => ({
        id,
        object: "model",
        created: 1_795_000_000,
        owned_by: "openai",
        ...(options.pricing?.[id] === undefined ? {} : { pricing: options.pricing[id] }),
      }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
      return true;
    },
    streamText(reply, faults, record) {
      return record.path === "/v1/responses" ? responsesStreamText(reply, faults) : chatStreamText(reply, faults, asksForUsage(record));
    },
  });
  return { ...standIn, key };
}

const allowedHeaders = /^(authorization|content-type|openai-(organization|project|beta)|x-stainless-[a-z-]+)$/;
const withoutStainless = /^(authorization|content-type)$/;

function asksForUsage(record: Recorded): boolean {
  return record.body?.stream_options?.include_usage === true;
}

function invalid(status: number, message: string): Refused {
  return { status, type: "invalid_request_error", message };
}

function sendRefusal({ status, type, message, param = null, code = null }: Refused, response: ServerResponse): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_1" });
  response.end(JSON.stringify({ error: { message, type, param, code } }));
}
