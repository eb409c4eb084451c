import { expect } from "vitest";

/** The runner compares bytes one by one, through several calls for each: seconds for a megabyte. What differs is left to it, for its message. */
function sameBytes(one: unknown, other: unknown): true | undefined {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array) || one.constructor !== other.constructor) return undefined;
  return Buffer.compare(one, other) === 0 ? true : undefined;
}

expect.addEqualityTesters([sameBytes]);
