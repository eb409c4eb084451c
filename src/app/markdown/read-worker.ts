/** Parses Markdown in a worker, so that a slow text doesn't block the page and can be given up. */
import type { Links } from "./lex.ts";
import type { Part } from "./parts.ts";
import { read, type Reading } from "./read.ts";

export interface ReadOrder {
  readonly id: number;
  readonly text: string;
  readonly links: Links;
  /** The lengths of the parts that are shown. If they match, the parts aren't sent again. */
  readonly known: readonly number[] | null;
}

/** A reading is sent in several answers, each small enough for the page to process at once. */
export interface ReadAnswer {
  readonly id: number;
  readonly parts: readonly Part[];
  /** Set in the last answer. */
  readonly end: Omit<Extract<Reading, { kind: "read" }>, "parts"> | { readonly kind: "same" | "deep" } | null;
}

/** The maximum number of parts in an answer, and of UTF-16 units after which a new answer begins. */
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
