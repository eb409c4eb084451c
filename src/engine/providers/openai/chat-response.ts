import type { Json, JsonObject } from "../../../dialog/model.ts";
import { isObject } from "../../prompt/json.ts";
import { asJson, asText, createAnswer, isCount, parseInput } from "../answer.ts";
import { ErrorEvent } from "../errors.ts";
import type { ProviderEvent } from "../provider.ts";
import type { Reading } from "../wire.ts";
import { countedUsage } from "../usage.ts";
import { createFinishReason } from "./finish-reason.ts";
import { type ObjectEnd, objectEnd } from "./object-end.ts";

interface ChatCallParts {
  /** Null: the server sends no index. */
  readonly index: number | null;
  id: string;
  name: string;
  readonly json: string[];
  readonly end: ObjectEnd;
  /** The input, once it is a complete JSON object, which no further text could extend. Null: it isn't complete. */
  whole: string | null;
}

/**
 * Reads the chunks of one response of Chat Completions, in the dialects of all servers: calls may come whole or in pieces, with
 * or without index and id, names once or in each piece, and the end with or without a reason.
 *
 * - Only the first choice counts.
 * - Of a model's thoughts, only the fact that it thinks is passed on.
 * - Of several usage counts, the last one is valid.
 */
export function readChat(): Reading {
  const answer = createAnswer();
  const calls: ChatCallParts[] = [];
  let known = 0;
  const reason = createFinishReason();
  let refused = false;
  let thinking = false;
  let said = "";
  /** How many pieces of text and calls arrived, and how many of them in `delta`. */
  let pieces = 0;
  let deltas = 0;
  let over = false;

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

  /** `soFar`: earlier calls, if the given calls may repeat them from the beginning. */
  function delta(given: JsonObject, soFar: readonly ChatCallParts[] = []): ProviderEvent[] {
    const events: ProviderEvent[] = [];
    if (holdsThought(given)) events.push(...think());
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
   * Reads a `message` in place of a `delta`. After deltas, it repeats all that they said. Without deltas, it is a piece with another name, or all
   * that was said so far. Text that has already arrived isn't passed on again, and no call is made twice.
   */
  function whole(message: JsonObject): ProviderEvent[] {
    if (pieces === 0) return delta(message);
    const isAgain = deltas > 0;
    const { content, refusal, tool_calls, ...others } = message;
    const text = Array.isArray(content) ? content.map(textOfPart).join("") : asText(content);
    const again: JsonObject = {
      ...(isAgain ? {} : others),
      // A shorter text isn't compared, because that would cost the length of the earlier text each time.
      content: text.length >= said.length && text.startsWith(said) ? text.slice(said.length) : isAgain ? null : text,
      refusal: isAgain ? null : (refusal ?? null),
      tool_calls: isAgain ? behind(calls, tool_calls) : (tool_calls ?? null),
    };
    return delta(again, [...calls]);
  }

  /** Mistral sends content as a list if the model thinks. */
  function contentPart(part: unknown): ProviderEvent[] {
    return isObject(part) && part["type"] === "thinking" ? think() : say(textOfPart(part));
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
      // This API doesn't mark the end of a call. If the response ends by itself, all calls are complete.
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
      return reason.ended;
    },
    get unsure() {
      return reason.unsure;
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
          if (pieces > before || holdsThought(choice["delta"])) reason.moreFollows();
          if (choice["finish_reason"] === "error") failure = isObject(choice["error"]) ? { error: choice["error"] } : unnamed;
          else reason.give(asText(choice["finish_reason"]));
          usage ??= choice["usage"];
        }
      }
      const counted = count(usage);
      if (failure !== null) throw new ErrorEvent(failure, [...events, ...counted]);
      if (counted.length > 0 && reason.ended && Array.isArray(choices) && choices.length === 0) over = true;
      return [...events, ...counted];
    },
    finish: (cut) => answer.finish(cut ?? (refused ? { kind: "refusal" } : reason.stop())),
  };
}

/** The fields in which servers send a model's thoughts; the last one is GitHub Copilot's. */
const thoughts = ["reasoning_content", "reasoning", "reasoning_details", "reasoning_text"];

const unnamed = { message: "The model server returned an error.", code: 502 };

/**
 * The call that a piece continues. Undefined if the piece begins another call.
 *
 * The index or the id decides. But some servers send neither, and some send the same for all calls. If both leave it open: a call
 * with complete JSON can't continue, so a piece with a name and JSON begins the next call.
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

/** Whether a piece repeats the complete input, which some servers send again at the end. */
function isRepeated({ whole }: Pick<ChatCallParts, "whole">, piece: string): boolean {
  return whole !== null && piece.trim() === whole;
}

/** Whether an entry of a message that repeats everything is this call, with the same input or more of it. */
function grownFrom(call: ChatCallParts, entry: Pick<ChatCallParts, "index" | "id" | "name"> & { readonly json: string }): boolean {
  if (entry.name !== call.name || !entry.json.startsWith(call.json.join(""))) return false;
  if (entry.id !== "" && call.id !== "") return entry.id === call.id;
  return entry.index === null || call.index === null || entry.index === call.index;
}

/** The calls of a complete message that come after those that arrived as pieces. */
function behind(calls: readonly ChatCallParts[], whole: Json | undefined): Json[] {
  if (!Array.isArray(whole)) return [];
  const entries = whole as readonly Json[];
  const isSame = calls.every(({ name }, at) => {
    const entry = entries[at];
    return isObject(entry) && isObject(entry["function"]) && entry["function"]["name"] === name;
  });
  return isSame ? entries.slice(calls.length) : [];
}

/** Whether only pieces of the call's input have arrived. */
function isNameless(call: ChatCallParts | undefined): boolean {
  return call !== undefined && call.name === "" && call.id === "";
}

const holdsThought = (given: Json | undefined): boolean => isObject(given) && thoughts.some((field) => holdsAnything(given[field]));

/** The text of a part of a content list. "" for thoughts. */
function textOfPart(part: unknown): string {
  if (!isObject(part)) return asText(part);
  return part["type"] === "thinking" ? "" : asText(part["text"]);
}

function holdsAnything(value: Json | undefined): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);
}

/** Tokens of the response. Null if the server doesn't say. Some servers count the tokens of thoughts only in the total. */
function outputOf({ completion_tokens: completion, total_tokens: total }: JsonObject, input: number): number | null {
  if (!isCount(completion) && !isCount(total)) return null;
  return Math.max(isCount(completion) ? completion : 0, isCount(total) ? total - input : 0);
}

/** Converts a response that wasn't streamed to the chunks of a stream. Null if it isn't a response of this API. */
export function chunksOfWhole(message: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(message["choices"])) return null;
  const given = message["choices"] as readonly Json[];
  const choices: readonly Json[] = given.length === 0 ? [{ message: {} }] : given;
  // A response that wasn't streamed has ended, even without a reason.
  const closed = choices.map((choice) => (isObject(choice) ? { ...choice, finish_reason: choice["finish_reason"] || "stop" } : choice));
  return [{ choices: closed, usage: message["usage"] ?? null }];
}
