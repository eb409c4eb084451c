const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const OWN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** A time in ISO 8601, in UTC, with milliseconds, so that comparing texts compares times. Null for any other text. */
export function readTime(text: string | null): string | null {
  if (text === null) return null;
  // The format that Vibey writes. Every month has 28 days, so each match is a valid time, and no Date is needed.
  if (OWN.test(text)) return text;
  if (!ISO.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The last time in the value of a section's `Time` line. Null if there is none. */
export function lastTimeIn(value: string): string | null {
  const dash = value.indexOf(" - ");
  return dash < 0 ? readTime(value) : (readTime(value.slice(dash + " - ".length)) ?? readTime(value.slice(0, dash)));
}
