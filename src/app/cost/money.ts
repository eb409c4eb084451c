import type { Place } from "../shell/words.ts";

const perDollar = 1_000_000_000;
/** Below it nobody wants to know the digits. */
const least = 100_000;

/** "$12.30", "$0.012", "under $0.0001": an amount of nanodollars as people read it. */
export function money(nanos: number, { locale }: Place = {}): string {
  const dollars = (value: number, digits: Intl.NumberFormatOptions) =>
    value.toLocaleString(locale, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol", ...digits });
  if (nanos > 0 && nanos < least) return `under ${dollars(least / perDollar, { maximumFractionDigits: 4 })}`;
  if (nanos >= 0.995 * perDollar || nanos === 0) return dollars(nanos / perDollar, {});
  const places = nanos >= 0.0995 * perDollar ? 2 : nanos >= 0.00995 * perDollar ? 3 : 4;
  return dollars(nanos / perDollar, { minimumFractionDigits: 2, maximumFractionDigits: places });
}

/** Every digit of it, for whoever wants it exactly. */
export const moneyExact = (nanos: number) => `${(nanos / perDollar).toFixed(9).replace(/\.?0+$/, "")} US dollars`;

const periods = { day: "in any 24 hours", week: "in any 7 days", month: "in any 30 days" } as const;
export type CostPeriod = keyof typeof periods;

/** What a limit of the cost says, as a sentence. */
export function costLimitWords(nanos: number, period: CostPeriod | null): string {
  return `This project costs ${money(nanos)} at most${period === null ? "" : ` ${periods[period]}`}; then agents wait for your word.`;
}

/** `cost 5`, `cost 2.50 a day`, read as the engine reads it; null: it says nothing of the kind. */
export function readCostLimit(value: string): { readonly nanos: number; readonly period: CostPeriod | null } | null {
  const [, dollars, period] = /^cost (\d{1,6}(?:\.\d{1,9})?)(?: a (day|week|month))?$/.exec(value) ?? [];
  return dollars === undefined ? null : { nanos: Math.round(Number(dollars) * perDollar), period: isPeriod(period) ? period : null };
}

const isPeriod = (word: string | undefined): word is CostPeriod => word === "day" || word === "week" || word === "month";

/** What a `> Stop: limit cost…` line says; null: it stopped for another reason. */
export type CostStop =
  | { readonly kind: "reached"; readonly spent: number; readonly limit: number; readonly period: CostPeriod | null }
  /** Nobody knows what the model costs. */
  | { readonly kind: "unknown" }
  /** It was written by another hand, without amounts. */
  | { readonly kind: "bare" };

export function readCostStop(stop: string | null): CostStop | null {
  if (stop === "limit cost unknown") return { kind: "unknown" };
  if (stop === "limit cost") return { kind: "bare" };
  const [, spent, limit, period] = /^limit cost \(([\d.]{1,20}) of ([\d.]{1,20}) USD(?: a (day|week|month))?\)$/.exec(stop ?? "") ?? [];
  if (spent === undefined || limit === undefined) return null;
  return { kind: "reached", spent: Number(spent) * perDollar, limit: Number(limit) * perDollar, period: isPeriod(period) ? period : null };
}

const spans = { day: " in 24 hours", week: " in 7 days", month: " in 30 days" } as const;

/** Why the agent was held back, in a sentence. */
export function costStopWords(stop: CostStop): string {
  switch (stop.kind) {
    case "unknown":
      return "What may be spent is limited, and nobody knows what this model costs. The provider was not asked.";
    case "bare":
      return "The limit of what this project may cost was reached. The provider was not asked.";
    case "reached": {
      const span = stop.period === null ? "" : spans[stop.period];
      return `This project has cost ${money(stop.spent)}${span}, and its limit is ${money(stop.limit)}. The provider was not asked.`;
    }
  }
}
