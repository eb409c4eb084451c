/** Numbers, sizes and times as people read them. Pure: locale and time zone can be passed in, so that tests don't depend on them. */
import * as t from "../texts/measures.ts";
import { decimal, number, type LocaleOptions } from "./sizes.ts";

export { fileSize, number, type LocaleOptions } from "./sizes.ts";

export function duration(ms: number, place: LocaleOptions = {}): string {
  if (ms < 1_000) return t.milliseconds(number(Math.round(ms), place));
  // Rounded first: otherwise 59,960 ms would read "60.0 s", and 119,700 ms "1 min 60 s".
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return t.seconds(decimal(tenths / 10, place));
  const seconds = Math.round(ms / 1_000);
  return t.minutes(number(Math.floor(seconds / 60), place), number(seconds % 60, place));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter costs as much as a thousand uses of it. The same name always means the same options. */
export function format(
  name: string,
  locale: string | undefined,
  place: LocaleOptions,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${name} ${locale ?? ""} ${place.timeZone ?? ""}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, ...(place.timeZone === undefined ? {} : { timeZone: place.timeZone }) });
  formats.set(key, made);
  return made;
}

const toMinute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "20:14", in the reader's time zone; null if the text isn't a time. */
export function clock(iso: string, place: LocaleOptions = {}, seconds = false): string | null {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  const shown = seconds
    ? format("second", place.locale, place, { ...toMinute, second: "2-digit" })
    : format("minute", place.locale, place, toMinute);
  return shown.format(date);
}

/** "20:12 – 20:13"; with seconds if the minutes are the same. A start that isn't a valid time is shown as it is. */
export function span(start: string, end: string | null, place: LocaleOptions = {}): string {
  const from = clock(start, place);
  const to = end === null ? null : clock(end, place);
  if (from === null || end === null || to === null) return from ?? start;
  return from === to ? t.span(clock(start, place, true) ?? start, clock(end, place, true) ?? end) : t.span(from, to);
}

/** The exact times, in UTC. */
export const spanExact = (start: string, end: string | null) => t.inUTC(end === null ? start : t.span(start, end));

const halfDay = 43_200_000;

/** The calendar day before the one of `now`. A day can have 23 or 25 hours. `dayOf`: the day of a time, as a text. */
export function dayBefore(now: number, dayOf: (time: number) => string): string {
  const today = dayOf(now);
  return [1, 2, 3].map((halves) => dayOf(now - halves * halfDay)).find((day) => day !== today) ?? today;
}

/** The time of day if it is today, else "yesterday", else the date. */
export function when(at: number, now: number, place: LocaleOptions = {}): string {
  const date = new Date(at);
  const day = (time: number) => format("date", "sv", place, {}).format(time);
  if (day(at) === day(now)) return clock(date.toISOString(), place) ?? "";
  if (day(at) === dayBefore(now, day)) return t.yesterday;
  return format("day", place.locale, place, { day: "numeric", month: "short" }).format(date);
}

/** "21 Nov 2026, 20:14"; null if the text isn't a time in the format of dialogs. */
export function moment(iso: string, place: LocaleOptions = {}): string | null {
  // Browsers parse many other texts as times.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(iso)) return null;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return null;
  return format("moment", place.locale, place, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

export function words(text: string): number {
  return text.match(/\S+/gu)?.length ?? 0;
}
