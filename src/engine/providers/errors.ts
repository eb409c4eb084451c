import type { Json } from "../../dialog/model.ts";
import { isObject } from "../prompt/json.ts";
import { offlineMessage } from "./offline.ts";
import { oneLine } from "./one-line.ts";
import { waitIn } from "./wait-in.ts";
import type { ErrorReason, ProviderEvent, Stop } from "./provider.ts";

/** A request that was answered with an error, as an HTTP status or as an event inside the stream. */
export interface Refusal {
  /** Null: an event without a status, in a stream that began with 200. */
  readonly status: number | null;
  /** The API's name for the error, such as `overloaded_error` or `insufficient_quota`. Null if the body has none. */
  readonly type: string | null;
  /** The server's text, unchanged. Null if the body has none in a known form. */
  readonly said: string | null;
  /** The field that the server says is wrong. Null if it names none. */
  readonly param: string | null;
  /** Milliseconds that the body asks to wait, because a page often may not read the header. Null if it doesn't ask. */
  readonly waitMs: number | null;
}

/** An error that came as an event of a stream. */
export class ErrorEvent extends Error {
  readonly refusal: Refusal;
  /** What the same event says besides. */
  readonly events: readonly ProviderEvent[];
  constructor(event: unknown, events: readonly ProviderEvent[] = []) {
    super("error in the stream");
    this.refusal = { status: statusIn(event), ...readBody(event, null) };
    this.events = events;
  }
}

export interface ErrorContext {
  readonly host: string;
  readonly local: boolean;
  readonly model: string;
  /** No key was sent. */
  readonly keyless: boolean;
  /** Removes keys from a server's text. */
  readonly scrub: (said: string) => string;
}

type ErrorStop = Extract<Stop, { kind: "error" }>;

/** What happened, for the user. Without advice, because the request is retried automatically. */
export function retryReason(refusal: Refusal, place: ErrorContext): string {
  const said = refusal.said === null ? "" : oneLine(place.scrub(refusal.said));
  const code = refusal.status === null ? "" : ` (${refusal.status})`;
  const quoted = said === "" ? "" : ` The provider said: ${said}`;
  switch (reasonOf(refusal, said)) {
    case "rate-limit":
      return `Too many requests to ${place.host}.${quoted}`;
    case "overloaded":
      return `${place.host} is overloaded.`;
    default:
      return `${place.host} returned an error${code}.${quoted}`;
  }
}

/** What happened if nothing answered and the request is retried. */
export const unreachedReason = ({ host }: ErrorContext): string => `Couldn't connect to ${host}.`;

/** One plain line for the user: what happened and what to do. */
export function explain(refusal: Refusal, place: ErrorContext): ErrorStop {
  const said = refusal.said === null ? "" : oneLine(place.scrub(refusal.said));
  const reason = reasonOf(refusal, said);
  return { kind: "error", reason, message: wording(reason, refusal, said, place) };
}

function wording(reason: ErrorReason, refusal: Refusal, said: string, { host, local, model, keyless }: ErrorContext): string {
  const quoted = said === "" ? "" : ` The provider said: ${said}`;
  const code = refusal.status === null ? "" : ` (${refusal.status})`;
  switch (reason) {
    case "bad-key":
      return keyless
        ? `${host} needs an API key. Add one in Settings.${quoted}`
        : `${host} rejected the API key. Check it in Settings.${quoted}`;
    case "forbidden":
      if (isForeignOrganisation(said)) {
        return `The key is valid, but its organization doesn't allow requests from a browser. Use a key from another workspace, or a proxy's address.`;
      }
      if (isMissingBrowserHeader(said)) {
        return `${host} didn't get the header that allows requests from a browser. If you use a proxy, let anthropic-dangerous-direct-browser-access through.`;
      }
      return `${host} doesn't allow this request${code}. Check the key and the address in Settings.${local && said === "" ? originHint : ""}${quoted}`;
    case "billing":
      return `Your ${host} account is out of credit or over its spending limit. Add credit or raise the limit with the provider, then try again.${quoted}`;
    case "unknown-model":
      return `${host} doesn't have the model ${model}. Choose another model.`;
    case "unreachable":
      return `Nothing found at this address on ${host}${code}. Check the address in Settings.${quoted}`;
    case "too-large":
      return `This dialog no longer fits in the context window of ${model}. Continue in a new dialog, or choose a model with a larger window.${quoted}`;
    case "rate-limit":
      return `Too many requests to ${host}. Wait a moment, then try again.${quoted}`;
    case "overloaded":
      return `${host} is overloaded. Wait a moment, then try again.`;
    case "server":
      return `${host} returned an error${code}. Try again.${quoted}`;
    default:
      return `${host} rejected the request${code}. Try again, or choose another model.${quoted}`;
  }
}

/** Decides by status and by the API's error types. Uses the text only if servers use one status for several errors. */
function reasonOf({ status, type }: Refusal, said: string): ErrorReason {
  if (isForeignOrganisation(said) || isMissingBrowserHeader(said)) return "forbidden";
  if (status === 402 || type === "billing_error" || type === "insufficient_quota" || isUnpaid(said)) return "billing";
  // "Too many tokens, please wait" is about the last minute, not about the window.
  const isLimited = status === 429 || type === "rate_limit_error" || type === "rate_limit_exceeded";
  const overflows = !isLimited && isOverflow(said);
  if (status === 413 || type === "request_too_large" || type === "context_length_exceeded" || overflows) return "too-large";
  switch (type) {
    case "authentication_error":
      return "bad-key";
    case "permission_error":
    case "request_forbidden":
      return "forbidden";
    case "invalid_api_key":
      return "bad-key";
    case "model_not_found":
      return "unknown-model";
    case "rate_limit_error":
    case "rate_limit_exceeded":
      return "rate-limit";
    case "overloaded_error":
    case "server_is_overloaded":
      return "overloaded";
    case "api_error":
    case "server_error":
    case "timeout_error":
      return "server";
    case "invalid_request_error":
      if (status === null) return "bad-request";
      break;
    default:
      if (status === null && type?.startsWith("invalid_")) return "bad-request";
  }
  if (status === 401) return "bad-key";
  if (status === 403) return "forbidden";
  // OpenAI-compatible servers also send these errors with 400.
  if (/api key not valid|(invalid|incorrect) api key/i.test(said)) return "bad-key";
  if (isUnknownModel(said)) return "unknown-model";
  if (status === 404 || type === "not_found_error") return /model/i.test(said) ? "unknown-model" : "unreachable";
  if (status === 405) return "unreachable";
  if (status === 429) return "rate-limit";
  if (status === 529) return "overloaded";
  if (status === 408 || status === null || status >= 500) return "server";
  return "bad-request";
}

function isForeignOrganisation(said: string): boolean {
  return /CORS requests are not allowed/i.test(said);
}

function isMissingBrowserHeader(said: string): boolean {
  return /anthropic-dangerous-direct-browser-access/i.test(said);
}

function isUnpaid(said: string): boolean {
  if (/credit balance is too low|spend(ing)? limit|insufficient_quota/i.test(said)) return true;
  // Gemini says the same about a limit per minute.
  return /exceeded your current quota, please check your plan/i.test(said) && !/ai\.google\.dev|retry in \d/i.test(said);
}

function isUnknownModel(said: string): boolean {
  return /not a valid model|invalid model\b|unknown model|\bmodels?\b.{0,120}?(does not exist|not found|is not available)/i.test(said);
}

function isOverflow(said: string): boolean {
  return /prompt is too long|exceeds? (the |its )?(available )?context|context[_ ]length|context window|maximum context|request exceeds the maximum size|too many tokens|maximum prompt length|input token count|exceeded model token limit|reduce the length of the (?:messages|input|prompt)/i.test(
    said,
  );
}

/** What the two most common local servers need before they answer a page. */
const originHint = " (Ollama: set OLLAMA_ORIGINS. LM Studio: lms server start --cors.)";

/** No answer at all. A browser tells a page nothing about the cause, so the text names all of them. */
export function unreachable({ host, local }: ErrorContext, online: boolean): ErrorStop {
  const message = !online
    ? offlineMessage
    : local
      ? `Couldn't connect to ${host}. Check that the server is running and allows requests from this page.${originHint} Your browser may also ask for permission to connect to local servers.`
      : `Couldn't connect to ${host}. Check your connection and the address. The server may also not allow requests from browsers (CORS), or an ad blocker may be in the way.`;
  return { kind: "error", reason: "unreachable", message };
}

/** Reads an error's body in any form: the API's own, a plain text in `error` or `message`, or not JSON. */
export function readBody(body: unknown, raw: string | null): RefusalText {
  const { type, said: whole, code, param } = readForm(body, raw);
  const said = whole === null ? null : whole.slice(0, maxSaid);
  return { type: wireCodes.has(code ?? "") ? code : type, said, param, waitMs: waitIn(body, said) };
}

/** The status in the body of an error inside a stream. Null if there is none. */
export function statusIn(body: unknown): number | null {
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : body;
  if (!isObject(error)) return null;
  // A code can be a word, next to the number.
  const numbers = [error["code"], error["status"], error["status_code"]].map((named) =>
    typeof named === "number" || typeof named === "string" ? Number(named) : Number.NaN,
  );
  return numbers.find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null;
}

/** Codes that are more precise than the type next to them. */
const wireCodes: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "context_length_exceeded",
  "invalid_api_key",
  "model_not_found",
  "rate_limit_exceeded",
  "server_error",
  "server_is_overloaded",
]);

/** The most UTF-16 units of an error's text that are read. */
const maxSaid = 10_000;

type RefusalText = Pick<Refusal, "type" | "said" | "param" | "waitMs">;

function readForm(body: unknown, raw: string | null): Omit<RefusalText, "waitMs"> & { readonly code: string | null } {
  // Gemini sends a list with a single error.
  if (Array.isArray(body) && body.length === 1) return readForm(body[0], raw);
  if (isObject(body)) {
    const error = body["error"];
    if (isObject(error)) {
      const said = asSaid(error["message"]) ?? structured(error);
      const { type, code, param } = error;
      return { type: asName(type) ?? asName(code), code: asName(code), param: asName(param), said: withInner(said, error["metadata"]) };
    }
    const said =
      asSaid(error) ?? asSaid(body["message"]) ?? asSaid(body["detail"]) ?? structured(body["message"]) ?? structured(body["detail"]);
    const code = asName(body["code"]);
    // In an event of the type `error`, the kind of the error is in `code`.
    const type = body["type"] === "error" ? code : asName(body["type"]);
    return { type, code, param: asName(body["param"]), said };
  }
  if (typeof body === "string") return { type: null, code: null, param: null, said: body };
  // An HTML page can't be shown in one line.
  return { type: null, code: null, param: null, said: raw === null || raw.trim() === "" || /^\s*</.test(raw) ? null : raw };
}

/** Adds the upstream server's text, which routers put into a separate field. */
function withInner(said: string | null, metadata: Json | undefined): string | null {
  const inner = isObject(metadata) ? asSaid(metadata["raw"]) : null;
  return inner === null || said === null ? (said ?? inner) : `${said}: ${inner}`;
}

function structured(value: Json | undefined): string | null {
  if (typeof value !== "object" || value === null) return null;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The value is nested too deeply.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function asName(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function asSaid(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
