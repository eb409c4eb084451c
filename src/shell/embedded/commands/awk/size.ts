import type { AwkArray, Value } from "./values.ts";

/** Bytes that the variables of a program may take, about: the tab would go down with more. */
export const mostBytes = 512_000_000;
/** What an element takes beside its text. */
const perElement = 160;
/** Elements of an array that are looked at: the others are taken to be like them. */
const sample = 1_000;

/** About how many bytes these values and arrays take. Looks at few elements, so that it can be asked often. */
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
