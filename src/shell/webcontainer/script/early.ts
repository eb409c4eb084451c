import { webcrypto } from "node:crypto";

/** Adds what the shell needs from browsers and newer versions of Node and Node 18 lacks. Imported before all other modules. */
if (Reflect.get(globalThis, "crypto") === undefined) Reflect.set(globalThis, "crypto", webcrypto);

const added: Readonly<Record<string, (this: readonly unknown[], ...args: never) => unknown>> = {
  toSorted(compare?: (a: unknown, b: unknown) => number) {
    // oxlint-disable-next-line unicorn/no-array-sort -- this function is what is added here.
    return [...this].sort(compare);
  },
  toReversed() {
    // oxlint-disable-next-line unicorn/no-array-reverse -- the same.
    return [...this].reverse();
  },
  toSpliced(start: number, count: number, ...items: readonly unknown[]) {
    const copy = [...this];
    copy.splice(start, count, ...items);
    return copy;
  },
  with(at: number, value: unknown) {
    const copy = [...this];
    copy[at < 0 ? copy.length + at : at] = value;
    return copy;
  },
};
// oxlint-disable-next-line no-extend-native -- the standard's own method, added where it is missing.
for (const [name, value] of Object.entries(added)) {
  if (name in Array.prototype) continue;
  // oxlint-disable-next-line no-extend-native -- the standard's own method, added where it is missing.
  Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true });
}
