import type { Json, JsonObject } from "../../../dialog/model.ts";
import { isObject } from "../../prompt/json.ts";
import { asJson, asText, createAnswer, isCount, parseInput } from "../answer.ts";
import type { CallInput, ProviderEvent, Stop } from "../provider.ts";
import { usageOf } from "../usage.ts";
import type { Reading } from "../wire.ts";

type Block = TextBlock | CallBlock | { readonly kind: "other" };

interface TextBlock {
  readonly kind: "text";
  /** The text at the block's start, until a piece arrives. Some servers (MiniMax) repeat that text as the first piece. */
  start: string;
}

interface CallBlock {
  readonly kind: "call";
  /** Some servers send the whole input at the start and no deltas. */
  readonly start: CallInput | null;
  readonly json: string[];
  closed: boolean;
  /** The input is a complete object. If the tokens run out, a block is closed with incomplete input. */
  whole: boolean;
}

/** Reads the events of one response of the Messages API. Later usage overwrites earlier usage, because the numbers are cumulative. */
export function readResponse(): Reading {
  const answer = createAnswer();
  const blocks = new Map<number, Block>();
  let started = false;
  let stopped = false;
  let known = 0;
  let stopReason: string | null = null;
  /** The last event was a stop reason. Some proxies end a response with it, without `message_stop`. */
  let reasoned = false;
  let unsure = false;
  const usage: Record<UsageField, number | null> = {
    input_tokens: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: null,
  };

  function open(index: number, content: JsonObject): ProviderEvent[] {
    switch (content["type"]) {
      case "text":
        blocks.set(index, { kind: "text", start: asText(content["text"]) });
        return answer.say(asText(content["text"]));
      case "tool_use": {
        const call: CallBlock = { kind: "call", start: startOf(content["input"]), json: [], closed: false, whole: false };
        blocks.set(index, call);
        answer.begin({
          id: asText(content["id"]),
          name: asText(content["name"]),
          get whole() {
            return call.whole;
          },
          get closed() {
            return call.closed;
          },
          input: () => inputOf(call),
        });
        return answer.news();
      }
      case "thinking":
      case "redacted_thinking":
        blocks.set(index, { kind: "other" });
        return [{ type: "thinking" }];
      default:
        blocks.set(index, { kind: "other" });
        return [];
    }
  }

  function grow(index: number, delta: JsonObject): ProviderEvent[] {
    const block = blocks.get(index);
    // Text without an opened block is accepted, too.
    if (delta["type"] === "text_delta" && (block === undefined || block.kind === "text")) return grownText(block, asText(delta["text"]));
    if (delta["type"] === "input_json_delta" && block?.kind === "call") block.json.push(asJson(delta["partial_json"]));
    return [];
  }

  function grownText(block: TextBlock | undefined, text: string): ProviderEvent[] {
    const isAgain = block !== undefined && text !== "" && text === block.start;
    if (block !== undefined && text !== "") block.start = "";
    return isAgain ? [] : answer.say(text);
  }

  /** Content after a stop reason means that the response had not ended. */
  function continues(): void {
    if (reasoned) unsure = true;
    reasoned = false;
  }

  function count(reported: unknown): ProviderEvent[] {
    if (!isObject(reported)) return [];
    for (const field of usageFields) if (isCount(reported[field])) usage[field] = reported[field];
    if (usage.input_tokens === null || usage.output_tokens === null) return [];
    const input = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
    return [{ type: "usage", usage: usageOf(input, usage.output_tokens, read ?? 0, written ?? 0, reported) }];
  }

  return {
    get ended() {
      return stopped || reasoned;
    },
    get unsure() {
      return unsure;
    },
    get over() {
      return stopped;
    },
    get shown() {
      return answer.shown;
    },
    get known() {
      return known;
    },
    push(event) {
      if (!isObject(event) || stopped) return [];
      known++;
      const index = isCount(event["index"]) ? event["index"] : 0;
      switch (event["type"]) {
        case "message_start":
          // Some servers send it twice. The second one contains nothing new.
          if (started) return [];
          started = true;
          return count(isObject(event["message"]) ? event["message"]["usage"] : null);
        case "content_block_start":
          continues();
          return open(index, isObject(event["content_block"]) ? event["content_block"] : {});
        case "content_block_delta":
          continues();
          return grow(index, isObject(event["delta"]) ? event["delta"] : {});
        case "content_block_stop": {
          const block = blocks.get(index);
          if (block?.kind !== "call") return [];
          block.closed = true;
          block.whole = (block.start !== null || block.json.join("").trim() !== "") && inputOf(block).ok;
          return answer.news();
        }
        case "message_delta":
          if (isObject(event["delta"]) && typeof event["delta"]["stop_reason"] === "string" && event["delta"]["stop_reason"] !== "") {
            stopReason = event["delta"]["stop_reason"];
            reasoned = true;
          }
          return count(event["usage"]);
        case "message_stop":
          stopped = true;
          return [];
        default:
          known--;
          return [];
      }
    },
    finish: (cut) => answer.finish(cut ?? stopOf(stopReason)),
  };
}

function stopOf(reason: string | null): Stop {
  switch (reason) {
    case "max_tokens":
      return { kind: "max_tokens" };
    case "refusal":
      return { kind: "refusal" };
    case "model_context_window_exceeded":
      return { kind: "context_window" };
    case "pause_turn":
      // Only for tools that run at the provider, which Vibey never requests.
      return { kind: "interrupted", message: "The provider paused the response. Send a message to continue." };
    default:
      // end_turn, tool_use, stop_sequence, no reason, and unknown reasons.
      return { kind: "end" };
  }
}

/** A call's input. Deltas, if there are any, take precedence over the input at the start. */
function inputOf({ start, json }: CallBlock): CallInput {
  const deltas = json.join("");
  return deltas.trim() === "" && start ? start : parseInput(deltas);
}

/** The input at a call's start. Null if it is empty, as it is if deltas follow. */
function startOf(input: Json | undefined): CallInput | null {
  if (isObject(input)) return Object.keys(input).length > 0 ? { ok: true, value: input } : null;
  return asJson(input).trim() === "" ? null : parseInput(asJson(input));
}

/** Converts a response that wasn't streamed to the events of a stream. */
export function eventsOfWhole(message: JsonObject): JsonObject[] {
  const content = Array.isArray(message["content"]) ? (message["content"] as readonly Json[]) : [];
  const usage = message["usage"] ?? null;
  return [
    { type: "message_start", message: { usage } },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: message["stop_reason"] ?? null }, usage },
    { type: "message_stop" },
  ];
}

type UsageField = "input_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens" | "output_tokens";
const usageFields: readonly UsageField[] = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"];
