/** Limits how often something may happen in a period, separately for each network address. */
export interface Counts {
  /** Whether the limit is reached for this address. */
  isFull(address: string): boolean;
  add(address: string): void;
}

/** The most addresses that are kept. */
const maxAddresses = 1_000;

export function createCounts(most: number, whileMs: number, now: () => number): Counts {
  const seen = new Map<string, { readonly since: number; count: number }>();
  const current = (address: string) => {
    const found = seen.get(networkOf(address));
    return found && now() - found.since < whileMs ? found : null;
  };
  return {
    isFull: (address) => (current(address)?.count ?? 0) >= most,
    add(address) {
      const known = current(address);
      if (known) {
        known.count += 1;
        return;
      }
      const name = networkOf(address);
      seen.delete(name);
      seen.set(name, { since: now(), count: 1 });
      for (const oldest of seen.keys()) if (seen.size > maxAddresses) seen.delete(oldest);
    },
  };
}

/** The address to count. IPv6 addresses are reduced to the network's four groups, because a device can freely choose addresses in its network. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  return plain.includes(":") && plain !== "::1" ? plain.split(":").slice(0, 4).join(":") : plain;
}
