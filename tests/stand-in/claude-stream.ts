import { pieces, type Reply, type ReplyBlock } from "./reply.ts";
import type { WayFaults, WireEvent } from "./serve.ts";

export { type Reply, say } from "./reply.ts";

/** Ways in which a stream of the Messages API fails or looks unusual. */
export interface Faults extends WayFaults {
  readonly pings?: true;
  readonly unknownEvents?: true;
  readonly noEnd?: true;
  readonly secondStart?: true;
  /** Leaves out the lines `event: …`, as some servers do. */
  readonly noEventLines?: true;
  /** Sends an `event: error` after this many events, and then the end. */
  readonly errorAfter?: { readonly events: number; readonly type: string; readonly message: string };
}

export function eventsOf(reply: Reply): WireEvent[] {
  const usage = reply.usage === undefined ? { input: 10, output: 5 } : reply.usage;
  const hasCall = reply.blocks.some((block) => "call" in block);
  const stop = reply.stop === undefined ? (reply.refusal !== undefined ? "refusal" : hasCall ? "tool_use" : "end_turn") : reply.stop;
  const counts = usage && {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite ?? 0,
    cache_read_input_tokens: usage.cacheRead ?? 0,
  };
  return [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-sonnet-5-5",
        content: [],
        stop_reason: null,
        ...(counts && { usage: { ...counts, output_tokens: 1 } }),
      },
    },
    // This API has no block for a refusal: its words are text, and the stop reason says what they are.
    ...[...reply.blocks, ...(reply.refusal === undefined ? [] : [{ text: reply.refusal }])].flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      ...(usage && { usage: { ...counts, output_tokens: usage.output } }),
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: ReplyBlock, index: number): WireEvent[] {
  const start = (content_block: object): WireEvent => ({ type: "content_block_start", index, content_block });
  const delta = (value: object): WireEvent => ({ type: "content_block_delta", index, delta: value });
  const stop: WireEvent = { type: "content_block_stop", index };
  if ("text" in block) {
    return [start({ type: "text", text: "" }), ...pieces(block.text).map((text) => delta({ type: "text_delta", text })), stop];
  }
  if ("call" in block) {
    const json = block.json ?? (block.input === undefined ? "" : JSON.stringify(block.input));
    return [
      start({ type: "tool_use", id: block.id ?? `toolu_${index}`, name: block.call, input: {} }),
      delta({ type: "input_json_delta", partial_json: "" }),
      ...pieces(json).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
      ...(block.open ? [] : [stop]),
    ];
  }
  if ("thinking" in block) {
    return [start({ type: "thinking", thinking: "", signature: "" }), delta({ type: "signature_delta", signature: "c2lnbmVk" }), stop];
  }
  return [start({ type: "hologram", data: "?" }), delta({ type: "hologram_delta", text: "not for you" }), stop];
}

/** The body of the answer, including faults in its text. The server simulates cuts and stalls. */
export function streamText(reply: Reply, faults: Faults = {}): string {
  let events: readonly WireEvent[] = eventsOf(reply);
  if (faults.noEnd) events = events.filter((event) => event["type"] !== "message_delta" && event["type"] !== "message_stop");
  if (faults.secondStart) events = events.flatMap((event) => (event["type"] === "message_start" ? [event, event] : [event]));
  if (faults.unknownEvents) events = events.flatMap((event) => [event, { type: "weather", sky: "clear" }]);
  if (faults.errorAfter) {
    const { events: kept, type, message } = faults.errorAfter;
    events = [...events.slice(0, kept), { type: "error", error: { type, message } }];
  }
  if (faults.edit) events = faults.edit(events);
  const end = faults.crlf ? "\r\n" : "\n";
  const written = events.map(
    (event) =>
      (faults.comments ? `: keep-alive${end}${end}` : "") +
      (faults.pings ? `event: ping${end}data: {"type": "ping"}${end}${end}` : "") +
      (faults.noEventLines ? "" : `event: ${String(event["type"])}${end}`) +
      `data: ${JSON.stringify(event)}${end}${end}`,
  );
  return written.join("");
}
