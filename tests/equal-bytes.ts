import { expect } from "vitest";

/** Vitest compares bytes one by one with several calls each, which takes seconds per megabyte. Unequal bytes are left to Vitest, for its message. */
function sameBytes(one: unknown, other: unknown): true | undefined {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array) || one.constructor !== other.constructor) return undefined;
  return Buffer.compare(one, other) === 0 ? true : undefined;
}

expect.addEqualityTesters([sameBytes]);
