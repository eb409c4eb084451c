import type { WireEvent } from "../stand-in/serve.ts";

/** How servers of one kind differ: changes to a stream's events, for `faults.edit`. */
type Edit = (events: readonly WireEvent[]) => readonly WireEvent[];

interface ChatCall extends WireEvent {
  readonly index?: number;
  readonly id?: string;
  readonly function: { readonly name?: string; readonly arguments?: string | null };
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly tool_calls?: readonly ChatCall[] } }[];
}

/** Chat Completions: changes each delta of a call. */
export function changeChunks(change: (call: WireEvent) => WireEvent): Edit {
  return (events) => events.map((event) => changeCallsOf(event, (calls) => calls.map((call) => change(call) as ChatCall)));
}

function changeCallsOf(event: WireEvent, change: (calls: readonly ChatCall[]) => readonly ChatCall[]): WireEvent {
  const [choice] = (event as unknown as Chunk).choices;
  const calls = choice?.delta.tool_calls;
  return calls ? { ...event, choices: [{ ...choice, delta: { ...choice.delta, tool_calls: change(calls) } }] } : event;
}

/**
 * Sends each call whole, in one piece, changed by `change`. `change` gets the call's identifying fields and its `arguments` as a string; on Chat
 * Completions also its `index`.
 */
export function changeCalls(change: (call: WireEvent) => WireEvent): Edit {
  return (events) => {
    const [first] = events;
    if (first?.["type"] === "message_start") return wholeBlocks(events);
    if (first?.["type"] === "response.created") return wholeItems(events, change);
    return wholeChatCalls(events, change);
  };
}

function wholeChatCalls(events: readonly WireEvent[], change: (call: WireEvent) => WireEvent): WireEvent[] {
  const pieces = events.flatMap((event) => (event as unknown as Chunk).choices[0]?.delta.tool_calls ?? []);
  return events.flatMap((event) => {
    const [call] = (event as unknown as Chunk).choices[0]?.delta.tool_calls ?? [];
    if (!call) return [event];
    if (call.id === undefined) return [];
    const mine = pieces.filter(({ index }) => index === call.index).map((piece) => piece.function.arguments ?? "");
    const { arguments: json, ...whole } = change({ index: call.index, id: call.id, type: "function", arguments: mine.join("") });
    return [changeCallsOf(event, () => [{ ...whole, function: { name: call.function.name ?? "", arguments: json as string | null } }])];
  });
}

/** Messages: moves the input to the start of the block, as some servers send it. */
function wholeBlocks(events: readonly WireEvent[]): WireEvent[] {
  const deltas = events.filter((event) => isDelta(event, "input_json_delta"));
  return events.flatMap((event) => {
    if (isDelta(event, "input_json_delta")) return [];
    const block = event["content_block"] as WireEvent | undefined;
    if (block?.["type"] !== "tool_use") return [event];
    const json = deltas
      .filter(({ index }) => index === event["index"])
      .map(({ delta }) => (delta as { partial_json: string }).partial_json);
    return [{ ...event, content_block: { ...block, input: JSON.parse(json.join("")) as unknown } }];
  });
}

function wholeItems(events: readonly WireEvent[], change: (call: WireEvent) => WireEvent): WireEvent[] {
  const changed = (value: unknown): unknown => {
    const item = value as WireEvent;
    return item["type"] === "function_call" && item["arguments"] !== "" ? change(item) : item;
  };
  return events
    .filter(({ type }) => type !== "response.function_call_arguments.delta")
    .map((event) => {
      if (event["type"] === "response.function_call_arguments.done") return { ...event, ...change(event) };
      if ("item" in event) return { ...event, item: changed(event["item"]) };
      const response = event["response"] as { output?: readonly unknown[] } | undefined;
      return response?.output ? { ...event, response: { ...response, output: response.output.map(changed) } } : event;
    });
}

function isDelta(event: WireEvent, type: string): boolean {
  return (event["delta"] as { type?: string } | undefined)?.type === type;
}

/** Drops events whose type matches. */
export function dropEvents(types: RegExp): Edit {
  return (events) => events.filter(({ type }) => !types.test(String(type)));
}

/** Removes the ids of all calls. */
export const withoutCallId: Edit = (events) =>
  events.map((event) => {
    const block = event["content_block"] as WireEvent | undefined;
    if (block?.["type"] === "tool_use") return { ...event, content_block: withoutKey(block, "id") };
    const item = event["item"] as WireEvent | undefined;
    if (item?.["type"] === "function_call") return { ...event, item: withoutKey(item, "call_id") };
    return "choices" in event ? changeCallsOf(event, (calls) => calls.map((call) => withoutKey(call, "id") as ChatCall)) : event;
  });

function withoutKey(value: WireEvent, key: string): WireEvent {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
