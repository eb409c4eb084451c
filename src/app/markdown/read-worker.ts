/** Reads markdown away from the page: a text that takes too long holds up no one, and can be given up. */
import type { Links } from "./lex.ts";
import type { Part } from "./parts.ts";
import { read, type Reading } from "./read.ts";

export interface ReadOrder {
  readonly id: number;
  readonly text: string;
  readonly links: Links;
  /** Lengths of the parts that are shown. Where they are right, the parts are not told again. */
  readonly known: readonly number[] | null;
}

/** Several answers make a reading, each small enough for the page to take in at once. */
export interface ReadAnswer {
  readonly id: number;
  readonly parts: readonly Part[];
  /** With the last answer. */
  readonly end: Omit<Extract<Reading, { kind: "read" }>, "parts"> | { readonly kind: "same" | "deep" } | null;
}

/** Parts in an answer, and UTF-16 units after which another one begins. */
const batch = { parts: 20, units: 8_192 } as const;

addEventListener("message", ({ data: { id, text, links, known } }: MessageEvent<ReadOrder>) => {
  const answer = (parts: readonly Part[], end: ReadAnswer["end"]): void => postMessage({ id, parts, end } satisfies ReadAnswer);
  const reading = read(text, Infinity, links);
  if (reading.kind !== "read") {
    answer([], { kind: "deep" });
    return;
  }
  const { parts, ...end } = reading;
  if (known?.length === parts.length && parts.every(({ raw }, at) => raw.length === known[at])) {
    answer([], { kind: "same" });
    return;
  }
  let [from, units] = [0, 0];
  for (const [nth, { raw }] of parts.entries()) {
    units += raw.length;
    if (nth + 1 - from < batch.parts && units < batch.units) continue;
    answer(parts.slice(from, nth + 1), null);
    [from, units] = [nth + 1, 0];
  }
  answer(parts.slice(from), end);
});
