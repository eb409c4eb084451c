import type { Part } from "../../../src/app/texts/part.ts";

type SlotOf<P> = P extends { readonly slot: infer Slot extends string } ? Slot : never;

/** The possible translations of `T`: any text for a text, the same slots in a sentence, the same arguments to a function. */
type Said<T> = T extends string
  ? string
  : T extends (...given: infer Given) => infer Result
    ? (...given: Given) => Said<Result>
    : T extends readonly unknown[]
      ? T[number] extends string
        ? readonly string[]
        : readonly Part<SlotOf<T[number]>>[]
      : T extends object
        ? { readonly [name in keyof T]: Said<T[name]> }
        : T;

type Translation<English> = { readonly [name in keyof English]: Said<English[name]> };

/** Fails to compile if the module `Own` can't replace the module `English`. */
export type Fits<English, Own extends Translation<English>> = Own;
