import { onTestFinished } from "vitest";
import type { Dialog } from "../../../src/engine/format/model.ts";
import { type ClaudeSettings, claudeProvider, defaultBaseURL } from "../../../src/engine/providers/claude/index.ts";
import type { ProviderDeps } from "../../../src/engine/providers/deps.ts";
import type { Provider, ProviderEvent, ProviderRequest, Stop } from "../../../src/engine/providers/provider.ts";
import { type ClaudeStandIn, type StandInOptions, startClaude } from "../../stand-in/claude.ts";
import { dialog, user } from "../../history/notation.ts";
import { type ManualTimers, manualTimers } from "../timers.ts";

export interface Bench {
  readonly api: ClaudeStandIn;
  readonly timers: ManualTimers;
  readonly provider: Provider;
  /** Settings as they are now; a test may change them between requests. */
  readonly settings: { -readonly [key in keyof ClaudeSettings]: ClaudeSettings[key] };
  /** Whether the device has a network. */
  readonly network: { up: boolean };
}

export interface BenchOptions extends StandInOptions {
  /** The provider believes to talk to api.anthropic.com. */
  readonly official?: true;
  readonly fetch?: typeof fetch;
}

/** The provider on real HTTP against the stand-in, with a clock of the test's own. */
export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const api = await startClaude(options);
  onTestFinished(() => api.close());
  const timers = manualTimers();
  const network = { up: true };
  const settings = { apiKey: api.key, baseURL: options.official ? defaultBaseURL : api.url };
  const real: typeof fetch = (input, init) =>
    fetch((input instanceof Request ? input.url : input.toString()).replace(defaultBaseURL, api.url), init);
  const deps: ProviderDeps = { fetch: options.fetch ?? real, timers, random: () => 0, online: () => network.up };
  return { api, timers, settings, network, provider: claudeProvider(() => settings, deps) };
}

/** The provider on an answer that the test makes itself, without a network. */
export function providerOn(answer: typeof fetch, timers: ManualTimers = manualTimers(), settings: Partial<ClaudeSettings> = {}): Provider {
  const deps: ProviderDeps = { fetch: answer, timers, random: () => 0, online: () => true };
  return claudeProvider(() => ({ apiKey: "sk-ant-key", baseURL: defaultBaseURL, ...settings }), deps);
}

export const hi: Dialog = dialog(user("hi"));

export function request(more: Partial<ProviderRequest> = {}): ProviderRequest {
  const runCommand = {
    name: "run_command",
    description: "Runs a command.",
    inputSchema: { type: "object", properties: { command: { type: "string" } } },
  };
  return { dialog: hi, model: "claude-sonnet-5-5", system: "You are an agent.", tools: [runCommand], ...more };
}

/** All events of one response. `on` is called at each; with `timers`, the wait before a retry is over at once. */
export async function collect(
  provider: Provider,
  options: {
    request?: ProviderRequest;
    signal?: AbortSignal;
    timers?: ManualTimers;
    on?: (event: ProviderEvent, index: number) => void;
  } = {},
): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of provider.stream(options.request ?? request(), options.signal ?? new AbortController().signal)) {
    events.push(event);
    options.on?.(event, events.length - 1);
    if (event.type === "retry" && options.timers) setImmediate(() => options.timers?.advance(event.delayMs));
  }
  return events;
}

/** Events in few words: texts joined, then calls, then the end. */
export function summary(events: readonly ProviderEvent[]): string[] {
  const words: string[] = [];
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
    close();
    if (event.type === "call")
      words.push(`${event.name}[${event.id}]${event.input.ok ? JSON.stringify(event.input.value) : ` invalid ${event.input.raw}`}`);
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

/** The line that a human reads about what went wrong. */
export function messageOf(events: readonly ProviderEvent[]): string {
  const stop = stopOf(events);
  return "message" in stop ? stop.message : "";
}

/** Waits, a turn of the event loop at a time, until something is so. */
export async function until(is: () => boolean): Promise<void> {
  for (let turn = 0; !is(); turn++) {
    if (turn > 100_000) throw new Error("it never came to be");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
