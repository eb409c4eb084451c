import type { Json, JsonObject } from "../../format/model.ts";
import { isObject } from "../../history/json.ts";
import type { CallInput, ProviderEvent, Stop, Usage } from "../provider.ts";

/**
 * Reads the events of one response of the Messages wire. Takes whatever a server sends: what is not known is skipped.
 *
 * - Text is given as it comes. From the first call on everything is held back to the end, so that the order of text and
 *   calls is kept and a call of a response that did not end well is never given.
 * - A call is given when its block was closed and the response ended by itself.
 * - Usage overwrites: the wire's numbers are cumulative.
 */
export interface Reading {
  /** `message_stop` was seen. */
  readonly ended: boolean;
  /** Anything of the response was given or held that a human or a model could miss. */
  readonly shown: boolean;
  /** How many events made sense. Zero after a whole body means that it was no stream of this wire. */
  readonly known: number;
  push(event: unknown): ProviderEvent[];
  /** Gives what was held back. `stop` is how it was cut when it did not end; calls are given only after an end. */
  finish(cut?: Stop): { readonly events: ProviderEvent[]; readonly stop: Stop };
}

type Block = { readonly kind: "text" } | CallBlock | { readonly kind: "other" };

interface CallBlock {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  /** Some servers send the whole input at the start and no deltas. */
  readonly whole: JsonObject | null;
  readonly json: string[];
  closed: boolean;
}

export function readResponse(): Reading {
  const blocks = new Map<number, Block>();
  const held: (CallBlock | { readonly kind: "held-text"; text: string })[] = [];
  let started = false;
  let ended = false;
  let shown = false;
  let known = 0;
  let stopReason: string | null = null;
  const usage: Record<UsageField, number | null> = {
    input_tokens: null,
    cache_creation_input_tokens: null,
    cache_read_input_tokens: null,
    output_tokens: null,
  };

  function say(text: string): ProviderEvent[] {
    if (text === "") return [];
    shown = true;
    if (held.length === 0) return [{ type: "text", text }];
    const last = held.at(-1);
    if (last?.kind === "held-text") last.text += text;
    else held.push({ kind: "held-text", text });
    return [];
  }

  function open(index: number, content: JsonObject): ProviderEvent[] {
    switch (content["type"]) {
      case "text":
        blocks.set(index, { kind: "text" });
        return say(asText(content["text"]));
      case "tool_use": {
        const input = content["input"];
        const whole = isObject(input) && Object.keys(input).length > 0 ? input : null;
        const call: CallBlock = { kind: "call", id: asText(content["id"]), name: asText(content["name"]), whole, json: [], closed: false };
        blocks.set(index, call);
        held.push(call);
        shown = true;
        return [];
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
    // A server that opens no block still means its text.
    if (delta["type"] === "text_delta" && (block === undefined || block.kind === "text")) return say(asText(delta["text"]));
    if (delta["type"] === "input_json_delta" && block?.kind === "call") block.json.push(asText(delta["partial_json"]));
    return [];
  }

  function count(reported: unknown): ProviderEvent[] {
    if (!isObject(reported)) return [];
    for (const field of usageFields) if (isCount(reported[field])) usage[field] = reported[field];
    if (usage.input_tokens === null || usage.output_tokens === null) return [];
    const input = usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    return [{ type: "usage", usage: { input, output: usage.output_tokens } satisfies Usage }];
  }

  return {
    get ended() {
      return ended;
    },
    get shown() {
      return shown;
    },
    get known() {
      return known;
    },
    push(event) {
      if (!isObject(event) || ended) return [];
      known++;
      const index = isCount(event["index"]) ? event["index"] : 0;
      switch (event["type"]) {
        case "message_start":
          // Some servers send it twice; the second says nothing new.
          if (started) return [];
          started = true;
          return count(isObject(event["message"]) ? event["message"]["usage"] : null);
        case "content_block_start":
          return open(index, isObject(event["content_block"]) ? event["content_block"] : {});
        case "content_block_delta":
          return grow(index, isObject(event["delta"]) ? event["delta"] : {});
        case "content_block_stop": {
          const block = blocks.get(index);
          if (block?.kind === "call") block.closed = true;
          return [];
        }
        case "message_delta":
          if (isObject(event["delta"]) && typeof event["delta"]["stop_reason"] === "string") stopReason = event["delta"]["stop_reason"];
          return count(event["usage"]);
        case "message_stop":
          ended = true;
          return [];
        default:
          known--;
          return [];
      }
    },
    finish(cut) {
      let stop = cut ?? stopOf(stopReason);
      const calls = held.filter((item) => item.kind === "call");
      if (stop.kind === "end" && calls.some((call) => !call.closed)) {
        stop = { kind: "interrupted", message: "The response ended in the middle of a tool call. Nothing of it was run." };
      }
      if (stop.kind === "end" && !shown) {
        stop = { kind: "error", reason: "empty", message: "The model answered with nothing. Send a message to go on, or try again." };
      }
      const kept = held.filter((item) => item.kind === "held-text" || stop.kind === "end");
      return {
        stop,
        events: kept.map((item) =>
          item.kind === "held-text"
            ? { type: "text", text: item.text }
            : { type: "call", id: item.id, name: item.name, input: item.whole ? checked(item) : parseInput(item.json.join("")) },
        ),
      };
    },
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
      // For tools that run at the provider; no request of ours has any.
      return { kind: "interrupted", message: "The provider paused the response. Send a message to go on." };
    default:
      // end_turn, tool_use, stop_sequence, none, and reasons that are not known yet.
      return { kind: "end" };
  }
}

/** Deltas, where there are any, say more than the input at the start. */
function checked(call: CallBlock): CallInput {
  const deltas = call.json.join("");
  return deltas.trim() === "" && call.whole ? { ok: true, value: call.whole } : parseInput(deltas);
}

/** Strict: one whole JSON object, or nothing at all, which stands for `{}`. Never repaired. */
export function parseInput(json: string): CallInput {
  if (json.trim() === "") return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? { ok: true, value } : { ok: false, raw: json };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return { ok: false, raw: json };
    throw error;
  }
}

/** The events that a stream would have had, of a response that came whole. */
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

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
