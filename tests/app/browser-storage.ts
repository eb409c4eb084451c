import type { TextStore } from "../../src/app/docs/drafts.ts";

/** The part of `Storage` that drafts use, backed by a map. */
export function browserStorage(): TextStore {
  const map = new Map<string, string>();
  return {
    get length() {
      return map.size;
    },
    key: (index) => Array.from(map.keys())[index] ?? null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  };
}
