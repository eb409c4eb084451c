import { isObject } from "../../history/json.ts";
import { oneLine } from "../one-line.ts";
import type { ErrorReason, Stop } from "../provider.ts";

/** A request that was answered with an error, as an HTTP status or as an event inside the stream. */
export interface Refusal {
  /** null: an event in a stream that began with 200. */
  readonly status: number | null;
  /** The wire's own name of the error, such as `overloaded_error`; null when the body had none. */
  readonly type: string | null;
  /** What the server said, as it said it; null when the body was no JSON of any known form. */
  readonly said: string | null;
}

export interface Place {
  readonly host: string;
  readonly local: boolean;
  readonly model: string;
  /** Removes keys from what a server said. */
  readonly scrub: (said: string) => string;
}

type ErrorStop = Extract<Stop, { kind: "error" }>;

/** One plain line for a human: what happened and what to do. */
export function explain(refusal: Refusal, place: Place): ErrorStop {
  const said = refusal.said === null ? "" : oneLine(place.scrub(refusal.said));
  const reason = reasonOf(refusal, said);
  return { kind: "error", reason, message: wording(reason, refusal, said, place) };
}

function wording(reason: ErrorReason, refusal: Refusal, said: string, { host, model }: Place): string {
  const quoted = said === "" ? "" : ` It said: ${said}`;
  const code = refusal.status === null ? "" : ` (${refusal.status})`;
  switch (reason) {
    case "bad-key":
      return `${host} refused the API key. Check it in the settings.${quoted}`;
    case "forbidden":
      if (isForeignOrganisation(said)) {
        return `The key is right, but its organisation does not allow calls from a browser. Use a key of another workspace, or the base URL of a proxy.`;
      }
      if (isMissingBrowserHeader(said)) {
        return `${host} wants a header that allows calls from a browser, and it did not arrive. If the base URL is a proxy, let the header anthropic-dangerous-direct-browser-access through.`;
      }
      return `${host} does not allow this${code}.${quoted}`;
    case "billing":
      return `${host} wants the account to be paid up or its spending limit raised before it answers.${quoted}`;
    case "unknown-model":
      return `${host} does not know the model ${model}. Choose another model.`;
    case "unreachable":
      return `${host} has nothing at this address${code}. Check the base URL in the settings.${quoted}`;
    case "too-large":
      return `This dialog is longer than ${model} can take. Start a new dialog, or shorten this one.${quoted}`;
    case "rate-limit":
      return `${host} says that there were too many requests. Wait a little, then try again.${quoted}`;
    case "overloaded":
      return `${host} is overloaded. Wait a little, then try again.`;
    case "server":
      return `${host} failed${code}. Try again.${quoted}`;
    default:
      return `${host} refused the request${code}.${quoted}`;
  }
}

/** Told apart by status and by the wire's error types; by words only where the wire uses one status for several things. */
function reasonOf({ status, type }: Refusal, said: string): ErrorReason {
  if (isForeignOrganisation(said) || isMissingBrowserHeader(said)) return "forbidden";
  if (status === 402 || type === "billing_error" || /credit balance is too low|spend(ing)? limit|insufficient_quota/i.test(said))
    return "billing";
  if (status === 413 || type === "request_too_large" || isOverflow(said)) return "too-large";
  switch (type) {
    case "authentication_error":
      return "bad-key";
    case "permission_error":
      return "forbidden";
    case "rate_limit_error":
      return "rate-limit";
    case "overloaded_error":
      return "overloaded";
    case "api_error":
    case "timeout_error":
      return "server";
    case "invalid_request_error":
      if (status === null) return "bad-request";
      break;
    default:
  }
  if (status === 401) return "bad-key";
  if (status === 403) return "forbidden";
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

function isOverflow(said: string): boolean {
  return /prompt is too long|exceed[s]? (the )?context|context[_ ]length|context window|maximum context|request exceeds the maximum size|too many tokens/i.test(
    said,
  );
}

/** No answer at all. A browser tells a page nothing about the cause, so the text names all of them. */
export function unreachable({ host, local }: Place, online: boolean): ErrorStop {
  const message = !online
    ? "This device is offline. Your message is kept; send it again when there is a network."
    : local
      ? `Nothing answered at ${host}. Is the server running, and does it allow calls from this page? (Ollama: set OLLAMA_ORIGINS. LM Studio: lms server start --cors.) The browser may also ask for your permission to reach local servers.`
      : `${host} could not be reached. The network may be down, the base URL wrong, the server may not allow calls from a browser (CORS), or a blocker may stand in between.`;
  return { kind: "error", reason: "unreachable", message };
}

/** What an error's body says, whatever its form: the wire's own, a plain text under `error` or `message`, or no JSON. */
export function readBody(body: unknown, raw: string | null): Said {
  const { type, said } = readForm(body, raw);
  return { type, said: said === null ? null : said.slice(0, mostSaid) };
}

/** UTF-16 units of an error's text that are looked at. */
const mostSaid = 10_000;

type Said = Pick<Refusal, "type" | "said">;

function readForm(body: unknown, raw: string | null): Said {
  if (isObject(body)) {
    const error = body["error"];
    if (isObject(error)) return { type: asName(error["type"]), said: asSaid(error["message"]) ?? JSON.stringify(error) };
    return { type: asName(body["type"]), said: asSaid(error) ?? asSaid(body["message"]) ?? asSaid(body["detail"]) };
  }
  if (typeof body === "string") return { type: null, said: body };
  // A page made for people to look at says nothing in one line.
  return { type: null, said: raw === null || raw.trim() === "" || /^\s*</.test(raw) ? null : raw };
}

function asName(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function asSaid(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
