const formats = new Map<string, Intl.NumberFormat>();

/** "950", "18.2K", "1.5M": a number in a column of numbers. */
export function compact(value: number, locale?: string): string {
  const known = formats.get(locale ?? "");
  const shown = known ?? new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  if (!known) formats.set(locale ?? "", shown);
  return shown.format(value);
}
