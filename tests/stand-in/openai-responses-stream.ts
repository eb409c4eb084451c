import { pieces, type Reply, type ReplyBlock } from "./reply.ts";
import type { WayFaults, WireEvent } from "./serve.ts";

/** Ways in which a stream of Responses fails or looks unusual. */
export interface ResponsesFaults extends WayFaults {
  /** Leaves out the event that says how the response ended. */
  readonly noEnd?: true;
  readonly unknownEvents?: true;
  /** Leaves out the lines `event: …`. */
  readonly noEventLines?: true;
  /** Sends an error after this many events and then the end: as a separate event, or as a failed response. */
  readonly errorAfter?: {
    readonly events: number;
    readonly type: string;
    readonly message: string;
    readonly code?: string;
    readonly how?: "event" | "failed";
  };
}

interface Item {
  /** Events between the one that adds the item and the one that completes it. */
  readonly events: readonly WireEvent[];
  readonly added: WireEvent;
  readonly done: WireEvent;
}

/** `stop` is a status with its reason: `completed`, `incomplete max_output_tokens`, `incomplete content_filter`, `failed <code>`. */
export function responseEventsOf(reply: Reply): WireEvent[] {
  const usage = reply.usage === undefined ? { input: 10, output: 5 } : reply.usage;
  const [status = "completed", reason = ""] = (reply.stop ?? "completed").split(" ");
  const items = [
    ...reply.blocks.map((block, index) => itemOf(block, index)),
    ...(reply.refusal === undefined ? [] : [refusalItem(reply.refusal, reply.blocks.length)]),
  ];
  const response = (now: string, output: readonly WireEvent[]): WireEvent => ({
    id: "resp_1",
    object: "response",
    created_at: 1_795_000_000,
    status: now,
    error: now === "failed" ? { code: reason, message: `The response failed: ${reason}.` } : null,
    incomplete_details: now === "incomplete" ? { reason } : null,
    model: "gpt-6.1-sol",
    output,
    store: false,
    usage:
      now === "in_progress" || usage === null
        ? null
        : {
            input_tokens: usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0),
            input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + usage.output,
          },
  });
  const events: WireEvent[] = [
    { type: "response.created", response: response("in_progress", []) },
    { type: "response.in_progress", response: response("in_progress", []) },
    ...items.flatMap(({ added, events: between, done }, output_index) => [
      { type: "response.output_item.added", output_index, item: added },
      ...between,
      { type: "response.output_item.done", output_index, item: done },
    ]),
    {
      type: `response.${status}`,
      response: response(
        status,
        items.map(({ done }) => done),
      ),
    },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

function itemOf(block: ReplyBlock, output_index: number): Item {
  if ("text" in block) return messageItem(block.text, output_index);
  if ("call" in block) {
    const json = block.json ?? (block.input === undefined ? "{}" : JSON.stringify(block.input));
    const item_id = `fc_${output_index}`;
    const item = { id: item_id, type: "function_call", call_id: block.id ?? `call_${output_index}`, name: block.call };
    const deltas = pieces(json).map((delta) => ({
      type: "response.function_call_arguments.delta",
      item_id,
      output_index,
      delta,
      obfuscation: padding(delta),
    }));
    return {
      added: { ...item, status: "in_progress", arguments: "" },
      // An incomplete call is closed like any other; only its status shows it.
      events: [...deltas, { type: "response.function_call_arguments.done", item_id, output_index, arguments: json }],
      done: { ...item, status: block.open ? "incomplete" : "completed", arguments: json },
    };
  }
  if ("thinking" in block) {
    const item = { id: `rs_${output_index}`, type: "reasoning", summary: [] };
    return { added: { ...item, encrypted_content: "" }, events: [], done: { ...item, encrypted_content: "c2VhbGVk" } };
  }
  const item = { id: `ho_${output_index}`, type: "hologram" };
  return { added: item, events: [{ type: "response.hologram.delta", item_id: item.id, output_index, delta: "not for you" }], done: item };
}

function messageItem(text: string, output_index: number): Item {
  const item_id = `msg_${output_index}`;
  const place = { item_id, output_index, content_index: 0 };
  const part = (value: string) => ({ type: "output_text", annotations: [], logprobs: [], text: value });
  const item = { id: item_id, type: "message", role: "assistant" };
  return {
    added: { ...item, status: "in_progress", content: [] },
    events: [
      { type: "response.content_part.added", ...place, part: part("") },
      ...pieces(text).map((delta) => ({ type: "response.output_text.delta", ...place, delta, logprobs: [], obfuscation: padding(delta) })),
      { type: "response.output_text.done", ...place, text, logprobs: [] },
      { type: "response.content_part.done", ...place, part: part(text) },
    ],
    done: { ...item, status: "completed", content: [part(text)] },
  };
}

function refusalItem(refusal: string, output_index: number): Item {
  const item_id = `msg_${output_index}`;
  const place = { item_id, output_index, content_index: 0 };
  const item = { id: item_id, type: "message", role: "assistant" };
  return {
    added: { ...item, status: "in_progress", content: [] },
    events: [
      { type: "response.content_part.added", ...place, part: { type: "refusal", refusal: "" } },
      ...pieces(refusal).map((delta) => ({ type: "response.refusal.delta", ...place, delta })),
      { type: "response.refusal.done", ...place, refusal },
      { type: "response.content_part.done", ...place, part: { type: "refusal", refusal } },
    ],
    done: { ...item, status: "completed", content: [{ type: "refusal", refusal }] },
  };
}

function padding(delta: string): string {
  return "x".repeat(16 - (delta.length % 16));
}

/** The body of the answer, including faults in its text. The server simulates cuts and stalls. */
export function responsesStreamText(reply: Reply, faults: ResponsesFaults = {}): string {
  let events: readonly WireEvent[] = responseEventsOf(reply);
  if (faults.noEnd) events = events.slice(0, -1);
  if (faults.unknownEvents) events = events.flatMap((event) => [event, { type: "response.weather", sky: "clear" }]);
  if (faults.errorAfter) events = [...events.slice(0, faults.errorAfter.events), errorEvent(faults.errorAfter)];
  if (faults.edit) events = faults.edit(events);
  const end = faults.crlf ? "\r\n" : "\n";
  const written = events.map(
    (event) =>
      (faults.comments ? `: keep-alive${end}${end}` : "") +
      (faults.noEventLines ? "" : `event: ${String(event["type"])}${end}`) +
      `data: ${JSON.stringify(event)}${end}${end}`,
  );
  return written.join("");
}

function errorEvent({ type, message, code = type, how = "event" }: NonNullable<ResponsesFaults["errorAfter"]>): WireEvent {
  if (how === "event") return { type: "error", error: { type, code, message, param: null }, sequence_number: 99 };
  return {
    type: "response.failed",
    response: { id: "resp_1", object: "response", status: "failed", error: { code, message }, output: [], usage: null },
    sequence_number: 99,
  };
}
