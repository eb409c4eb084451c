/** Numbers and sizes as people read them. Separate from times, which the first screen does not show. */
import * as t from "../texts/measures.ts";

export interface LocaleOptions {
  readonly locale?: string;
  readonly timeZone?: string;
}

export const number = (value: number, place: LocaleOptions = {}) => value.toLocaleString(place.locale);

const decimals = new Map<string, Intl.NumberFormat>();

/** Always with one decimal: "1.0". */
export function decimal(value: number, { locale }: LocaleOptions): string {
  const known = decimals.get(locale ?? "");
  const shown = known ?? new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  if (!known) decimals.set(locale ?? "", shown);
  return shown.format(value);
}

export function fileSize(bytes: number, place: LocaleOptions = {}): string {
  if (bytes < 1_000) return t.bytes(number(bytes, place));
  if (bytes < 1_000_000) return t.kilobytes(decimal(bytes / 1_000, place));
  return t.megabytes(decimal(bytes / 1_000_000, place));
}
