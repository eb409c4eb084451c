import type { Vault, VaultParts } from "./vault.ts";

/** The vault, whose code is loaded only for users who have one. */
export interface LazyVault {
  /** Null if nothing is saved and no one has opened the vault yet. */
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
