import type { JsonObject } from "../../dialog/model.ts";

/**
 * What a provider has learned about servers and their models, kept between visits.
 *
 * - Reading is at once; what was written is read from then on, and stored behind.
 * - Nothing in it is secret, and nothing in it is needed: what is lost is learned again.
 */
export interface Memory {
  read(key: string): JsonObject | null;
  write(key: string, value: JsonObject): void;
}

/** Keys that are kept; the ones written longest ago go. */
const most = 200;

/** `all` with `value` under `key`, as the newest. */
export function remembered(all: Readonly<Record<string, JsonObject>>, key: string, value: JsonObject): Record<string, JsonObject> {
  const others = Object.entries(all).filter(([other]) => other !== key);
  return Object.fromEntries([...others, [key, value]].slice(-most));
}
