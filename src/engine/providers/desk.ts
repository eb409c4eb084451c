import type { ProviderAnswer, ProviderBody } from "../api.ts";
import type { Keys } from "../keys.ts";
import type { ProviderSettings, SettingsStore } from "../settings.ts";
import type { ModelList, Provider, ProviderName } from "./provider.ts";

/** A provider as the engine knows it: where it is reached by default, and what makes one from its settings. */
export interface ProviderKind {
  readonly name: ProviderName;
  readonly defaultModel: string;
  /** "" when it is reached nowhere: it needs no network and no key. */
  readonly defaultBaseURL: string;
  make(settings: () => { readonly apiKey: string | null; readonly baseURL: string }): Provider;
}

/** The providers with their settings and keys. A key goes in and never comes out. */
export interface ProviderDesk {
  readonly names: readonly ProviderName[];
  provider(name: string): Provider | null;
  answer(name: string): ProviderAnswer | null;
  /** Stores what is given, leaves the rest; the values are checked already. An empty key forgets the key. */
  change(name: string, body: ProviderBody): Promise<ProviderAnswer | null>;
  models(name: string, signal: AbortSignal): Promise<ModelList | null>;
  /** The model that is meant when none is named. */
  defaultModel(name: string): string | null;
}

export async function providerDesk(kinds: readonly ProviderKind[], store: SettingsStore, keys: Keys): Promise<ProviderDesk> {
  const kept = new Map<ProviderName, ProviderSettings>();
  for (const { name } of kinds) kept.set(name, await store.read(name));
  const entries = new Map<string, { readonly kind: ProviderKind; readonly provider: Provider }>();
  for (const kind of kinds) {
    const provider = kind.make(() => {
      const baseURL = baseURLOf(kind);
      return { apiKey: baseURL === "" ? null : keys.get(kind.name, baseURL), baseURL };
    });
    entries.set(kind.name, { kind, provider });
  }

  function baseURLOf(kind: ProviderKind): string {
    return kept.get(kind.name)?.baseURL ?? kind.defaultBaseURL;
  }

  function answer(name: string): ProviderAnswer | null {
    const entry = entries.get(name);
    if (!entry) return null;
    const { kind } = entry;
    const baseURL = baseURLOf(kind);
    const { model = kind.defaultModel } = kept.get(kind.name) ?? {};
    return { configured: baseURL === "" || keys.get(kind.name, baseURL) !== null, baseURL, model };
  }

  return {
    names: kinds.map((kind) => kind.name),
    provider: (name) => entries.get(name)?.provider ?? null,
    answer,
    async change(name, { apiKey, baseURL, model }) {
      const entry = entries.get(name);
      if (!entry) return null;
      const { kind } = entry;
      const next: ProviderSettings = {
        ...kept.get(kind.name),
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(model === undefined ? {} : { model }),
      };
      kept.set(kind.name, next);
      await store.write(kind.name, next);
      if (apiKey === "") keys.forget(kind.name);
      else if (apiKey !== undefined && baseURLOf(kind) !== "") keys.set(kind.name, apiKey, baseURLOf(kind));
      return answer(name);
    },
    models: async (name, signal) => (await entries.get(name)?.provider.models(signal)) ?? null,
    defaultModel: (name) => answer(name)?.model ?? null,
  };
}
