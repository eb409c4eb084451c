import type { Turn } from "./turns.ts";

/**
 * Converts each turn only once. Turns never change, so neither do the results. They are frozen, so that code that serializes them can cache the
 * text, too (`providers/body-json.ts`).
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
