import type { KeyState, ProviderAnswer, ProviderBody } from "../../protocol/index.ts";
import type { Keys } from "../vault/keys.ts";
import type { ProviderSettings, SettingsStore } from "../settings/settings.ts";
import type { LazyVault } from "../vault/lazy-vault.ts";
import { type Memory, remembered, withoutLengths } from "./memory.ts";
import type { ModelList, Provider, ProviderName } from "./provider.ts";
import type { WireSettings } from "./target.ts";

/** A kind of provider: its default model and address, and how to create a provider from its settings. */
export interface ProviderKind {
  readonly name: ProviderName;
  readonly defaultModel: string;
  /** "" if it needs no network and no key. */
  readonly defaultBaseURL: string;
  /** The provider may also be a server on this device, which needs no key. */
  readonly onThisDevice?: true;
  make(settings: () => WireSettings, memory: Memory): Provider;
}

/** The providers with their settings and keys. Keys can be set, but never read. */
export interface ProviderRegistry {
  readonly names: readonly ProviderName[];
  provider(name: string): Provider | null;
  answer(name: string): ProviderAnswer | null;
  /**
   * Stores the given values, which are already checked, and leaves the others. Forgets the token limits learned from refusals. An empty key
   * deletes the key, including the remembered one.
   */
  change(name: string, body: ProviderBody): Promise<ProviderAnswer | null>;
  models(name: string, signal: AbortSignal): Promise<ModelList | null>;
  /** The model to use if none is named. */
  defaultModel(name: string): string | null;
  /** The base URL if the settings have none. */
  defaultBaseURL(name: string): string | null;
  /** Base URLs of all providers: the defaults, and the current ones. */
  bases(): readonly string[];
  /** Current base URLs of the providers that need the network. */
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
      // Before the first `await`: another change may set another base URL in the meantime, and the key was not typed for that one.
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

/** `http:` is only allowed to this device. */
function needsNoKey(kind: ProviderKind, baseURL: string): boolean {
  return baseURL === "" || (kind.onThisDevice === true && /^http:/i.test(baseURL.trim()));
}
