import type { Vault, VaultParts } from "./vault.ts";

/** The vault of those who have one, and its code only for them. */
export interface LazyVault {
  /** Null when nothing is remembered and no one has opened it yet. */
  readonly now: () => Vault | null;
  readonly open: () => Promise<Vault>;
}

export async function lazyVault(parts: VaultParts): Promise<LazyVault> {
  let vault: Vault | null = null;
  let loading: Promise<Vault> | undefined;
  const open = () => {
    loading ??= import("./vault.ts")
      .then(({ openVault }) => openVault(parts))
      .then((opened) => (vault = opened))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  if ((await parts.store.read()).record !== null) await open();
  return { now: () => vault, open };
}
