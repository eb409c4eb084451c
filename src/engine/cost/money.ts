/**
 * Money is whole nanodollars (billionths of a US dollar): sums of them are exact, and the cheapest response of the cheapest model is more
 * than one of them.
 */
const perDollar = 1_000_000_000;

/** No sum is larger: it would not be exact, and no one means it. */
export const MOST_NANOS = 999_999 * perDollar + (perDollar - 1);

const DOLLARS = /^(\d{1,6})(?:\.(\d{1,9}))?$/;

/** `0.0345`: dollars, exact, without zeros at the end. */
export function dollarsText(nanos: number): string {
  const whole = Math.floor(nanos / perDollar);
  const part = String(nanos % perDollar)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return part === "" ? String(whole) : `${whole}.${part}`;
}

/** Reads what `dollarsText` writes, and the same with zeros at its ends; null when it is anything else. */
export function readDollars(text: string): number | null {
  const [, whole, part = ""] = DOLLARS.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * perDollar + Number(part.padEnd(9, "0"));
}

export function addNanos(one: number, other: number): number {
  return Math.min(MOST_NANOS, one + other);
}

/** A number of dollars as someone else computed it, rounded to nanodollars; null when it is no amount of money. */
export function nanosOf(dollars: unknown): number | null {
  if (typeof dollars !== "number" || !Number.isFinite(dollars) || dollars < 0) return null;
  const nanos = Math.round(dollars * perDollar);
  return nanos > MOST_NANOS ? null : nanos;
}
