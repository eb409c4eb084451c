import type { Dialog } from "../../../src/dialog/model.ts";
import type { Provider, ProviderEvent, ProviderRequest, Stop } from "../../../src/engine/providers/provider.ts";
import { dialog, user } from "../prompt/notation.ts";
import type { ManualTimers } from "./timers.ts";

const hi: Dialog = dialog(user("hi"));

/** A request like those of an agent. */
export function requestOf(model: string, more: Partial<ProviderRequest> = {}): ProviderRequest {
  const runCommand = {
    name: "run_command",
    description: "Runs a command.",
    inputSchema: { type: "object", properties: { command: { type: "string" } } },
  };
  return { dialog: hi, model, system: "You are an agent.", tools: [runCommand], tokensSoFar: null, maxTokens: null, ...more };
}

export interface CollectOptions {
  readonly signal?: AbortSignal;
  readonly timers?: ManualTimers;
  readonly on?: (event: ProviderEvent, index: number) => void;
}

/** All events of one response. Calls `on` for each. With `timers`, the wait before a retry is over at once. */
export async function collectOf(provider: Provider, request: ProviderRequest, options: CollectOptions = {}): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(request, options.signal ?? new AbortController().signal)) {
    events.push(event);
    options.on?.(event, events.length - 1);
    if (event.type === "retry" && options.timers) setImmediate(() => options.timers?.advance(event.delayMs));
  }
  return events;
}

/** A short form of events in a dialog's order: joined texts, each call where it began, the end. `c[1]…` is a call that was never complete. */
export function summary(events: readonly ProviderEvent[]): string[] {
  const words: string[] = [];
  const begun = new Map<number, number>();
  let text = "";
  const close = () => {
    if (text !== "") words.push(JSON.stringify(text));
    text = "";
  };
  for (const event of events) {
    if (event.type === "text") {
      text += event.text;
      continue;
    }
    if (event.type === "usage") continue;
    if (event.type === "call") {
      const at = begun.get(event.at ?? -1);
      const said = `${event.name}[${event.id}]${event.input.ok ? JSON.stringify(event.input.value) : ` invalid ${event.input.raw}`}`;
      if (at === undefined) throw new Error(`the beginning of ${said} was not told`);
      words[at] = said;
      begun.delete(event.at ?? -1);
      continue;
    }
    close();
    if (event.type === "call_start") begun.set(event.at, words.push(`${event.name}[${event.id}]…`) - 1);
    else if (event.type === "retry") words.push(`retry in ${event.delayMs}`);
    else if (event.type === "end") words.push(stopWord(event.stop));
    else words.push(event.type);
  }
  close();
  return words;
}

function stopWord(stop: Stop): string {
  return stop.kind === "error" ? `error ${stop.reason}` : stop.kind;
}

export function stopOf(events: readonly ProviderEvent[]): Stop {
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error("the stream has no end");
  return last.stop;
}

/** The line that tells the user what went wrong. */
export function messageOf(events: readonly ProviderEvent[]): string {
  const stop = stopOf(events);
  return "message" in stop ? stop.message : "";
}

/** Waits, one turn of the event loop at a time, until `is` returns true. */
export async function until(is: () => boolean): Promise<void> {
  for (let turn = 0; !is(); turn++) {
    if (turn > 100_000) throw new Error("it never came to be");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
