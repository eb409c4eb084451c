import { pieces, type Reply, type ReplyBlock } from "./reply.ts";
import type { WayFaults, WireEvent } from "./serve.ts";

/** Ways in which a stream of Chat Completions fails or looks unusual. */
export interface ChatFaults extends WayFaults {
  /** Sends neither a finish reason nor `[DONE]`. */
  readonly noEnd?: true;
  /** Sends a finish reason but no `[DONE]`, as some servers do. */
  readonly noDone?: true;
  /** Sends an error object instead of a chunk after this many events, and then `[DONE]`. */
  readonly errorAfter?: { readonly events: number; readonly type: string; readonly message: string; readonly code?: string | number };
}

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_795_000_000, model: "gpt-5.5", service_tier: "default" };

/** `includeUsage`: the request asked for usage with `stream_options`. */
export function chunksOf(reply: Reply, includeUsage = true): WireEvent[] {
  const usage = reply.usage === undefined ? { input: 10, output: 5 } : reply.usage;
  const hasCall = reply.blocks.some((block) => "call" in block);
  const finish = reply.stop === undefined ? (hasCall ? "tool_calls" : "stop") : reply.stop;
  const chunk = (delta: object, finish_reason: string | null = null): WireEvent => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(includeUsage && usage && { usage: null }),
    // Padding, so that the length on the wire doesn't reveal the length of a word.
    obfuscation: "x".repeat(1 + (JSON.stringify(delta).length % 9)),
  });
  let calls = 0;
  const deltas = reply.blocks.flatMap((block) => blockDeltas(block, "call" in block ? calls++ : 0));
  const [first = { content: "" }, ...rest] = [
    ...deltas,
    ...(reply.refusal === undefined ? [] : pieces(reply.refusal).map((refusal) => ({ refusal }))),
  ];
  return [
    ...("tool_calls" in first
      ? [chunk({ role: "assistant", content: null, ...first, refusal: null })]
      : [chunk({ role: "assistant", content: "", refusal: null }), chunk(first)]),
    ...rest.map((delta) => chunk(delta)),
    chunk({}, finish),
    ...(includeUsage && usage
      ? [
          {
            ...head,
            choices: [],
            usage: {
              prompt_tokens: usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0),
              completion_tokens: usage.output,
              total_tokens: usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0) + usage.output,
              prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0, audio_tokens: 0 },
              completion_tokens_details: {
                reasoning_tokens: 0,
                audio_tokens: 0,
                accepted_prediction_tokens: 0,
                rejected_prediction_tokens: 0,
              },
            },
            obfuscation: "xx",
          },
        ]
      : []),
  ];
}

function blockDeltas(block: ReplyBlock, index: number): object[] {
  if ("text" in block) return pieces(block.text).map((content) => ({ content }));
  // This API sends nothing while a model thinks.
  if ("thinking" in block) return [];
  if ("unknown" in block) return [{ hologram: { text: "not for you" } }];
  const json = block.json ?? (block.input === undefined ? "" : JSON.stringify(block.input));
  return [
    { tool_calls: [{ index, id: block.id ?? `call_${index}`, type: "function", function: { name: block.call, arguments: "" } }] },
    ...pieces(json).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ];
}

/** The body of the answer, including faults in its text. The server simulates cuts and stalls. */
export function chatStreamText(reply: Reply, faults: ChatFaults = {}, includeUsage = true): string {
  let events: readonly WireEvent[] = chunksOf(reply, includeUsage);
  if (faults.noEnd) events = events.filter((event) => !isLast(event));
  if (faults.errorAfter) {
    const { events: kept, type, message, code = null } = faults.errorAfter;
    events = [...events.slice(0, kept), { error: { message, type, param: null, code } }];
  }
  if (faults.edit) events = faults.edit(events);
  const end = faults.crlf ? "\r\n" : "\n";
  const written = events.map(
    (event) => `${faults.comments ? `: OPENROUTER PROCESSING${end}${end}` : ""}data: ${JSON.stringify(event)}${end}${end}`,
  );
  return written.join("") + (faults.noEnd || faults.noDone ? "" : `data: [DONE]${end}${end}`);
}

function isLast(event: WireEvent): boolean {
  const choices = event["choices"] as readonly { readonly finish_reason: string | null }[];
  return choices.length === 0 || choices[0]?.finish_reason !== null;
}
