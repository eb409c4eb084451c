import { claudeProvider } from "../../src/engine/providers/claude/index.ts";
import { defaultBaseURL as claudeURL } from "../../src/engine/providers/claude/defaults.ts";
import type { ProviderDeps } from "../../src/engine/providers/deps.ts";
import type { ProviderKind } from "../../src/engine/providers/provider-registry.ts";
import { defaultBaseURL as openaiURL } from "../../src/engine/providers/openai/defaults.ts";
import { openaiProvider } from "../../src/engine/providers/openai/index.ts";
import { type ManualTimers, manualTimers } from "../engine/providers/timers.ts";
import type { Wire } from "../stand-in/wire.ts";

/** The parts of the provider's world that a test controls. */
export interface World {
  readonly timers: ManualTimers;
  readonly network: { up: boolean };
  readonly deps: ProviderDeps;
  /** The requested addresses, as the provider meant them. */
  readonly asked: string[];
}

/** Redirects official addresses to the stand-ins, so that a provider treats them as the official servers. */
export function worldOf(...wires: readonly Wire[]): World {
  const timers = manualTimers();
  const network = { up: true };
  const asked: string[] = [];
  const real: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    asked.push(url);
    if (!network.up) return Promise.reject(new TypeError("Failed to fetch"));
    const wire = wires.find(({ provider }) => url.startsWith(official[provider]));
    return fetch(wire ? url.replace(official[wire.provider], wire.url) : url, init);
  };
  return { timers, network, asked, deps: { fetch: real, timers, random: () => 0, online: () => network.up } };
}

/** The addresses of the providers' own servers, without a path. */
export const official = { claude: "https://api.anthropic.com", openai: "https://api.openai.com" } as const;

export function kindsOf(deps: ProviderDeps): ProviderKind[] {
  return [
    {
      name: "claude",
      defaultModel: "claude-sonnet-5-5",
      defaultBaseURL: claudeURL,
      make: (settings, memory) => claudeProvider(settings, deps, memory),
    },
    {
      name: "openai",
      defaultModel: "gpt-5.5",
      defaultBaseURL: openaiURL,
      make: (settings, memory) => openaiProvider(settings, deps, memory),
    },
  ];
}
