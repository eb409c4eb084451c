const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time in ISO 8601, in UTC, with milliseconds, so that texts compare as times do; null for anything else that a file may hold. */
export function readTime(text: string | null): string | null {
  if (text === null || !ISO.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The last time that the value of a section's `Time` line says; null: it says none. */
export function lastTimeIn(value: string): string | null {
  const dash = value.indexOf(" - ");
  return dash < 0 ? readTime(value) : (readTime(value.slice(dash + " - ".length)) ?? readTime(value.slice(0, dash)));
}
