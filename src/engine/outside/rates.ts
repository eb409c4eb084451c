/** Fixed-window rate limiter with one window per key. Expired windows are dropped. */
export interface Rates {
  /** Counts one event for `key`; false if the limit for this window is reached. */
  take(key: string): boolean;
}

export function createRates(most: number, windowMs: number, now: () => number): Rates {
  const counts = new Map<string, { from: number; count: number }>();
  return {
    take(key) {
      const time = now();
      const known = counts.get(key);
      if (known && time - known.from < windowMs) {
        if (known.count >= most) return false;
        known.count += 1;
        return true;
      }
      if (counts.size >= forgetAt) for (const [other, { from }] of counts) if (time - from >= windowMs) counts.delete(other);
      counts.set(key, { from: time, count: 1 });
      return true;
    },
  };
}

const forgetAt = 1_000;

/** Remembers the last ids. */
export interface SeenIds {
  /** False: the id was seen before. */
  add(id: string): boolean;
  has(id: string): boolean;
}

export function createSeenIds(most: number): SeenIds {
  const seen = new Set<string>();
  return {
    has: (id) => seen.has(id),
    add(id) {
      if (seen.has(id)) return false;
      seen.add(id);
      for (const oldest of seen) {
        if (seen.size <= most) break;
        seen.delete(oldest);
      }
      return true;
    },
  };
}
