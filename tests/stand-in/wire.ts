import { type Faults as ClaudeFaults, type StandInOptions, startClaude, streamText } from "./claude.ts";
import { chatStreamText, type OpenAiFaults, type OpenAiOptions, responsesStreamText, startOpenAi } from "./openai.ts";
import type { Reply, ReplyBlock, ReplyUsage } from "./reply.ts";
import type { Recorded, Turn, WayFaults } from "./serve.ts";

/** The three APIs that providers use, in one notation, so that a test can run on each of them. */
export type WireName = "messages" | "chat" | "responses";
export const wireNames: readonly WireName[] = ["messages", "chat", "responses"];

/** How a response ended. Each wire has its own words for it. */
export type End =
  /** Properly, without a call. */
  | "end"
  | "calls"
  /** It reached its token limit. */
  | "length"
  /** The provider withheld it. */
  | "filtered"
  /** The model's window was full. Chat Completions has no separate word for it. */
  | "window";

/** The place in a stream at which something happens, always between two events. */
export type Place =
  /** Before anything of the answer was sent. */
  | "start"
  /** In the middle of the first text. */
  | "text"
  /** In the middle of the first call's input. */
  | "call"
  /** After everything except how the response ended. */
  | "last";

export interface WireFaults extends WayFaults {
  readonly cut?: Place;
  readonly stall?: Place;
  /** The stream ends without the event that completes it. */
  readonly noEnd?: true;
  /** An error inside the stream, and then its end. */
  readonly error?: { readonly at: Place; readonly kind: "overloaded" | "server" };
  readonly unknownEvents?: true;
}

export interface WireReply {
  readonly blocks: readonly ReplyBlock[];
  readonly refusal?: string;
  readonly end?: End;
  readonly usage?: ReplyUsage | null;
  readonly faults?: WireFaults;
}

/** Why a server answers with an error at once. */
export type Failure =
  | "overloaded"
  | "rate-limit"
  /** The account is out of credit. On one wire this looks like a rate limit. */
  | "billing"
  | "too-long"
  /** The body has more bytes than the server accepts. */
  | "too-big"
  | "server"
  /** A gateway has waited too long for the server. */
  | "timeout"
  | "bad-key"
  | "forbidden"
  | "unknown-model"
  | "bad-request";

export type WireTurn =
  | WireReply
  | { readonly failure: Failure; readonly headers?: Readonly<Record<string, string>>; readonly message?: string }
  | Extract<Turn<WayFaults>, { raw: string | Uint8Array } | { hangUp: true } | { silence: true } | { fail: number }>;

/** The parts of a dialog in a request, in order and in the same form for every wire. */
export type Sent =
  | { readonly user: string }
  | { readonly assistant: string }
  | { readonly call: string; readonly name: string; readonly input: unknown }
  | { readonly result: string; readonly text: string };

export interface Wire {
  readonly name: WireName;
  readonly url: string;
  readonly key: string;
  /** A model to use on this wire. */
  readonly model: string;
  readonly provider: "claude" | "openai";
  /** The requests for turns, in order, without those for the list of models. */
  readonly requests: readonly Recorded[];
  play(...turns: (WireTurn | ((request: Recorded) => WireTurn | Promise<WireTurn>))[]): void;
  /** The complete body of an answer. */
  body(reply: WireReply): string;
  /** The same body, cut into its events, and which events belong to a place: pieces of texts, pieces of inputs, how it ended. */
  events(reply: WireReply): readonly string[];
  tells(place: Exclude<Place, "start">, event: string): boolean;
  /** How a stream reports that the server failed, with everything after it. Some wires have several ways. */
  failed(failure: Failure): readonly string[];
  /** The parts of a dialog in a request of this wire. */
  sent(request: Recorded): Sent[];
  close(): Promise<void>;
}

/** Options of the wire's stand-in. */
export type WireOptions = OpenAiOptions & Pick<StandInOptions, "pageSize">;

export async function startWire(name: WireName, options: WireOptions = {}): Promise<Wire> {
  const way = ways[name];
  const server = name === "messages" ? await startClaude(options) : await startOpenAi(options);
  const body = (reply: WireReply) => way.text(asReply(name, reply), way.faults(reply, 0));
  const translate = (turn: WireTurn): Turn<ClaudeFaults & OpenAiFaults> => {
    if ("failure" in turn) {
      return {
        ...way.failures[turn.failure],
        ...(turn.message && { message: turn.message }),
        ...(turn.headers && { headers: turn.headers }),
      };
    }
    if (!("blocks" in turn)) return turn;
    return { ...asReply(name, turn), faults: faultsOf(name, turn) };
  };
  return {
    name,
    url: server.url,
    key: server.key,
    model: way.model,
    provider: way.provider,
    get requests() {
      return server.requests.filter(({ method }) => method === "POST");
    },
    play: (...turns) =>
      server.play(
        ...turns.map((turn) =>
          typeof turn === "function" ? async (request: Recorded) => translate(await turn(request)) : translate(turn),
        ),
      ),
    body,
    events: (reply) => body(reply).match(/[\s\S]*?\n\n/g) ?? [],
    tells: (place, event) => way.places[place].test(event),
    failed: (failure) => way.failed(way.failures[failure]),
    sent: (request) => ways[wireOf(request)].sent(request.body),
    close: () => server.close(),
  };
}

/** A server of OpenAI's kind has two APIs; the path of a request tells which one it uses. */
function wireOf({ path }: Recorded): WireName {
  return path.endsWith("/responses") ? "responses" : path.endsWith("/chat/completions") ? "chat" : "messages";
}

type Failed = Extract<Turn<WayFaults>, { fail: number }>;

interface Way {
  readonly model: string;
  readonly provider: "claude" | "openai";
  readonly ends: Readonly<Record<End, string>>;
  readonly failures: Readonly<Record<Failure, Failed>>;
  readonly failed: (failure: Failed) => readonly string[];
  /** Events, as text, that mark a place: it is directly after the first match, or before it for `last`. */
  readonly places: Readonly<Record<Exclude<Place, "start">, RegExp>>;
  readonly text: (reply: Reply, faults: ClaudeFaults & OpenAiFaults) => string;
  /** The wire's own faults; `events`: the number of events before an error. */
  readonly faults: (reply: WireReply, events: number) => ClaudeFaults & OpenAiFaults;
  // oxlint-disable-next-line typescript/no-explicit-any -- a body in the wire's format
  readonly sent: (body: any) => Sent[];
}

const ways: Readonly<Record<WireName, Way>> = {
  messages: {
    model: "claude-sonnet-5-5",
    provider: "claude",
    ends: { end: "end_turn", calls: "tool_use", length: "max_tokens", filtered: "refusal", window: "model_context_window_exceeded" },
    failures: {
      overloaded: { fail: 529, type: "overloaded_error", message: "Overloaded" },
      "rate-limit": { fail: 429, type: "rate_limit_error", message: "Number of requests has exceeded your rate limit." },
      billing: { fail: 402, type: "billing_error", message: "Your credit balance is too low to access the Anthropic API." },
      "too-long": { fail: 400, type: "invalid_request_error", message: "prompt is too long: 1000123 tokens > 1000000 maximum" },
      "too-big": { fail: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
      server: { fail: 500, type: "api_error", message: "Internal server error" },
      timeout: { fail: 504, type: "timeout_error", message: "Request timed out" },
      "bad-key": { fail: 401, type: "authentication_error", message: "invalid x-api-key" },
      forbidden: { fail: 403, type: "permission_error", message: "Your API key does not have permission to use the specified resource." },
      "unknown-model": { fail: 404, type: "not_found_error", message: "model: claude-sonnet-5-5" },
      "bad-request": { fail: 400, type: "invalid_request_error", message: "messages: something is wrong" },
    },
    failed: ({ type, message }) => [eventText("error", { type: "error", error: { type, message } })],
    places: { text: /"text_delta"/, call: /"partial_json":"[^"]/, last: /"message_delta"/ },
    text: streamText,
    faults: ({ faults: { noEnd, unknownEvents, error } = {} }, events) => ({
      ...(noEnd && { noEnd }),
      ...(unknownEvents && { unknownEvents }),
      ...(error && {
        errorAfter: { events, ...(error.kind === "server" ? apiError : { type: "overloaded_error", message: "Overloaded" }) },
      }),
    }),
    sent: ({ messages }) => messages.flatMap(sentMessage),
  },
  chat: {
    model: "gpt-5.5",
    provider: "openai",
    ends: { end: "stop", calls: "tool_calls", length: "length", filtered: "content_filter", window: "length" },
    failures: {
      ...openAiFailures(),
      "too-long": {
        fail: 400,
        type: "invalid_request_error",
        code: "context_length_exceeded",
        message:
          "This model's maximum context length is 400000 tokens. However, your messages resulted in 400123 tokens. Please reduce the length of the messages.",
      },
    },
    failed: (failure) => [`data: ${JSON.stringify({ error: errorOf(failure) })}\n\ndata: [DONE]\n\n`],
    places: { text: /"content":"[^"]/, call: /"arguments":"[^"]/, last: /"finish_reason":"/ },
    text: (reply, faults) => chatStreamText(reply, faults),
    faults: ({ faults: { noEnd, unknownEvents, error } = {} }, events) => ({
      ...(noEnd && { noEnd }),
      ...(unknownEvents && { edit: withUnknownChunks }),
      ...(error && { errorAfter: { events, ...serverError(error.kind) } }),
    }),
    sent: ({ messages }) => messages.flatMap(sentChat),
  },
  responses: {
    model: "gpt-6.1-sol",
    provider: "openai",
    ends: {
      end: "completed",
      calls: "completed",
      length: "incomplete max_output_tokens",
      filtered: "incomplete content_filter",
      window: "failed context_length_exceeded",
    },
    failures: {
      ...openAiFailures(),
      "too-long": {
        fail: 400,
        type: "invalid_request_error",
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      },
    },
    failed: (failure) => [
      eventText("error", { type: "error", error: errorOf(failure), sequence_number: 99 }),
      eventText("response.failed", {
        type: "response.failed",
        response: { id: "resp_1", object: "response", status: "failed", error: errorOf(failure), output: [], usage: null },
        sequence_number: 99,
      }),
    ],
    places: {
      text: /"response.output_text.delta"/,
      call: /"response.function_call_arguments.delta"/,
      last: /"response.(completed|incomplete|failed)"/,
    },
    text: (reply, faults) => responsesStreamText(reply, faults),
    faults: ({ faults: { noEnd, unknownEvents, error } = {} }, events) => ({
      ...(noEnd && { noEnd }),
      ...(unknownEvents && { unknownEvents }),
      ...(error && { errorAfter: { events, ...serverError(error.kind) } }),
    }),
    sent: ({ input }) => (typeof input === "string" ? [{ user: input }] : input.flatMap(sentItem)),
  },
};

function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function errorOf({ type, code = null, message }: Failed): object {
  return { message, type, param: null, code };
}

const apiError = { type: "api_error", message: "Internal server error" };

function serverError(kind: "overloaded" | "server") {
  return kind === "server"
    ? { type: "server_error", code: "server_error", message: "The server had an error while processing your request. Sorry about that!" }
    : { type: "server_error", code: "server_is_overloaded", message: "Our servers are currently overloaded. Please try again later." };
}

function openAiFailures() {
  return {
    overloaded: {
      fail: 503,
      type: "server_error",
      code: "server_is_overloaded",
      message: "Our servers are currently overloaded. Please try again later.",
    },
    "rate-limit": {
      fail: 429,
      type: "requests",
      code: "rate_limit_exceeded",
      message: "Rate limit reached for requests. Please try again in 1s.",
    },
    billing: {
      fail: 429,
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: "You exceeded your current quota, please check your plan and billing details.",
    },
    "too-big": { fail: 413, type: "invalid_request_error", message: "Request exceeds the maximum size" },
    server: { fail: 500, type: "server_error", message: "The server had an error while processing your request. Sorry about that!" },
    timeout: { fail: 504, type: "server_error", message: "The upstream server did not answer in time." },
    "bad-key": { fail: 401, type: "invalid_request_error", code: "invalid_api_key", message: "Incorrect API key provided: sk-********." },
    forbidden: {
      fail: 403,
      type: "request_forbidden",
      code: "unsupported_country_region_territory",
      message: "Country, region, or territory not supported",
    },
    "unknown-model": {
      fail: 404,
      type: "invalid_request_error",
      code: "model_not_found",
      message: "The model `gpt-5.5` does not exist or you do not have access to it.",
    },
    "bad-request": { fail: 400, type: "invalid_request_error", message: "Something is wrong." },
  };
}

const withUnknownChunks: NonNullable<WayFaults["edit"]> = (events) =>
  events.flatMap((event) => [event, { object: "weather", choices: [], sky: "clear" }]);

function asReply(name: WireName, { blocks, refusal, end, usage }: WireReply): Reply {
  return {
    blocks,
    ...(refusal !== undefined && { refusal }),
    ...(end && { stop: ways[name].ends[end] }),
    ...(usage !== undefined && { usage }),
  };
}

function faultsOf(name: WireName, reply: WireReply): ClaudeFaults & OpenAiFaults {
  const { cut, stall, error, noEnd: _noEnd, unknownEvents: _unknownEvents, ...onTheWay } = reply.faults ?? {};
  const way = ways[name];
  const place = cut ?? stall ?? error?.at;
  if (place === undefined) return { ...onTheWay, ...way.faults(reply, 0) };
  const { error: _error, ...others } = reply.faults ?? {};
  const events = way.text(asReply(name, reply), way.faults({ ...reply, faults: others }, 0)).match(/[\s\S]*?\n\n/g) ?? [];
  const behind = place === "start" ? 1 : place === "last" ? indexOf(events, way.places.last) : indexOf(events, way.places[place]) + 1;
  const bytes = Buffer.byteLength(events.slice(0, behind).join(""));
  return {
    ...onTheWay,
    ...way.faults(reply, behind),
    ...(cut && { cutAfterBytes: bytes }),
    ...(stall && { stallAfterBytes: bytes }),
  };
}

function indexOf(events: readonly string[], place: RegExp): number {
  const index = events.findIndex((event) => place.test(event));
  if (index === -1) throw new Error(`no such place in the stream: ${place.source}`);
  return index;
}

interface MessagesBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

function sentMessage(message: { role: string; content: string | readonly MessagesBlock[] }): Sent[] {
  const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  return blocks.map((block: MessagesBlock): Sent => {
    if (block.type === "tool_use") return { call: String(block.id), name: String(block.name), input: block.input };
    if (block.type === "tool_result") return { result: String(block.tool_use_id), text: textOf(block.content) };
    return said(message.role, String(block.text));
  });
}

interface ChatCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

function sentChat(message: { role: string; content?: unknown; tool_calls?: readonly ChatCall[]; tool_call_id?: string }): Sent[] {
  if (message.role === "system" || message.role === "developer") return [];
  if (message.role === "tool") return [{ result: String(message.tool_call_id), text: textOf(message.content) }];
  const text = message.content === null || message.content === undefined ? [] : [said(message.role, textOf(message.content))];
  return [
    ...text,
    ...(message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      call: id,
      name,
      input: JSON.parse(json) as unknown,
    })),
  ];
}

interface ResponsesItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}

function sentItem(item: ResponsesItem): Sent[] {
  if (item.type === "function_call") {
    return [{ call: String(item.call_id), name: String(item.name), input: JSON.parse(String(item.arguments)) as unknown }];
  }
  if (item.type === "function_call_output") return [{ result: String(item.call_id), text: textOf(item.output) }];
  if (item.role === "system" || item.role === "developer") return [];
  return [said(String(item.role), textOf(item.content))];
}

function said(role: string, text: string): Sent {
  return role === "assistant" ? { assistant: text } : { user: text };
}

/** The text of content given as a string or as text parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}
