import type { Json, JsonObject } from "../../../dialog/model.ts";
import { isObject } from "../../prompt/json.ts";
import { asText, createAnswer, isCount, parseInput } from "../answer.ts";
import { ErrorEvent } from "../errors.ts";
import type { ProviderEvent, Stop } from "../provider.ts";
import type { Reading } from "../wire.ts";
import { countedUsage } from "../usage.ts";

interface Call {
  id: string;
  name: string;
  readonly json: string[];
  /** What the server says is the whole input, which counts more than its pieces. */
  final: string | null;
  /** The server says that its arguments are there. When the tokens have run out, it says so of half of them too. */
  closed: boolean;
  /** The server says that the item is there. */
  whole: boolean;
}

/** Reads the events of one response of the Responses wire. */
export function readResponses(): Reading {
  const answer = createAnswer();
  /** By the id and by the place of the item: servers leave out the one or the other. */
  const calls = new Map<string, Call>();
  const said = new Set<string>();
  let known = 0;
  let stop: Stop | null = null;
  let refused = false;

  function keysOf(event: JsonObject): string[] {
    const given = isObject(event["item"]) ? event["item"] : {};
    const id = asText(event["item_id"] ?? given["id"]);
    return [...(id === "" ? [] : [`id ${id}`]), ...(isCount(event["output_index"]) ? [`at ${event["output_index"]}`] : [])];
  }

  function callOf(keys: readonly string[]): Call | undefined {
    return keys.map((key) => calls.get(key)).find((call) => call !== undefined);
  }

  function begin(keys: readonly string[]): Call {
    const call: Call = { id: "", name: "", json: [], final: null, closed: false, whole: false };
    for (const key of keys) calls.set(key, call);
    answer.begin({
      get id() {
        return call.id;
      },
      get name() {
        return call.name;
      },
      get whole() {
        return call.whole;
      },
      get closed() {
        return call.closed;
      },
      input: () => parseInput(call.final ?? call.json.join("")),
    });
    return call;
  }

  /** An item as it was added, or as it is when it is done. */
  function item(event: JsonObject, done: boolean): ProviderEvent[] {
    const given = isObject(event["item"]) ? event["item"] : {};
    const keys = keysOf(event);
    switch (given["type"]) {
      case "function_call": {
        const call = callOf(keys) ?? begin(keys);
        call.id ||= asText(given["call_id"] ?? given["id"]);
        call.name ||= asText(given["name"]);
        if (done) {
          if (typeof given["arguments"] === "string" && given["arguments"] !== "") call.final = given["arguments"];
          call.closed = given["status"] !== "incomplete";
          const json = call.final ?? call.json.join("");
          call.whole = call.closed && json.trim() !== "" && parseInput(json).ok;
        }
        return answer.news();
      }
      case "reasoning":
        return done ? [] : [{ type: "thinking" }];
      case "message":
        return done && !keys.some((key) => said.has(key)) ? contents(given["content"], keys) : [];
      default:
        return [];
    }
  }

  /** The text of a message of which no piece came. */
  function contents(content: unknown, keys: readonly string[]): ProviderEvent[] {
    if (!Array.isArray(content)) return [];
    return content.flatMap((part: unknown) => {
      if (!isObject(part)) return [];
      if (part["type"] === "refusal") return refuse(asText(part["refusal"]), keys);
      return say(asText(part["text"]), keys);
    });
  }

  function say(text: string, keys: readonly string[]): ProviderEvent[] {
    if (text !== "") for (const key of keys) said.add(key);
    return answer.say(text);
  }

  function refuse(text: string, keys: readonly string[]): ProviderEvent[] {
    refused = true;
    return say(text, keys);
  }

  function end(event: JsonObject, ending: Stop): ProviderEvent[] {
    const response = isObject(event["response"]) ? event["response"] : {};
    const events: ProviderEvent[] = [];
    const output: readonly Json[] = Array.isArray(response["output"]) ? response["output"] : [];
    // What a server tells only here is taken from here; the rest has come already.
    output.forEach((given, output_index) => {
      const told = { item: given, output_index };
      if (isObject(given) && (given["type"] !== "function_call" || callOf(keysOf(told))?.whole !== true)) events.push(...item(told, true));
    });
    stop = refused ? { kind: "refusal" } : ending;
    return [...events, ...count(response["usage"])];
  }

  function count(usage: unknown): ProviderEvent[] {
    if (!isObject(usage) || !isCount(usage["input_tokens"]) || !isCount(usage["output_tokens"])) return [];
    const { input_tokens: input, output_tokens: output } = usage;
    return [{ type: "usage", usage: countedUsage(input, output, usage, "input_tokens_details") }];
  }

  function read(event: JsonObject): ProviderEvent[] {
    switch (event["type"]) {
      case "response.output_item.added":
        return item(event, false);
      case "response.output_item.done":
        return item(event, true);
      case "response.output_text.delta":
        return say(asText(event["delta"]), keysOf(event));
      case "response.refusal.delta":
        return refuse(asText(event["delta"]), keysOf(event));
      case "response.function_call_arguments.delta": {
        const call = callOf(keysOf(event));
        call?.json.push(asText(event["delta"]));
        return [];
      }
      case "response.function_call_arguments.done": {
        const call = callOf(keysOf(event));
        if (!call) return [];
        if (typeof event["arguments"] === "string" && event["arguments"] !== "") call.final = event["arguments"];
        call.closed = true;
        return [];
      }
      case "response.completed":
        return end(event, { kind: "end" });
      case "response.incomplete":
        return end(event, incomplete(event["response"]));
      case "response.failed": {
        const response = isObject(event["response"]) ? event["response"] : {};
        const failure = isObject(response["error"]) ? response["error"] : { message: "The response failed." };
        if (failure["code"] === "context_length_exceeded") return end(event, { kind: "context_window" });
        throw new ErrorEvent({ error: failure });
      }
      case "response.created":
      case "response.in_progress":
      case "response.queued":
      case "response.content_part.added":
      case "response.content_part.done":
      case "response.output_text.done":
        return [];
      default:
        known--;
        return [];
    }
  }

  return {
    get ended() {
      return stop !== null;
    },
    get over() {
      return stop !== null;
    },
    get shown() {
      return answer.shown;
    },
    get known() {
      return known;
    },
    push(event) {
      if (!isObject(event) || stop !== null) return [];
      known++;
      return read(event);
    },
    finish: (cut) => answer.finish(cut ?? stop ?? { kind: "end" }),
  };
}

function incomplete(response: unknown): Stop {
  const details = isObject(response) && isObject(response["incomplete_details"]) ? response["incomplete_details"] : {};
  return { kind: details["reason"] === "content_filter" ? "refusal" : "max_tokens" };
}

/** The one event that a stream would have ended with, of a response that came whole. */
export function eventsOfWhole(response: JsonObject): readonly JsonObject[] | null {
  if (response["object"] !== "response" && !Array.isArray(response["output"])) return null;
  const status = response["status"];
  return [{ type: status === "incomplete" || status === "failed" ? `response.${status}` : "response.completed", response }];
}
