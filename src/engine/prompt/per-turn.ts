import type { Turn } from "./turns.ts";

/**
 * What a wire makes of each turn, made once: a turn is a value, and so is what is made of it. It is frozen, so that anyone who writes
 * it down can keep that text too (`providers/body-json.ts`).
 */
export function perTurn<K extends Turn, P extends object>(make: (turn: K) => readonly P[]): (turn: K) => readonly P[] {
  const made = new WeakMap<K, readonly P[]>();
  return (turn) => {
    const known = made.get(turn);
    if (known) return known;
    const parts = make(turn).map((part) => Object.freeze(part));
    made.set(turn, parts);
    return parts;
  };
}
