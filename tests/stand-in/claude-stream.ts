/** One response of the Messages wire as a test wants it, and how to write it as the stream that the real API sends. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  /** Left out: `tool_use` when there is a call, else `end_turn`. */
  readonly stop?: string | null;
  /** Left out: 10 in, 5 out. null: the server reports none. */
  readonly usage?: ReplyUsage | null;
}

export interface ReplyUsage {
  readonly input: number;
  readonly cacheWrite?: number;
  readonly cacheRead?: number;
  readonly output: number;
}

export type ReplyBlock =
  | { readonly text: string }
  /** `json` is what stands on the wire; left out, `input` as JSON. `open`: the block is never closed. */
  | { readonly call: string; readonly id?: string; readonly input?: unknown; readonly json?: string; readonly open?: true }
  /** As the newest models send it: no text, then a signature. */
  | { readonly thinking: true }
  /** Events of a kind that is not known yet. */
  | { readonly unknown: true };

/** Ways in which a stream goes wrong, or only looks odd. Bytes are counted over the whole body. */
export interface Faults {
  /** The connection is cut after so many bytes. */
  readonly cutAfterBytes?: number;
  /** Nothing more comes after so many bytes, and the connection stays open. */
  readonly stallAfterBytes?: number;
  /** The body is written in pieces of so many bytes. */
  readonly pieceBytes?: number;
  /** Milliseconds between two pieces. */
  readonly pieceMs?: number;
  readonly crlf?: true;
  readonly comments?: true;
  readonly pings?: true;
  readonly unknownEvents?: true;
  readonly noMessageStop?: true;
  readonly secondStart?: true;
  /** The lines `event: …` are missing, as some servers send it. */
  readonly noEventLines?: true;
  /** An `event: error` after so many events, and then the end. */
  readonly errorAfter?: { readonly events: number; readonly type: string; readonly message: string };
  readonly contentType?: string;
}

export function say(text: string): Reply {
  return { blocks: [{ text }] };
}

type WireEvent = { readonly type: string } & { readonly [key: string]: unknown };

export function eventsOf(reply: Reply): WireEvent[] {
  const usage = reply.usage === undefined ? { input: 10, output: 5 } : reply.usage;
  const hasCall = reply.blocks.some((block) => "call" in block);
  const stop = reply.stop === undefined ? (hasCall ? "tool_use" : "end_turn") : reply.stop;
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
    ...reply.blocks.flatMap(blockEvents),
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

/** Cut at code points, three at a time, so that a text has several deltas. */
function pieces(text: string): string[] {
  const points = Array.from(text);
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += 3) cut.push(points.slice(at, at + 3).join(""));
  return cut;
}

/** The body of the answer, faults of its text included; cuts and stalls are the server's to play. */
export function streamText(reply: Reply, faults: Faults = {}): string {
  let events = eventsOf(reply);
  if (faults.noMessageStop) events = events.filter((event) => event.type !== "message_stop");
  if (faults.secondStart) events = events.flatMap((event) => (event.type === "message_start" ? [event, event] : [event]));
  if (faults.unknownEvents) events = events.flatMap((event) => [event, { type: "weather", sky: "clear" }]);
  if (faults.errorAfter) {
    const { events: kept, type, message } = faults.errorAfter;
    events = [...events.slice(0, kept), { type: "error", error: { type, message } }];
  }
  const end = faults.crlf ? "\r\n" : "\n";
  const written = events.map(
    (event) =>
      (faults.comments ? `: keep-alive${end}${end}` : "") +
      (faults.pings ? `event: ping${end}data: {"type": "ping"}${end}${end}` : "") +
      (faults.noEventLines ? "" : `event: ${event.type}${end}`) +
      `data: ${JSON.stringify(event)}${end}${end}`,
  );
  return written.join("");
}
