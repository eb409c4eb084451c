/**
 * Money is in whole nanodollars (billionths of a US dollar). Sums of them are exact, and the cheapest response of the cheapest model costs more
 * than one of them.
 */
const perDollar = 1_000_000_000;

/** The largest amount. A larger sum would not be exact, and isn't realistic. */
export const MOST_NANOS = 999_999 * perDollar + (perDollar - 1);

const DOLLARS = /^(\d{1,6})(?:\.(\d{1,9}))?$/;

/** `0.0345`: exact dollars without trailing zeros. */
export function dollarsText(nanos: number): string {
  const whole = Math.floor(nanos / perDollar);
  const part = String(nanos % perDollar)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return part === "" ? String(whole) : `${whole}.${part}`;
}

/** Reads what `dollarsText` writes, also with leading or trailing zeros. Null for anything else. */
export function readDollars(text: string): number | null {
  const [, whole, part = ""] = DOLLARS.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * perDollar + Number(part.padEnd(9, "0"));
}

export function addNanos(one: number, other: number): number {
  return Math.min(MOST_NANOS, one + other);
}

/** Converts a number of dollars from elsewhere to nanodollars, rounded. Null if it isn't an amount of money. */
export function nanosOf(dollars: unknown): number | null {
  if (typeof dollars !== "number" || !Number.isFinite(dollars) || dollars < 0) return null;
  const nanos = Math.round(dollars * perDollar);
  return nanos > MOST_NANOS ? null : nanos;
}
