import type { JsonObject } from "../../dialog/model.ts";

/**
 * What a provider has learned about servers and their models. It is kept between visits.
 *
 * - A read returns at once. A write is visible to reads immediately, and stored in the background.
 * - It contains no secrets, and nothing that must be kept: what is lost is learned again.
 */
export interface Memory {
  read(key: string): JsonObject | null;
  write(key: string, value: JsonObject): void;
}

/** The key of a server's list of models. */
export const listKey = (base: string): string => `models ${base}`;

/** The key of what was learned about one model of one server. */
export const modelKey = (base: string, model: string): string => `${base} ${model}`;

/**
 * `all` without the token limits learned from refusals: a server may allow more today, but would never be asked for more. The other facts
 * concern the form of a request. The limits in lists are updated with the server's next list.
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

/** The most keys that are kept. The keys that were written longest ago are dropped. */
const most = 200;

/** `all` with `value` under `key`, as the newest key. */
export function remembered(all: Readonly<Record<string, JsonObject>>, key: string, value: JsonObject): Record<string, JsonObject> {
  const others = Object.entries(all).filter(([other]) => other !== key);
  return Object.fromEntries([...others, [key, value]].slice(-most));
}
