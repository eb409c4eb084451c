import type { ProviderName } from "./providers/provider.ts";

/**
 * The provider keys: in this worker's memory, for this session, and nowhere else. A key is bound to the origin that it was
 * entered for; asked for with another base URL it is dropped.
 */
export interface Keys {
  set(provider: ProviderName, key: string, baseURL: string): void;
  /** The key, when it was entered for this base URL's origin; else null, and it is forgotten. */
  get(provider: ProviderName, baseURL: string): string | null;
  forget(provider: ProviderName): void;
}

export function memoryKeys(): Keys {
  const kept = new Map<ProviderName, { readonly key: string; readonly origin: string }>();
  return {
    set: (provider, key, baseURL) => void kept.set(provider, { key, origin: new URL(baseURL).origin }),
    get(provider, baseURL) {
      const entry = kept.get(provider);
      if (!entry) return null;
      if (entry.origin === new URL(baseURL).origin) return entry.key;
      kept.delete(provider);
      return null;
    },
    forget: (provider) => void kept.delete(provider),
  };
}
