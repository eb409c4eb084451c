/**
 * Stores a vault's record for this device, not for the project, so no export contains it. Each write names the revision that it is based on, so an
 * engine that was replaced in the meantime can't restore old data.
 */
export interface VaultStore {
  /** `record` is null if there is none. It is not checked. */
  read(): Promise<Stored>;
  /** Null removes the record. Returns false, and stores nothing, if someone else has written since `revision`. */
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
