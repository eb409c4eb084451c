import type { KeySnapshot, SharedKeys } from "../vault/keys.ts";

/** The session's keys during a reload, on their way from one worker to another through the service worker's memory. */
export interface CarriedKeys {
  /** The project whose worker has them. */
  readonly name: string;
  readonly keys: KeySnapshot;
}

const isHeld = ([, { key, dataKey }]: KeySnapshot[number]) => key !== null || dataKey != null;

/** Null if there is no key in memory. */
export function keysToCarry(keys: SharedKeys, name: string): CarriedKeys | null {
  const snapshot = keys.snapshot();
  return snapshot.some(isHeld) ? { name, keys: snapshot } : null;
}

/**
 * The keys in memory, marked as the oldest change. Changes are numbered per project, so another project's keys only fill slots that are still
 * unknown.
 */
export const asOldest = (keys: KeySnapshot): KeySnapshot => keys.filter(isHeld).map(([slot, entry]) => [slot, { ...entry, change: 1 }]);

/** Selects from what several pages handed over: the keys of this project's pages or, if there are none, those of one page of another project. */
export function ownOrOther(handed: readonly CarriedKeys[], name: string): readonly CarriedKeys[] {
  const own = handed.filter((from) => from.name === name);
  return own.length > 0 ? own : handed.slice(0, 1);
}
