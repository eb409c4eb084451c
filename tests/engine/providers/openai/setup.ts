import { onTestFinished } from "vitest";
import type { ProviderDeps } from "../../../../src/engine/providers/deps.ts";
import { defaultBaseURL } from "../../../../src/engine/providers/openai/defaults.ts";
import { openaiProvider } from "../../../../src/engine/providers/openai/index.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../../../../src/engine/providers/provider.ts";
import type { WireSettings } from "../../../../src/engine/providers/target.ts";
import { type OpenAiOptions, type OpenAiStandIn, startOpenAi } from "../../../stand-in/openai.ts";
import { type CollectOptions, collectOf, requestOf } from "../events.ts";
import { testMemory } from "../memory.ts";
import { type ManualTimers, manualTimers } from "../timers.ts";

export { messageOf, stopOf, summary, until } from "../events.ts";

export interface Bench {
  readonly api: OpenAiStandIn;
  readonly timers: ManualTimers;
  readonly provider: Provider;
  readonly memory: ReturnType<typeof testMemory>;
  /** The current settings. A test may change them between requests. */
  readonly settings: { -readonly [key in keyof WireSettings]: WireSettings[key] };
  /** Whether the device has a network. */
  readonly network: { up: boolean };
}

export interface BenchOptions extends OpenAiOptions {
  /** The provider believes that it talks to api.openai.com. */
  readonly official?: true;
  readonly fetch?: typeof fetch;
}

/** The provider on real HTTP against the stand-in, with a clock that the test controls. */
export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const api = await startOpenAi(options);
  onTestFinished(() => api.close());
  const timers = manualTimers();
  const network = { up: true };
  const memory = testMemory();
  const settings = { apiKey: api.key, baseURL: options.official ? defaultBaseURL : api.url };
  const real: typeof fetch = (input, init) =>
    fetch((input instanceof Request ? input.url : input.toString()).replace(defaultBaseURL, api.url), init);
  const deps: ProviderDeps = { fetch: options.fetch ?? real, timers, random: () => 0, online: () => network.up };
  return { api, timers, settings, network, memory, provider: openaiProvider(() => settings, deps, memory) };
}

/** The provider with answers that the test makes itself, without a network. */
export function providerOn(
  answer: typeof fetch,
  { timers = manualTimers(), memory = testMemory(), ...settings }: Partial<WireSettings & Pick<Bench, "timers" | "memory">> = {},
): Provider {
  const deps: ProviderDeps = { fetch: answer, timers, random: () => 0, online: () => true };
  return openaiProvider(() => ({ apiKey: "sk-proj-key", baseURL: "https://llm.example/v1", ...settings }), deps, memory);
}

/** A model for each of the two APIs on api.openai.com. */
export const chatModel = "gpt-5.5";
export const responsesModel = "gpt-6.1-sol";

export function request(more: Partial<ProviderRequest> = {}): ProviderRequest {
  return requestOf(chatModel, more);
}

export function collect(
  provider: Provider,
  { request: asked = request(), ...options }: CollectOptions & { readonly request?: ProviderRequest } = {},
): Promise<ProviderEvent[]> {
  return collectOf(provider, asked, options);
}
