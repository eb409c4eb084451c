import type { Json, JsonObject } from "../../../dialog/model.ts";
import { isObject } from "../../prompt/json.ts";
import { asJson, asText, createAnswer, isCount, parseInput } from "../answer.ts";
import { ErrorEvent } from "../errors.ts";
import type { ProviderEvent, Stop } from "../provider.ts";
import type { Reading } from "../wire.ts";
import { countedUsage } from "../usage.ts";
import { createItems, isWhole, type Item, type ItemNames, jsonOf } from "./responses-items.ts";

/** Reads the events of one response of the Responses API. */
export function readResponses(): Reading {
  const answer = createAnswer();
  const items = createItems();
  let known = 0;
  let stop: Stop | null = null;
  let refused = false;
  /** The message that said the last text. Null after a call, which separates texts anyway. */
  let lastSaid: Item | null = null;

  function begin(kind: Item["kind"], names: ItemNames, isListed = false): Item {
    const item = items.begin(kind, names, isListed);
    if (kind === "message") return item;
    lastSaid = null;
    answer.begin({
      get id() {
        return item.callId === "" ? item.id : item.callId;
      },
      get name() {
        return item.name;
      },
      get whole() {
        return isWhole(item);
      },
      get closed() {
        return item.closed;
      },
      input: () => parseInput(jsonOf(item)),
    });
    return item;
  }

  /** Reads an item when it is added, when it is done, or in the list at the end. */
  function tell(given: JsonObject, at: number | null, when: "added" | "done" | "listed"): ProviderEvent[] {
    const names = { id: asText(given["id"]), at, callId: asText(given["call_id"]), name: asText(given["name"]) };
    switch (given["type"]) {
      case "function_call":
        return call(items[when]("call", names, isSame(given)) ?? begin("call", names, when === "listed"), given, when !== "added");
      case "reasoning":
        return when === "added" ? [{ type: "thinking" }] : [];
      case "message": {
        const item = items[when]("message", names, hasText(wholeText(given))) ?? begin("message", names, when === "listed");
        const events = when === "added" ? [] : unsaid(given, item);
        if (when !== "added") item.done = true;
        return events;
      }
      default:
        return [];
    }
  }

  function call(item: Item, given: JsonObject, done: boolean): ProviderEvent[] {
    item.name ||= asText(given["name"]);
    if (done && !isWhole(item)) {
      item.final = asJson(given["arguments"]) || item.final;
      item.closed = given["status"] !== "incomplete";
      item.done = true;
    }
    return answer.news();
  }

  /** The text of a complete message that did not arrive in pieces. */
  function unsaid(message: JsonObject, item: Item): ProviderEvent[] {
    if (item.text === "") return contents(message["content"], item);
    const text = wholeText(message);
    refused ||= partsOf(message["content"]).some((part) => part["type"] === "refusal" && asText(part["refusal"]) !== "");
    return text.startsWith(item.text) ? say(text.slice(item.text.length), item) : [];
  }

  function contents(content: unknown, item: Item): ProviderEvent[] {
    return partsOf(content).flatMap((part) =>
      part["type"] === "refusal" ? refuse(asText(part["refusal"]), item) : say(asText(part["text"]), item),
    );
  }

  function say(text: string, item: Item): ProviderEvent[] {
    if (text === "") return [];
    item.text += text;
    // Two messages, such as a comment and the answer, are two paragraphs.
    const gap = lastSaid !== null && lastSaid !== item ? answer.say("\n\n") : [];
    lastSaid = item;
    return [...gap, ...answer.say(text)];
  }

  function refuse(text: string, item: Item): ProviderEvent[] {
    refused = true;
    return say(text, item);
  }

  /** The message that a piece of text belongs to. */
  function messageOf(event: JsonObject): Item {
    const names = namesIn(event);
    return items.ofPiece("message", names) ?? begin("message", names);
  }

  function end(event: JsonObject, ending: Stop): ProviderEvent[] {
    const response = isObject(event["response"]) ? event["response"] : {};
    const output: readonly Json[] = Array.isArray(response["output"]) ? response["output"] : [];
    // Some servers send items only here. All other items have already arrived.
    const events = output.flatMap((given, at) => (isObject(given) ? tell(given, at, "listed") : []));
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
      case "response.output_item.done":
        return isObject(event["item"]) ? tell(event["item"], namesIn(event).at, event["type"].endsWith("added") ? "added" : "done") : [];
      case "response.output_text.delta":
        return say(asText(event["delta"]), messageOf(event));
      case "response.refusal.delta":
        return refuse(asText(event["delta"]), messageOf(event));
      case "response.function_call_arguments.delta":
        items.ofPiece("call", namesIn(event))?.json.push(asText(event["delta"]));
        return [];
      case "response.function_call_arguments.done": {
        const item = items.ofPiece("call", namesIn(event));
        if (!item) return [];
        item.final = asJson(event["arguments"]) || item.final;
        item.closed = true;
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
        throw new ErrorEvent({ error: failure }, count(response["usage"]));
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

function namesIn(event: JsonObject): ItemNames {
  return { id: asText(event["item_id"]), at: isCount(event["output_index"]) ? event["output_index"] : null, callId: "", name: "" };
}

function hasText(text: string): (item: Item) => boolean {
  const words = text.trim();
  return (item) => item.text.trim() === words;
}

/** Whether a call has the same name and input as a given complete one. */
function isSame(given: JsonObject): (item: Item) => boolean {
  const json = asJson(given["arguments"]);
  return (item) => item.name === asText(given["name"]) && jsonOf(item) === json;
}

function partsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function wholeText(message: JsonObject): string {
  return partsOf(message["content"])
    .map((part) => asText(part["type"] === "refusal" ? part["refusal"] : part["text"]))
    .join("");
}

function incomplete(response: unknown): Stop {
  const details = isObject(response) && isObject(response["incomplete_details"]) ? response["incomplete_details"] : {};
  return { kind: details["reason"] === "content_filter" ? "refusal" : "max_tokens" };
}

/** Converts a response that wasn't streamed to the last event of a stream. Null if it isn't a response of this API. */
export function eventsOfWhole(response: JsonObject): readonly JsonObject[] | null {
  if (response["object"] !== "response" && !Array.isArray(response["output"])) return null;
  const status = response["status"];
  return [{ type: status === "incomplete" || status === "failed" ? `response.${status}` : "response.completed", response }];
}
