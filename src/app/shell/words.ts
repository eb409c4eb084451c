/** Numbers, sizes and times as people read them. Pure: locale and time zone can be given, so that tests do not depend on them. */

export interface Place {
  readonly locale?: string;
  readonly timeZone?: string;
}

export const counted = (count: number, noun: string) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

export const number = (value: number, place: Place = {}) => value.toLocaleString(place.locale);

export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A formatter costs as much as a thousand uses of it; the one of a name is always made with the same options. */
export function format(name: string, locale: string | undefined, place: Place, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${name} ${locale ?? ""} ${place.timeZone ?? ""}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(place.timeZone === undefined ? {} : { timeZone: place.timeZone }) });
  formats.set(key, made);
  return made;
}

const toMinute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "20:14", in the reader's own time; null for a text that is no time. */
export function clock(iso: string, place: Place = {}, seconds = false): string | null {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  const shown = seconds
    ? format("second", place.locale, place, { ...toMinute, second: "2-digit" })
    : format("minute", place.locale, place, toMinute);
  return shown.format(date);
}

/** "20:12 – 20:13"; with seconds where the minutes would read the same. A start that is no time stands as it is. */
export function span(start: string, end: string | null, place: Place = {}): string {
  const from = clock(start, place);
  const to = end === null ? null : clock(end, place);
  if (from === null || end === null || to === null) return from ?? start;
  return from === to ? `${clock(start, place, true)} – ${clock(end, place, true)}` : `${from} – ${to}`;
}

/** The same times whole, in UTC, for whoever wants them exactly. */
export const spanExact = (start: string, end: string | null) => (end === null ? `${start} (UTC)` : `${start} – ${end} (UTC)`);

/** The time of day if it is today, else "yesterday", else the date. */
export function when(at: number, now: number, place: Place = {}): string {
  const date = new Date(at);
  const day = (time: number) => format("whole day", "sv", place, {}).format(time);
  if (day(at) === day(now)) return clock(date.toISOString(), place) ?? "";
  if (day(at) === day(now - 86_400_000)) return "yesterday";
  return format("day", place.locale, place, { day: "numeric", month: "short" }).format(date);
}

export function words(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}
