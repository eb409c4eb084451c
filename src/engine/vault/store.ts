/**
 * Where a vault's record is kept: of this device, not of the project, so that no export carries it. Each write names the revision that it was
 * made of, so that an engine that was replaced meanwhile brings nothing back.
 */
export interface VaultStore {
  /** `record` is null when there is none, and not checked. */
  read(): Promise<Stored>;
  /** Null removes the record. False: someone else has written since `revision`, and nothing is stored. */
  write(record: unknown, revision: number): Promise<boolean>;
}

export interface Stored {
  readonly record: unknown;
  readonly revision: number;
}

export function memoryVaultStore(): VaultStore {
  let stored: Stored = { record: null, revision: 0 };
  return {
    read: async () => stored,
    async write(record, revision) {
      if (stored.revision !== revision) return false;
      stored = { record: structuredClone(record), revision: revision + 1 };
      return true;
    },
  };
}
