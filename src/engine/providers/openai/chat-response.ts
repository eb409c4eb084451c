import type { Json, JsonObject } from "../../../dialog/model.ts";
import { isObject } from "../../prompt/json.ts";
import { asJson, asText, createAnswer, isCount, parseInput } from "../answer.ts";
import { ErrorEvent } from "../errors.ts";
import type { ProviderEvent, Stop } from "../provider.ts";
import type { Reading } from "../wire.ts";
import { countedUsage } from "../usage.ts";
import { type ObjectEnd, objectEnd } from "./object-end.ts";

interface ChatCallParts {
  /** null: the server counts no calls. */
  readonly index: number | null;
  id: string;
  name: string;
  readonly json: string[];
  readonly end: ObjectEnd;
  /** The input as it was when it had become a complete JSON object, which no further text could extend; null: it is none. */
  whole: string | null;
}

/**
 * Reads the chunks of one response of Chat Completions, in the dialects of the servers that speak it: calls that come whole
 * or in pieces, with or without index and id, names once or in each piece, a reason for the end or none.
 *
 * - Only the first choice counts.
 * - What a model thinks is passed on as the news that it thinks.
 * - Usage overwrites: of several counts the last one holds.
 */
export function readChat(): Reading {
  const answer = createAnswer();
  const calls: ChatCallParts[] = [];
  let known = 0;
  let reason: string | null = null;
  let refused = false;
  let thinking = false;
  let said = "";
  /** Pieces of text and of calls, and how many of them came as such. */
  let pieces = 0;
  let deltas = 0;
  let over = false;
  let unsure = false;

  function say(text: string): ProviderEvent[] {
    if (text !== "") {
      thinking = false;
      said += text;
      pieces++;
    }
    return answer.say(text);
  }

  function think(): ProviderEvent[] {
    if (thinking) return [];
    thinking = true;
    return [{ type: "thinking" }];
  }

  /** `soFar`: the calls of which the ones given may be all that has come so far. */
  function delta(given: JsonObject, soFar: readonly ChatCallParts[] = []): ProviderEvent[] {
    const events: ProviderEvent[] = [];
    if (["reasoning_content", "reasoning", "reasoning_details"].some((field) => holdsAnything(given[field]))) events.push(...think());
    const { content, refusal } = given;
    if (Array.isArray(content)) for (const part of content) events.push(...contentPart(part));
    else events.push(...say(asText(content)));
    if (typeof refusal === "string" && refusal !== "") {
      refused = true;
      events.push(...say(refusal));
    }
    const entries: unknown = given["tool_calls"];
    if (Array.isArray(entries)) for (const [at, entry] of entries.entries()) if (isObject(entry)) callPart(entry, soFar[at]);
    return [...events, ...answer.news()];
  }

  /**
   * A message where a piece should be. Behind pieces it is all that they said, once more; without any it is a piece by another name, or all that
   * was said so far. What has come already is not said again, and no call made twice.
   */
  function whole(message: JsonObject): ProviderEvent[] {
    if (pieces === 0) return delta(message);
    const isAgain = deltas > 0;
    const { content, refusal, tool_calls, ...others } = message;
    const text = asText(content);
    const again: JsonObject = {
      ...(isAgain ? {} : others),
      // A shorter one is not looked at: it would cost what was said before, each time.
      content: text.length >= said.length && text.startsWith(said) ? text.slice(said.length) : isAgain ? null : text,
      refusal: isAgain ? null : (refusal ?? null),
      tool_calls: isAgain ? behind(calls, tool_calls) : (tool_calls ?? null),
    };
    return delta(again, [...calls]);
  }

  /** Mistral's contents are lists when the model thinks. */
  function contentPart(part: unknown): ProviderEvent[] {
    if (!isObject(part)) return say(asText(part));
    return part["type"] === "thinking" ? think() : say(asText(part["text"]));
  }

  function callPart(entry: JsonObject, soFar?: ChatCallParts): void {
    const given = isObject(entry["function"]) ? entry["function"] : {};
    const index = isCount(entry["index"]) ? entry["index"] : null;
    const id = asText(entry["id"]);
    const name = asText(given["name"]);
    const all = asJson(given["arguments"]);
    const isSoFar = soFar !== undefined && grownFrom(soFar, { index, id, name, json: all });
    const json = isSoFar ? all.slice(soFar.json.join("").length) : all;
    const call = isSoFar ? soFar : (openCall(calls, { index, id, name, json }) ?? begin(index));
    if (call.id === "") call.id = id;
    if (call.name === "") call.name = name;
    grow(call, json);
  }

  function grow(call: ChatCallParts, json: string): void {
    if (json === "" || isRepeated(call, json)) return;
    pieces++;
    call.json.push(json);
    if (call.whole !== null || !call.end.push(json)) return;
    const all = call.json.join("");
    if (parseInput(all).ok) call.whole = all.trim();
  }

  function begin(index: number | null): ChatCallParts {
    const call: ChatCallParts = { index, id: "", name: "", json: [], end: objectEnd(), whole: null };
    calls.push(call);
    pieces++;
    answer.begin({
      get id() {
        return call.id;
      },
      get name() {
        return call.name;
      },
      get whole() {
        return call.whole !== null;
      },
      // The wire closes no call; a response that ended by itself closes all.
      closed: true,
      input: () => parseInput(call.json.join("")),
    });
    return call;
  }

  function count(usage: unknown): ProviderEvent[] {
    if (!isObject(usage) || !isCount(usage["prompt_tokens"])) return [];
    const input = usage["prompt_tokens"];
    const output = outputOf(usage, input);
    if (output === null) return [];
    return [{ type: "usage", usage: countedUsage(input, output, usage, "prompt_tokens_details") }];
  }

  return {
    get ended() {
      return reason !== null;
    },
    get unsure() {
      return unsure;
    },
    get over() {
      return over;
    },
    get shown() {
      return answer.shown;
    },
    get known() {
      return known;
    },
    push(event) {
      if (!isObject(event)) return [];
      const choices: unknown = event["choices"];
      const events: ProviderEvent[] = [];
      let failure: object | null = null;
      let usage: unknown = event["usage"] ?? (isObject(event["x_groq"]) ? event["x_groq"]["usage"] : null);
      if (Array.isArray(choices)) {
        known++;
        const choice: unknown = choices.find((one) => isObject(one) && (one["index"] ?? 0) === 0);
        if (isObject(choice)) {
          const before = pieces;
          if (isObject(choice["delta"])) events.push(...delta(choice["delta"]));
          deltas += pieces - before;
          if (isObject(choice["message"])) events.push(...whole(choice["message"]));
          // Some proxies give each piece a reason to end, and what follows shows that it was none.
          if (pieces > before && reason !== null) {
            unsure = true;
            reason = null;
          }
          if (choice["finish_reason"] === "error") failure = isObject(choice["error"]) ? { error: choice["error"] } : unnamed;
          else if (typeof choice["finish_reason"] === "string" && choice["finish_reason"] !== "") reason = choice["finish_reason"];
          usage ??= choice["usage"];
        }
      }
      const counted = count(usage);
      if (failure !== null) throw new ErrorEvent(failure, [...events, ...counted]);
      if (counted.length > 0 && reason !== null && Array.isArray(choices) && choices.length === 0) over = true;
      return [...events, ...counted];
    },
    finish: (cut) => answer.finish(cut ?? (refused ? { kind: "refusal" } : stopOf(reason))),
  };
}

const unnamed = { message: "The model server returned an error.", code: 502 };

/**
 * The call that a piece continues with; undefined when it begins another one.
 *
 * An index tells, and an id does; but some servers give neither, and some give all calls the same. Where both leave it
 * open, a call whose JSON is whole can't continue with more of it, so that a piece with a name and JSON begins the next.
 */
function openCall(
  calls: readonly ChatCallParts[],
  piece: Pick<ChatCallParts, "index" | "id" | "name"> & { readonly json: string },
): ChatCallParts | undefined {
  const found =
    piece.index !== null
      ? calls.findLast((call) => call.index === piece.index)
      : piece.id !== ""
        ? (calls.findLast((call) => call.id === piece.id) ?? (isNameless(calls.at(-1)) ? calls.at(-1) : undefined))
        : calls.at(-1);
  if (found === undefined || piece.name === "") return found;
  if (piece.id !== "" && found.id !== "" && piece.id !== found.id) return undefined;
  if (found.name !== "" && piece.name !== found.name) return undefined;
  const isAgain = piece.id !== "" && piece.id === found.id && isRepeated(found, piece.json);
  return piece.json.trimStart().startsWith("{") && found.whole !== null && !isAgain ? undefined : found;
}

/** The whole input of a call that is there already: some servers send it once more at the end. */
function isRepeated({ whole }: Pick<ChatCallParts, "whole">, piece: string): boolean {
  return whole !== null && piece.trim() === whole;
}

/** Whether an entry of a message that holds all so far is a call that has come, with or without more of its input. */
function grownFrom(call: ChatCallParts, entry: Pick<ChatCallParts, "index" | "id" | "name"> & { readonly json: string }): boolean {
  if (entry.name !== call.name || !entry.json.startsWith(call.json.join(""))) return false;
  if (entry.id !== "" && call.id !== "") return entry.id === call.id;
  return entry.index === null || call.index === null || entry.index === call.index;
}

/** The calls of a whole message behind those that have come as pieces. */
function behind(calls: readonly ChatCallParts[], whole: Json | undefined): Json[] {
  if (!Array.isArray(whole)) return [];
  const entries = whole as readonly Json[];
  const isSame = calls.every(({ name }, at) => {
    const entry = entries[at];
    return isObject(entry) && isObject(entry["function"]) && entry["function"]["name"] === name;
  });
  return isSame ? entries.slice(calls.length) : [];
}

/** A call of which nothing but pieces of its input has come. */
function isNameless(call: ChatCallParts | undefined): boolean {
  return call !== undefined && call.name === "" && call.id === "";
}

function holdsAnything(value: Json | undefined): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);
}

/** Tokens of the response; null when the server does not say. Some leave those out that the model thought, and count them in the total alone. */
function outputOf({ completion_tokens: completion, total_tokens: total }: JsonObject, input: number): number | null {
  if (!isCount(completion) && !isCount(total)) return null;
  return Math.max(isCount(completion) ? completion : 0, isCount(total) ? total - input : 0);
}

function stopOf(reason: string | null): Stop {
  switch (reason?.toLowerCase()) {
    case "length":
    case "max_tokens":
    case "model_length":
      return { kind: "max_tokens" };
    case "content_filter":
    case "refusal":
    case "safety":
    case "sensitive":
      return { kind: "refusal" };
    case "model_context_window_exceeded":
      return { kind: "context_window" };
    case "abort":
    case "aborted":
    case "cancelled":
    case "insufficient_system_resource":
    case "network_error":
    case "timeout":
      return { kind: "interrupted", message: "The server stopped before the response finished." };
    default:
      // stop, tool_calls, function_call, none, and reasons that are not known yet.
      return { kind: "end" };
  }
}

/** The chunks that a stream would have had, of a response that came whole. */
export function chunksOfWhole(message: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(message["choices"])) return null;
  const given = message["choices"] as readonly Json[];
  const choices: readonly Json[] = given.length === 0 ? [{ message: {} }] : given;
  // One that came whole has ended, whether it says why or not.
  const closed = choices.map((choice) => (isObject(choice) ? { ...choice, finish_reason: choice["finish_reason"] || "stop" } : choice));
  return [{ choices: closed, usage: message["usage"] ?? null }];
}
