import type { Dialog, Meta } from "../format/model.ts";
import { standing } from "../format/sections.ts";
import { lastRead } from "../machine/last-read.ts";
import type { Usage } from "../providers/provider.ts";
import { addNanos, dollarsText, readDollars } from "./money.ts";

/** What a response cost. `reported`: the provider said so itself; else it is its tokens times their price. */
export interface Cost {
  readonly nanos: number;
  readonly reported: boolean;
}

export interface CachedTokens {
  readonly read: number;
  readonly write: number;
}

const COST = /^(\d{1,6}(?:\.\d{1,9})?) USD( reported)?$/;

/** Reads `0.0345 USD` and `0.0345 USD reported`; null when it is anything else. */
export function parseCost(value: string): Cost | null {
  const [, dollars, reported] = COST.exec(value) ?? [];
  const nanos = dollars === undefined ? null : readDollars(dollars);
  return nanos === null ? null : { nanos, reported: reported !== undefined };
}

/** Reads `read=900 write=20`; null when it is anything else. */
export function parseCached(value: string): CachedTokens | null {
  const [, read, write] = /^read=(\d{1,15}) write=(\d{1,15})$/.exec(value) ?? [];
  return read === undefined || write === undefined ? null : { read: Number(read), write: Number(write) };
}

/** The line behind `Usage` that says how many of the input's tokens the cache gave and took; none where it did neither. */
export function cachedLines({ cacheRead = 0, cacheWrite = 0 }: Usage): Meta[] {
  return cacheRead + cacheWrite === 0 ? [] : [{ key: "Usage cached", value: `read=${cacheRead} write=${cacheWrite}` }];
}

/** The two lines of a response whose cost is known. The cumulative one goes on from the last one that the file has. */
export function costLines(dialog: Dialog, { nanos, reported }: Cost): Meta[] {
  const sum = addNanos(costSoFar(dialog) ?? 0, nanos);
  return [
    { key: "Cost", value: `${dollarsText(nanos)} USD${reported ? " reported" : ""}` },
    { key: "Cost cumulative", value: `${dollarsText(sum)} USD` },
  ];
}

/** Nanodollars that the dialog's responses cost, as far as that is known; null when it is known of none. */
export function costSoFar(dialog: Dialog): number | null {
  const { costCumulative } = standing(dialog);
  if (costCumulative === null) return null;
  // A line that a person has changed so that it can't be read counts for nothing; the one before it does.
  return (parseCost(costCumulative) ?? lastRead(dialog, "Cost cumulative", parseCost))?.nanos ?? null;
}

/** Lines that tell of money, without which another dialog takes along a message: it was paid once. */
export function isCostLine({ key }: Meta): boolean {
  return key === "Cost" || key === "Cost cumulative";
}
