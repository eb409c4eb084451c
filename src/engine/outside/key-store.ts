/** A stored agent key, without the key itself. */
export interface KeptAgentKey {
  /** Eight hexadecimal digits. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** ISO 8601. */
  readonly made: string;
}

/** Stores the keys of agents outside Vibey per browser and project, so that exports don't contain them. */
export interface AgentKeyStore {
  read(): Promise<readonly KeptAgentKey[]>;
  write(keys: readonly KeptAgentKey[]): Promise<void>;
}

export function memoryAgentKeys(): AgentKeyStore {
  let kept: readonly KeptAgentKey[] = [];
  return { read: async () => kept, write: async (keys) => void (kept = keys) };
}

/** Reads the stored keys. Leaves out entries that Vibey didn't write. */
export function readKeptKeys(stored: unknown): KeptAgentKey[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown) => (isKept(one) ? [one] : []));
}

function isKept(one: unknown): one is KeptAgentKey {
  return (
    typeof one === "object" &&
    one !== null &&
    ["id", "name", "hash", "made"].every((field) => typeof Object.getOwnPropertyDescriptor(one, field)?.value === "string")
  );
}
