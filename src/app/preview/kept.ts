interface KeptLimits {
  readonly bytes: number;
  readonly values: number;
}

const limits: KeptLimits = { bytes: 64 * 1024 * 1024, values: 10_000 };

/** A cache of values by name. The least recently used values are dropped when there is no room. Failed values aren't kept. */
export function createKept<Value>(sizeOf: (value: Value) => number, most: KeptLimits = limits) {
  /** In the order of last use, the oldest first. */
  const entries = new Map<string, { readonly value: Promise<Value>; size: number }>();
  let total = 0;

  function drop(name: string) {
    total -= entries.get(name)?.size ?? 0;
    entries.delete(name);
  }

  function makeRoom() {
    for (const oldest of entries.keys()) {
      if (total <= most.bytes && entries.size <= most.values) break;
      drop(oldest);
    }
  }

  return {
    drop,
    clear() {
      entries.clear();
      total = 0;
    },
    /** The cached value, or the one that `make` returns. */
    async get(name: string, make: () => Promise<Value>): Promise<Value> {
      const known = entries.get(name);
      if (known !== undefined) {
        entries.delete(name);
        entries.set(name, known);
        return known.value;
      }
      const entry = { value: make(), size: 0 };
      entries.set(name, entry);
      makeRoom();
      try {
        const value = await entry.value;
        if (entries.get(name) === entry) {
          entry.size = sizeOf(value);
          total += entry.size;
          makeRoom();
        }
        return value;
      } catch (error) {
        if (entries.get(name) === entry) drop(name);
        throw error;
      }
    },
  };
}
