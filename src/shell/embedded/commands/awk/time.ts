import { formatDate } from "../../git/text/dates.ts";

/** `strftime`; the zone is UTC. */
export function stamp(format: string, seconds: number): string {
  return formatDate({ time: Math.trunc(seconds), zone: "+0000" }, `format:${format}`, 0);
}

/** `mktime("YYYY MM DD HH MM SS")`; -1: it is no time. */
export function readStamp(text: string): number {
  const [year, month, day, hour, minute, second] = text.trim().split(/\s+/).map(Number);
  if ([year, month, day, hour, minute, second].some((each) => each === undefined || Number.isNaN(each))) return -1;
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0) / 1000;
}
