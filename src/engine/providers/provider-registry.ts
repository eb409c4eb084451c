import type { KeyState, ProviderAnswer, ProviderBody } from "../../protocol/index.ts";
import type { Keys } from "../vault/keys.ts";
import type { ProviderSettings, SettingsStore } from "../settings/settings.ts";
import type { LazyVault } from "../vault/lazy-vault.ts";
import { type Memory, remembered, withoutLengths } from "./memory.ts";
import type { ModelList, Provider, ProviderName } from "./provider.ts";
import type { WireSettings } from "./target.ts";

/** A provider as the engine knows it: where it is reached by default, and what makes one from its settings. */
export interface ProviderKind {
  readonly name: ProviderName;
  readonly defaultModel: string;
  /** "" when it is reached nowhere: it needs no network and no key. */
  readonly defaultBaseURL: string;
  /** Servers on this very device are reached with it too, and those want no key. */
  readonly onThisDevice?: true;
  make(settings: () => WireSettings, memory: Memory): Provider;
}

/** The providers with their settings and keys. A key goes in and never comes out. */
export interface ProviderRegistry {
  readonly names: readonly ProviderName[];
  provider(name: string): Provider | null;
  answer(name: string): ProviderAnswer | null;
  /** Stores what is given, leaves the rest; the values are checked already. Forgets what refusals taught of lengths. An empty key forgets the key, the remembered one too. */
  change(name: string, body: ProviderBody): Promise<ProviderAnswer | null>;
  models(name: string, signal: AbortSignal): Promise<ModelList | null>;
  /** The model that is meant when none is named. */
  defaultModel(name: string): string | null;
  /** Where it is reached when nothing else is said. */
  defaultBaseURL(name: string): string | null;
  /** Base URLs of all providers: the usual ones, and those in the settings now. */
  bases(): readonly string[];
  /** Base URLs of the providers that are reached somewhere, as they are now. */
  addresses(): ReadonlyMap<ProviderName, string>;
}

export async function providerRegistry(
  kinds: readonly ProviderKind[],
  store: SettingsStore,
  keys: Keys,
  report: (error: unknown) => void,
  vault: Pick<LazyVault, "now"> = { now: () => null },
): Promise<ProviderRegistry> {
  const kept = new Map<ProviderName, ProviderSettings>();
  for (const { name } of kinds) kept.set(name, await store.read(name));
  const entries = new Map<string, { readonly kind: ProviderKind; readonly provider: Provider }>();
  for (const kind of kinds) {
    const settings = () => {
      const baseURL = baseURLOf(kind);
      return { apiKey: baseURL === "" ? null : keys.get(kind.name, baseURL), baseURL, locked: keyState(kind) === "locked" };
    };
    const provider = kind.make(settings, {
      read: (key) => kept.get(kind.name)?.learned?.[key] ?? null,
      write(key, value) {
        const before = kept.get(kind.name) ?? {};
        const next = { ...before, learned: remembered(before.learned ?? {}, key, value) };
        kept.set(kind.name, next);
        store.write(kind.name, next).catch(report);
      },
    });
    entries.set(kind.name, { kind, provider });
  }

  function baseURLOf(kind: ProviderKind): string {
    return kept.get(kind.name)?.baseURL ?? kind.defaultBaseURL;
  }

  function keyState(kind: ProviderKind): KeyState {
    const baseURL = baseURLOf(kind);
    if (baseURL === "") return "none";
    return vault.now()?.keyState(kind.name) ?? (keys.get(kind.name, baseURL) === null ? "none" : "session");
  }

  function answer(name: string): ProviderAnswer | null {
    const entry = entries.get(name);
    if (!entry) return null;
    const { kind } = entry;
    const baseURL = baseURLOf(kind);
    const { model = kind.defaultModel } = kept.get(kind.name) ?? {};
    return {
      configured: needsNoKey(kind, baseURL) || keys.get(kind.name, baseURL) !== null,
      baseURL,
      model,
      key: keyState(kind),
      remembered: vault.now()?.origins(kind.name) ?? [],
    };
  }

  return {
    names: kinds.map((kind) => kind.name),
    provider: (name) => entries.get(name)?.provider ?? null,
    answer,
    async change(name, { apiKey, baseURL, model }) {
      const entry = entries.get(name);
      if (!entry) return null;
      const { kind } = entry;
      const before = kept.get(kind.name) ?? {};
      const next: ProviderSettings = {
        ...before,
        ...(before.learned === undefined ? {} : { learned: withoutLengths(before.learned) }),
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(model === undefined ? {} : { model }),
      };
      kept.set(kind.name, next);
      // Before anything is waited for: another change may bring another base URL meanwhile, and the key was not typed for that.
      if (apiKey === "") keys.forget(kind.name);
      else if (apiKey !== undefined && baseURLOf(kind) !== "") keys.set(kind.name, apiKey, baseURLOf(kind));
      await store.write(kind.name, next);
      if (baseURLOf(kind) !== "") {
        const followed = await (apiKey === "" ? vault.now()?.forget(kind.name) : vault.now()?.follow(kind.name));
        if (followed?.ok === false) throw new Error(followed.message);
      }
      return answer(name);
    },
    models: async (name, signal) => (await entries.get(name)?.provider.models(signal)) ?? null,
    defaultBaseURL: (name) => entries.get(name)?.kind.defaultBaseURL ?? null,
    defaultModel: (name) => answer(name)?.model ?? null,
    addresses: () => new Map(kinds.map((kind) => [kind.name, baseURLOf(kind)] as const).filter(([, base]) => base !== "")),
    bases: () => kinds.flatMap((kind) => [kind.defaultBaseURL, baseURLOf(kind)]).filter((base) => base !== ""),
  };
}

/** `http:` reaches this device only. */
function needsNoKey(kind: ProviderKind, baseURL: string): boolean {
  return baseURL === "" || (kind.onThisDevice === true && /^http:/i.test(baseURL.trim()));
}
