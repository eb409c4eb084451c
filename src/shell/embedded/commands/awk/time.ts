import { timeOf, type Zone } from "../../zone.ts";
import { timeText } from "../time-text.ts";

/** `strftime` */
export function stamp(format: string, seconds: number, zone: Zone): string {
  return timeText(format, new Date(Math.trunc(seconds) * 1000), zone);
}

/** `mktime("YYYY MM DD HH MM SS")`; -1: not a valid time. */
export function readStamp(text: string, zone: Zone): number {
  const [year, month, day, hour, minute, second] = text.trim().split(/\s+/).map(Number);
  if ([year, month, day, hour, minute, second].some((each) => each === undefined || Number.isNaN(each))) return -1;
  return timeOf(Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0), zone) / 1000;
}
