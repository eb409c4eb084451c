import { instead } from "./catalog.ts";

const reasons = new Map(instead.flatMap(([names, why]) => names.split(" ").map((name) => [name, why] as const)));

export const namesNotHere: readonly string[] = [...reasons.keys()];

/** What to do instead of a command that is missing here; null if nothing is known. */
export function reasonNotHere(name: string): string | null {
  return reasons.get(name) ?? null;
}
