import type { AwkArray, Value } from "./values.ts";

/** Approximate maximum bytes of a program's variables: more could crash the tab. */
export const mostBytes = 512_000_000;
/** Bytes that an element takes in addition to its text. */
const perElement = 160;
/** The number of elements of an array that are measured; the others are assumed to be similar. */
const sample = 1_000;

/** Estimates the bytes that these values and arrays take. It looks at few elements, so it can be called often. */
export function sizeOf(values: Iterable<Value>, arrays: Iterable<AwkArray>): number {
  let bytes = 0;
  for (const value of values) bytes += lengthOf(value);
  for (const array of arrays) {
    let [seen, units] = [0, 0];
    for (const [key, value] of array) {
      units += key.length + lengthOf(value);
      if (++seen === sample) break;
    }
    bytes += array.size * (perElement + (seen === 0 ? 0 : units / seen));
  }
  return bytes;
}

const lengthOf = (value: Value): number => (typeof value === "string" ? value.length : 0);
