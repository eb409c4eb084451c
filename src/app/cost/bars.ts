import type { CostReport } from "../../protocol/index.ts";

export interface Bar {
  /** The day, or the first day of the month: `2026-11-22`. */
  readonly from: string;
  readonly unit: "day" | "month";
  readonly nanos: number;
  readonly responses: number;
  readonly unpriced: number;
}

/** The maximum number of days that are still distinguishable side by side. A longer span is shown by month. */
const maxDays = 92;
/** A limit, because a file can contain any date. */
const maxBars = 600;

/** One bar per day or month from the first to the last of the report, including those without requests. */
export function barsOf({ from, to, days }: Pick<CostReport, "from" | "to" | "days">): Bar[] {
  if (from === null || to === null) return [];
  const span = (dateOf(to).getTime() - dateOf(from).getTime()) / 86_400_000;
  const unit = span < maxDays ? "day" : "month";
  const start = (day: string) => (unit === "day" ? day : `${day.slice(0, 7)}-01`);
  const bars = new Map<string, { nanos: number; responses: number; unpriced: number }>();
  const date = dateOf(start(from));
  while (textOf(date) <= to && bars.size < maxBars) {
    bars.set(textOf(date), { nanos: 0, responses: 0, unpriced: 0 });
    if (unit === "day") date.setUTCDate(date.getUTCDate() + 1);
    else date.setUTCMonth(date.getUTCMonth() + 1);
  }
  for (const { day, nanos, responses, unpriced } of days) {
    const bar = bars.get(start(day));
    if (!bar) continue;
    bar.nanos += nanos;
    bar.responses += responses;
    bar.unpriced += unpriced;
  }
  return Array.from(bars, ([day, sum]) => ({ from: day, unit, ...sum }));
}

/** Days are counted in UTC, where clocks never change. */
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const textOf = (date: Date) => date.toISOString().slice(0, 10);

/** "22 Nov", "Sat, 22 November 2026", "November 2026". */
export function dayWords(day: string, unit: Bar["unit"], length: "short" | "long"): string {
  const options: Intl.DateTimeFormatOptions =
    unit === "month"
      ? { month: length, year: "numeric" }
      : length === "short"
        ? { day: "numeric", month: "short" }
        : { weekday: "short", day: "numeric", month: "long", year: "numeric" };
  return new Intl.DateTimeFormat(undefined, { ...options, timeZone: "UTC" }).format(dateOf(day));
}

const steps = [1, 1.5, 2, 2.5, 3, 4, 5, 7.5];

/** A round amount of at least `most`, for the top of the scale. 0 if no cost is known, so that there is no scale. */
export function scaleTop(most: number): number {
  if (most === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return (steps.find((step) => step * power >= most) ?? 10) * power;
}
