import type { ProviderName } from "../providers/provider.ts";

/**
 * The provider keys: in the memory of the engine's workers, for this session. A key is bound to the origin that it was entered for. A request for it
 * with another base URL drops it. Keys that outlive the session are in the vault, encrypted.
 */
export interface Keys {
  set(provider: ProviderName, key: string, baseURL: string): void;
  /** The key, if it was entered for this base URL's origin. Otherwise null, and the key is forgotten. */
  get(provider: ProviderName, baseURL: string): string | null;
  forget(provider: ProviderName): void;
  /** The origin of the key in memory. Null if there is none. Forgets nothing. */
  originOf(provider: ProviderName): string | null;
  /** The key that encrypts the vault, while the vault is unlocked. It can be used but not read. */
  dataKey(): CryptoKey | null;
  /** Null locks the vault. The caller has to forget the keys that came from it. */
  holdDataKey(dataKey: CryptoKey | null): void;
}

/** What the user locked or forgot in one project, for the engines of the others. Contains no key. */
export interface DroppedKeys {
  readonly keys: readonly { readonly provider: ProviderName; readonly origin: string }[];
  /** The vault is locked or deleted. */
  readonly vault: boolean;
}

/** Removes from memory what was dropped elsewhere. */
export function drop(keys: Keys, dropped: DroppedKeys): void {
  for (const { provider, origin } of dropped.keys) if (keys.originOf(provider) === origin) keys.forget(provider);
  if (dropped.vault) keys.holdDataKey(null);
}

/**
 * Keys that the workers of all tabs share, so that any of them can become the engine without asking for keys again. Of two changes of one provider's
 * key the later one wins, even if it was to forget the key.
 */
export interface SharedKeys extends Keys {
  /** Everything that is known. Only for other workers of this origin. */
  snapshot(): KeySnapshot;
  /** Takes over entries that are newer than the known ones. */
  merge(others: KeySnapshot): void;
  /** Calls `listener` after each change, including merges. Returns a function that stops it. */
  observe(listener: () => void): () => void;
}

export type KeySnapshot = readonly (readonly [Slot, KeyEntry])[];

/** The vault's slot contains only the data key. */
type Slot = ProviderName | "vault";

export interface KeyEntry {
  /** Null: it was forgotten. */
  readonly key: string | null;
  readonly origin: string;
  /** Increases with every known change. Not a clock, because the clocks of two tabs may differ. */
  readonly change: number;
  /** The vault's data key. */
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
