import type { KeySnapshot, SharedKeys } from "../vault/keys.ts";

/** The session's keys on their way over a reload, from one worker to another through the service worker's memory. */
export interface CarriedKeys {
  /** Of the project whose worker holds them. */
  readonly name: string;
  readonly keys: KeySnapshot;
}

const isHeld = ([, { key, dataKey }]: KeySnapshot[number]) => key !== null || dataKey != null;

/** null: there is no key in memory. */
export function keysToCarry(keys: SharedKeys, name: string): CarriedKeys | null {
  const snapshot = keys.snapshot();
  return snapshot.some(isHeld) ? { name, keys: snapshot } : null;
}

/** The held ones, counted as the oldest change: changes are numbered by project, so another project's keys only fill in what nothing is known of. */
export const asOldest = (keys: KeySnapshot): KeySnapshot => keys.filter(isHeld).map(([slot, entry]) => [slot, { ...entry, change: 1 }]);

/** Of what several pages handed over, what this project's pages did; where none of them held a key, what one page of another project did. */
export function ownOrOther(handed: readonly CarriedKeys[], name: string): readonly CarriedKeys[] {
  const own = handed.filter((from) => from.name === name);
  return own.length > 0 ? own : handed.slice(0, 1);
}
