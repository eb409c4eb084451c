import { onTestFinished } from "vitest";
import { defaultBaseURL } from "../../../../src/engine/providers/claude/defaults.ts";
import { claudeProvider } from "../../../../src/engine/providers/claude/index.ts";
import type { ProviderDeps } from "../../../../src/engine/providers/deps.ts";
import type { WireSettings } from "../../../../src/engine/providers/target.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../../../../src/engine/providers/provider.ts";
import { type ClaudeStandIn, type StandInOptions, startClaude } from "../../../stand-in/claude.ts";
import { type CollectOptions, collectOf, requestOf } from "../events.ts";
import { testMemory } from "../memory.ts";
import { type ManualTimers, manualTimers } from "../timers.ts";

export { messageOf, stopOf, summary, until } from "../events.ts";

export interface Bench {
  readonly api: ClaudeStandIn;
  readonly timers: ManualTimers;
  readonly provider: Provider;
  /** The current settings. A test may change them between requests. */
  readonly settings: { -readonly [key in keyof WireSettings]: WireSettings[key] };
  /** Whether the device has a network. */
  readonly network: { up: boolean };
}

export interface BenchOptions extends StandInOptions {
  /** The provider believes that it talks to api.anthropic.com. */
  readonly official?: true;
  readonly fetch?: typeof fetch;
}

/** The provider on real HTTP against the stand-in, with a clock that the test controls. */
export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const api = await startClaude(options);
  onTestFinished(() => api.close());
  const timers = manualTimers();
  const network = { up: true };
  const settings = { apiKey: api.key, baseURL: options.official ? defaultBaseURL : api.url };
  const real: typeof fetch = (input, init) =>
    fetch((input instanceof Request ? input.url : input.toString()).replace(defaultBaseURL, api.url), init);
  const deps: ProviderDeps = { fetch: options.fetch ?? real, timers, random: () => 0, online: () => network.up };
  return { api, timers, settings, network, provider: claudeProvider(() => settings, deps, testMemory()) };
}

/** The provider with answers that the test makes itself, without a network. */
export function providerOn(answer: typeof fetch, timers: ManualTimers = manualTimers(), settings: Partial<WireSettings> = {}): Provider {
  const deps: ProviderDeps = { fetch: answer, timers, random: () => 0, online: () => true };
  return claudeProvider(() => ({ apiKey: "sk-ant-key", baseURL: defaultBaseURL, ...settings }), deps, testMemory());
}

export function request(more: Partial<ProviderRequest> = {}): ProviderRequest {
  return requestOf("claude-sonnet-5-5", more);
}

export function collect(
  provider: Provider,
  { request: asked = request(), ...options }: CollectOptions & { readonly request?: ProviderRequest } = {},
): Promise<ProviderEvent[]> {
  return collectOf(provider, asked, options);
}
