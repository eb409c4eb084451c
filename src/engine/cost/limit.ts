import { docLimits } from "../../dialog/doc-authority.ts";
import type { DialogPaid } from "./ledger.ts";
import { addNanos, dollarsText, readDollars } from "./money.ts";

export type CostPeriod = "day" | "week" | "month";

/** What the project may cost before a human is asked. */
export interface CostLimit {
  /** In nanodollars. */
  readonly nanos: number;
  /** The period in which costs count. Null means since the project began. */
  readonly period: CostPeriod | null;
}

/** In milliseconds before now. So the limit doesn't double at midnight, and time zones don't matter. */
const lengths: Readonly<Record<CostPeriod, number>> = { day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 };

/** `cost 5`, `cost 2.50 a day`: dollars, then the period, each after one space. */
const LINE = /^cost (\d{1,6}(?:\.\d{1,9})?)(?: a (day|week|month))?$/;

/** The limit in the last readable line of doc-main.md. Null if there is none. `main` is the doc's text. */
export function costLimitOf(main: string | null): CostLimit | null {
  for (const line of main === null ? [] : docLimits(main).toReversed()) {
    const [, dollars, period] = LINE.exec(line) ?? [];
    const nanos = dollars === undefined ? null : readDollars(dollars);
    if (nanos !== null) return { nanos, period: period === "day" || period === "week" || period === "month" ? period : null };
  }
  return null;
}

/** The time from which costs count, in milliseconds since 1970. Null means from the beginning. */
export function periodStart({ period }: CostLimit, now: number): number | null {
  return period === null ? null : now - lengths[period];
}

/** The known cost of the responses since `start`, in nanodollars. A response without a time counts. */
export function spentSince(dialogs: readonly DialogPaid[], start: number | null): number {
  let sum = 0;
  for (const { responses } of dialogs) {
    for (const { time, nanos } of responses)
      if (nanos !== null && (start === null || time === null || time >= start)) sum = addNanos(sum, nanos);
  }
  return sum;
}

/** The words in a `> Stop: limit …` line: `cost (5.02 of 5 USD a day)`. */
export function reachedWords(spent: number, { nanos, period }: CostLimit): string {
  return `cost (${dollarsText(spent)} of ${dollarsText(nanos)} USD${period === null ? "" : ` a ${period}`})`;
}

/** The words if the model's price is unknown, so the limit can't be enforced. */
export const unknownPriceWords = "cost unknown";

/** The words if the dialog's own file is damaged, so its cost is unknown. */
export const unreadableWords = "cost unreadable";
