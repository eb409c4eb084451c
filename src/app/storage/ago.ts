import type { LocaleOptions } from "../ui/format.ts";
import * as t from "../texts/ago.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in the largest unit that fits. */
export function ago(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < minute) return t.lessThanAMinuteAgo;
  if (ms < hour) return t.minutesAgo(Math.floor(ms / minute));
  if (ms < day) return t.hoursAgo(Math.floor(ms / hour));
  return t.daysAgo(Math.floor(ms / day));
}

/** The exact date and time of day. */
export function moment(at: number, place: LocaleOptions = {}): string {
  return new Date(at).toLocaleString(place.locale, {
    dateStyle: "long",
    timeStyle: "short",
    ...(place.timeZone === undefined ? {} : { timeZone: place.timeZone }),
  });
}
