import type { LocaleOptions } from "../ui/format.ts";
import * as t from "../texts/money.ts";

const perDollar = 1_000_000_000;
export const usDollars = { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" } as const;
/** Below this amount, digits don't matter. */
const least = 100_000;

/** "$12.30", "$0.012", "under $0.0001": an amount of nanodollars as people read it. */
export function money(nanos: number, { locale }: LocaleOptions = {}): string {
  const dollars = (value: number, digits: Intl.NumberFormatOptions) => value.toLocaleString(locale, { ...usDollars, ...digits });
  if (nanos > 0 && nanos < least) return t.under(dollars(least / perDollar, { maximumFractionDigits: 4 }));
  if (nanos >= 0.995 * perDollar || nanos === 0) return dollars(nanos / perDollar, {});
  const places = nanos >= 0.0995 * perDollar ? 2 : nanos >= 0.00995 * perDollar ? 3 : 4;
  return dollars(nanos / perDollar, { minimumFractionDigits: 2, maximumFractionDigits: places });
}

/** All digits of the amount. */
export const moneyExact = (nanos: number, { locale }: LocaleOptions = {}) =>
  t.exactly((nanos / perDollar).toLocaleString(locale, { maximumFractionDigits: 9 }));

export type CostPeriod = "day" | "week" | "month";

/** A cost limit as a sentence. */
export const costLimitWords = (nanos: number, period: CostPeriod | null): string => t.limit(money(nanos), period);

/** `cost 5`, `cost 2.50 a day`, parsed as the engine does; null: not a cost limit. */
export function readCostLimit(value: string): { readonly nanos: number; readonly period: CostPeriod | null } | null {
  const [, dollars, period] = /^cost (\d{1,6}(?:\.\d{1,9})?)(?: a (day|week|month))?$/.exec(value) ?? [];
  return dollars === undefined ? null : { nanos: Math.round(Number(dollars) * perDollar), period: isPeriod(period) ? period : null };
}

const isPeriod = (word: string | undefined): word is CostPeriod => word === "day" || word === "week" || word === "month";

/** The reason in a `> Stop: limit cost…` line; null: it stopped for another reason. */
export type CostStop =
  | { readonly kind: "reached"; readonly spent: number; readonly limit: number; readonly period: CostPeriod | null }
  /** The model's price isn't known. */
  | { readonly kind: "unknown" }
  /** The dialog's file is damaged, so its cost isn't known. */
  | { readonly kind: "unreadable" }
  /** Someone else wrote the line, without amounts. */
  | { readonly kind: "bare" };

export function readCostStop(stop: string | null): CostStop | null {
  if (stop === "limit cost unknown") return { kind: "unknown" };
  if (stop === "limit cost unreadable") return { kind: "unreadable" };
  if (stop === "limit cost") return { kind: "bare" };
  const [, spent, limit, period] = /^limit cost \(([\d.]{1,20}) of ([\d.]{1,20}) USD(?: a (day|week|month))?\)$/.exec(stop ?? "") ?? [];
  if (spent === undefined || limit === undefined) return null;
  return { kind: "reached", spent: Number(spent) * perDollar, limit: Number(limit) * perDollar, period: isPeriod(period) ? period : null };
}

/** Why the agent was stopped, as a sentence. */
export function costStopWords(stop: CostStop): string {
  switch (stop.kind) {
    case "unknown":
      return t.stoppedUnknown;
    case "unreadable":
      return t.stoppedUnreadable;
    case "bare":
      return t.stoppedBare;
    case "reached":
      return t.stopped(money(stop.spent), money(stop.limit), stop.period);
  }
}
