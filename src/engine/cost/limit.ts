import { docLimits } from "../../dialog/doc-authority.ts";
import type { DialogPaid } from "./ledger.ts";
import { addNanos, dollarsText, readDollars } from "./money.ts";

export type CostPeriod = "day" | "week" | "month";

/** What the project may cost before a human is asked. */
export interface CostLimit {
  /** Nanodollars. */
  readonly nanos: number;
  /** Since when it counts; null: since the project began. */
  readonly period: CostPeriod | null;
}

/** Milliseconds back from now: so that no midnight lets twice as much be spent, and no time zone has a say. */
const lengths: Readonly<Record<CostPeriod, number>> = { day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 };

/** `cost 5`, `cost 2.50 a day`: dollars, and the period after one space each. */
const LINE = /^cost (\d{1,6}(?:\.\d{1,9})?)(?: a (day|week|month))?$/;

/** The limit that the last line of doc-main.md sets which can be read; null when none does. `main`: the doc's text. */
export function costLimitOf(main: string | null): CostLimit | null {
  for (const line of main === null ? [] : docLimits(main).toReversed()) {
    const [, dollars, period] = LINE.exec(line) ?? [];
    const nanos = dollars === undefined ? null : readDollars(dollars);
    if (nanos !== null) return { nanos, period: period === "day" || period === "week" || period === "month" ? period : null };
  }
  return null;
}

/** The time from which on it counts, in milliseconds since 1970; null: from the beginning. */
export function periodStart({ period }: CostLimit, now: number): number | null {
  return period === null ? null : now - lengths[period];
}

/** Nanodollars that the responses since `start` cost, as far as that is known. One without a time counts. */
export function spentSince(dialogs: readonly DialogPaid[], start: number | null): number {
  let sum = 0;
  for (const { responses } of dialogs) {
    for (const { time, nanos } of responses)
      if (nanos !== null && (start === null || time === null || time >= start)) sum = addNanos(sum, nanos);
  }
  return sum;
}

/** What a `> Stop: limit …` line says of it: `cost (5.02 of 5 USD a day)`. */
export function reachedWords(spent: number, { nanos, period }: CostLimit): string {
  return `cost (${dollarsText(spent)} of ${dollarsText(nanos)} USD${period === null ? "" : ` a ${period}`})`;
}

/** The same when the limit can't be watched, because no one knows what the model costs. */
export const unknownPriceWords = "cost unknown";

/** The same when the dialog's own file is damaged, so that no one knows what it has cost. */
export const unreadableWords = "cost unreadable";
