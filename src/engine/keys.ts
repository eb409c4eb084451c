import type { ProviderName } from "./providers/provider.ts";

/**
 * The provider keys: in the memory of the engine's workers, for this session, and nowhere else. A key is bound to the origin
 * that it was entered for; asked for with another base URL it is dropped.
 */
export interface Keys {
  set(provider: ProviderName, key: string, baseURL: string): void;
  /** The key, when it was entered for this base URL's origin; else null, and it is forgotten. */
  get(provider: ProviderName, baseURL: string): string | null;
  forget(provider: ProviderName): void;
}

/**
 * Keys that the workers of all tabs hold in common, so that each of them can become the engine without asking anew. Of two
 * changes of one provider's key the later wins, also when the later one was to forget it.
 */
export interface SharedKeys extends Keys {
  /** All that is known, for another worker of this origin and for nobody else. */
  snapshot(): KeySnapshot;
  /** Takes over what is newer than what is known. */
  merge(others: KeySnapshot): void;
  /** Calls `listener` after each change, a merged one included; returns the way to stop. */
  observe(listener: () => void): () => void;
}

export type KeySnapshot = readonly (readonly [ProviderName, KeyEntry])[];

export interface KeyEntry {
  /** null: it was forgotten. */
  readonly key: string | null;
  readonly origin: string;
  /** Grows with every change that is known; no clock, since those of two tabs may differ. */
  readonly change: number;
}

export function memoryKeys(): SharedKeys {
  const kept = new Map<ProviderName, KeyEntry>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const put = (provider: ProviderName, key: string | null, origin: string) => {
    const change = 1 + Math.max(0, ...[...kept.values()].map((entry) => entry.change));
    kept.set(provider, { key, origin, change });
    changed();
  };
  const forget = (provider: ProviderName) => {
    if (kept.get(provider)?.key != null) put(provider, null, "");
  };
  return {
    set: (provider, key, baseURL) => put(provider, key, new URL(baseURL).origin),
    get(provider, baseURL) {
      const entry = kept.get(provider);
      if (!entry || entry.key === null) return null;
      if (entry.origin === new URL(baseURL).origin) return entry.key;
      forget(provider);
      return null;
    },
    forget,
    snapshot: () => [...kept],
    merge(others) {
      const newer = others.filter(([provider, { change }]) => change > (kept.get(provider)?.change ?? 0));
      for (const [provider, entry] of newer) kept.set(provider, entry);
      if (newer.length > 0) changed();
    },
    observe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
