import { onTestFinished } from "vitest";
import type { Dialog, JsonObject } from "../../src/dialog/model.ts";
import { type Memory, remembered } from "../../src/engine/providers/memory.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../../src/engine/providers/provider.ts";
import type { Usage } from "../../src/engine/cost/usage.ts";
import { dialog, user } from "../engine/prompt/notation.ts";
import { type Sent, startWire, type Wire, type WireName, type WireOptions } from "../stand-in/wire.ts";
import { kindsOf, official, worldOf, type World } from "./providers.ts";

/** A provider without the engine, for tests that are only about the wire. */
export interface Alone {
  readonly wire: Wire;
  readonly world: World;
  readonly provider: Provider;
  /** The settings as the user typed them. A test may change them between requests. */
  readonly settings: { apiKey: string | null; baseURL: string };
  /** Sends a request and returns the events of its response. */
  readonly ask: (more?: Partial<ProviderRequest>, signal?: AbortSignal) => Promise<ProviderEvent[]>;
  /** What was sent for a dialog; the answer doesn't matter. */
  readonly sentFor: (dialog: Dialog) => Promise<Sent[]>;
}

export async function startAlone(name: WireName, options: WireOptions & { readonly fetch?: typeof fetch } = {}): Promise<Alone> {
  const wire = await startWire(name, options);
  onTestFinished(() => wire.close());
  const world = worldOf(wire);
  const settings = { apiKey: wire.key as string | null, baseURL: official[wire.provider] as string };
  const deps = options.fetch ? { ...world.deps, fetch: options.fetch } : world.deps;
  const kind = kindsOf(deps).find(({ name: of }) => of === wire.provider);
  if (!kind) throw new Error(`no provider ${wire.provider}`);
  const provider = kind.make(() => ({ ...settings }), forgetful());
  const ask: Alone["ask"] = async (more = {}, signal = new AbortController().signal) => {
    const events: ProviderEvent[] = [];
    for await (const event of provider.stream(requestOf(wire, more), signal)) events.push(event);
    return events;
  };
  return {
    wire,
    world,
    provider,
    settings,
    ask,
    async sentFor(given) {
      wire.play({ blocks: [{ text: "Yes." }] });
      const events = await ask({ dialog: given });
      const last = wire.requests.at(-1);
      if (!last || last.refused || endOf(events) !== "end") throw new Error(`${endOf(events)}: ${last?.refused?.message}`);
      return wire.sent(last);
    },
  };
}

export function requestOf(wire: Wire, more: Partial<ProviderRequest> = {}): ProviderRequest {
  const inputSchema: JsonObject = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  return {
    dialog: dialog(user("hi")),
    model: wire.model,
    system: "You are an agent.",
    tools: [{ name: "run_command", description: "Runs a command.", inputSchema }],
    tokensSoFar: null,
    maxTokens: null,
    ...more,
  };
}

/** A memory that lasts as long as the test. */
function forgetful(): Memory {
  let all: Record<string, JsonObject> = {};
  return {
    read: (key) => all[key] ?? null,
    write: (key, value) => {
      all = remembered(all, key, value);
    },
  };
}

/** A response in a short form: the joined texts, then the calls, then how it ended. */
export function words(events: readonly ProviderEvent[]): string[] {
  const said: string[] = [];
  let text = "";
  const close = () => {
    if (text !== "") said.push(JSON.stringify(text));
    text = "";
  };
  for (const event of events) {
    if (event.type === "text") text += event.text;
    if (event.type === "call" || event.type === "retry" || event.type === "end") close();
    if (event.type === "call") {
      said.push(`${event.name}[${event.id}] ${event.input.ok ? JSON.stringify(event.input.value) : `invalid ${event.input.raw}`}`);
    }
    if (event.type === "retry") said.push("retry");
  }
  return [...said, endOf(events)];
}

export function endOf(events: readonly ProviderEvent[]): string {
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error("the stream has no end");
  return last.stop.kind === "error" ? `error ${last.stop.reason}` : last.stop.kind;
}

/** The line that tells the user what went wrong. */
export function lineOf(events: readonly ProviderEvent[]): string {
  const last = events.at(-1);
  return last?.type === "end" && "message" in last.stop ? last.stop.message : "";
}

/** The last reported usage, or null. */
export function usageOf(events: readonly ProviderEvent[]): Usage | null {
  return events.flatMap((event) => (event.type === "usage" ? [event.usage] : [])).at(-1) ?? null;
}

/** Waits, one turn of the event loop at a time, until `is` returns true. */
export async function until(is: () => boolean): Promise<void> {
  for (let turn = 0; !is(); turn++) {
    if (turn > 100_000) throw new Error("it never came to be");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
