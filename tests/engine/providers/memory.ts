import type { JsonObject } from "../../../src/dialog/model.ts";
import { type Memory, remembered } from "../../../src/engine/providers/memory.ts";

/** A memory that lasts as long as the test. */
export function testMemory(): Memory & { readonly all: Readonly<Record<string, JsonObject>> } {
  let all: Record<string, JsonObject> = {};
  return {
    read: (key) => all[key] ?? null,
    write(key, value) {
      all = remembered(all, key, value);
    },
    get all() {
      return all;
    },
  };
}
