import type { JsonObject } from "../../../src/dialog/model.ts";
import { type Memory, remembered } from "../../../src/engine/providers/memory.ts";

/** A provider's memory, for one test. */
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
