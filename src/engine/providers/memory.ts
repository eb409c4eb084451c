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

/** Where the list of models of a server is kept. */
export const listKey = (base: string): string => `models ${base}`;

/** Where what was learned about one model of one server is kept. */
export const modelKey = (base: string, model: string): string => `${base} ${model}`;

/**
 * `all` without the lengths that refusals have taught: a server may allow more today, and would never be asked for it. What else was learned is
 * the form of a request, and what servers listed is read again with their next list.
 */
export function withoutLengths(all: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(all).map(([key, value]) => {
      if (key.startsWith(listKey(""))) return [key, value];
      const { window: _window, maxTokens: _maxTokens, ...rest } = value;
      return [key, rest];
    }),
  );
}

/** Keys that are kept; the ones written longest ago go. */
const most = 200;

/** `all` with `value` under `key`, as the newest. */
export function remembered(all: Readonly<Record<string, JsonObject>>, key: string, value: JsonObject): Record<string, JsonObject> {
  const others = Object.entries(all).filter(([other]) => other !== key);
  return Object.fromEntries([...others, [key, value]].slice(-most));
}
