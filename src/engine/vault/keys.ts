import type { ProviderName } from "../providers/provider.ts";

/**
 * The provider keys: in the memory of the engine's workers, for this session. A key is bound to the origin that it was entered
 * for; asked for with another base URL it is dropped. What outlives the session is in the vault, encrypted.
 */
export interface Keys {
  set(provider: ProviderName, key: string, baseURL: string): void;
  /** The key, when it was entered for this base URL's origin; else null, and it is forgotten. */
  get(provider: ProviderName, baseURL: string): string | null;
  forget(provider: ProviderName): void;
  /** The origin that the key in memory is for; null: there is none. Forgets nothing. */
  originOf(provider: ProviderName): string | null;
  /** What the vault is encrypted with, while it is unlocked; it can be used and not be read. */
  dataKey(): CryptoKey | null;
  /** null locks the vault; keys that came out of it are the caller's to forget. */
  holdDataKey(dataKey: CryptoKey | null): void;
}

/** What the user locked or forgot in one project, for the engines of the others. It holds no key. */
export interface DroppedKeys {
  readonly keys: readonly { readonly provider: ProviderName; readonly origin: string }[];
  /** The vault is locked or gone. */
  readonly vault: boolean;
}

/** Takes from memory what was dropped elsewhere. */
export function drop(keys: Keys, dropped: DroppedKeys): void {
  for (const { provider, origin } of dropped.keys) if (keys.originOf(provider) === origin) keys.forget(provider);
  if (dropped.vault) keys.holdDataKey(null);
}

/**
 * Keys that the workers of all tabs hold in common, so that each of them can become the engine without asking again. Of two
 * changes of one provider's key the later wins, also when the later one was to forget it.
 */
export interface SharedKeys extends Keys {
  /** All that is known, for another worker of this origin and for no one else. */
  snapshot(): KeySnapshot;
  /** Takes over what is newer than what is known. */
  merge(others: KeySnapshot): void;
  /** Calls `listener` after each change, a merged one included; returns the way to stop. */
  observe(listener: () => void): () => void;
}

export type KeySnapshot = readonly (readonly [Slot, KeyEntry])[];

/** Of the vault there is the data key alone. */
type Slot = ProviderName | "vault";

export interface KeyEntry {
  /** null: it was forgotten. */
  readonly key: string | null;
  readonly origin: string;
  /** Grows with every change that is known; no clock, since those of two tabs may differ. */
  readonly change: number;
  /** The vault's. */
  readonly dataKey?: CryptoKey | null;
}

export function memoryKeys(): SharedKeys {
  const kept = new Map<Slot, KeyEntry>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const put = (slot: Slot, entry: Omit<KeyEntry, "change">) => {
    const change = 1 + Math.max(0, ...[...kept.values()].map((other) => other.change));
    kept.set(slot, { ...entry, change });
    changed();
  };
  const forget = (provider: ProviderName) => {
    if (kept.get(provider)?.key != null) put(provider, { key: null, origin: "" });
  };
  return {
    set: (provider, key, baseURL) => put(provider, { key, origin: new URL(baseURL).origin }),
    get(provider, baseURL) {
      const entry = kept.get(provider);
      if (!entry || entry.key === null) return null;
      if (entry.origin === new URL(baseURL).origin) return entry.key;
      forget(provider);
      return null;
    },
    forget,
    originOf(provider) {
      const entry = kept.get(provider);
      return entry?.key == null ? null : entry.origin;
    },
    dataKey: () => kept.get("vault")?.dataKey ?? null,
    holdDataKey(dataKey) {
      if ((kept.get("vault")?.dataKey ?? null) !== dataKey) put("vault", { key: null, origin: "", dataKey });
    },
    snapshot: () => [...kept],
    merge(others) {
      const newer = others.filter(([slot, { change }]) => change > (kept.get(slot)?.change ?? 0));
      for (const [slot, entry] of newer) kept.set(slot, entry);
      if (newer.length > 0) changed();
    },
    observe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
