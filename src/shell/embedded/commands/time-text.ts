import { formatDate } from "../git/text/dates.ts";
import { offsetText, type Zone } from "../zone.ts";

/** Formats a time with `%N` and the flags of GNU date, and C's fields. */
export function timeText(format: string, time: Date, zone: Zone): string {
  const east = zone.offset(time.getTime());
  const local = new Date(time.getTime() + east * 1000);
  const seconds = Math.floor(time.getTime() / 1000);
  const common = (wanted: string): string => formatDate({ time: seconds + east, zone: "+0000" }, `format:${wanted}`, 0);
  const milliseconds = String(((time.getTime() % 1000) + 1000) % 1000).padStart(3, "0");
  const fields: Readonly<Record<string, () => string>> = {
    z: () => offsetText(east),
    ":z": () => offsetText(east, ":"),
    "::z": () => `${offsetText(east, ":")}:${String(Math.abs(east) % 60).padStart(2, "0")}`,
    ":::z": () => offsetText(east, ":").replace(/:00$/, ""),
    Z: () => zone.name(time.getTime()),
    s: () => String(seconds),
    q: () => String(Math.floor(local.getUTCMonth() / 3) + 1),
    P: () => common("%p").toLowerCase(),
    k: () => String(local.getUTCHours()).padStart(2),
    l: () => String(local.getUTCHours() % 12 || 12).padStart(2),
    c: () => common("%a %b %e %H:%M:%S %Y"),
    r: () => common("%I:%M:%S %p"),
    C: () => String(Math.floor(local.getUTCFullYear() / 100)).padStart(2, "0"),
    G: () => String(isoWeek(local).year),
    g: () => String(isoWeek(local).year % 100).padStart(2, "0"),
    V: () => String(isoWeek(local).week).padStart(2, "0"),
    U: () => weekOfYear(local, local.getUTCDay()),
    W: () => weekOfYear(local, (local.getUTCDay() + 6) % 7),
  };
  return format.replaceAll(/%([-_0^#]*)(\d*)(:{0,3}z|[A-Za-z%+])/g, (whole, flags: string, width: string, field: string) => {
    if (field === "N") return `${milliseconds}000000`.slice(0, width === "" ? 9 : Number(width));
    let text = (Object.hasOwn(fields, field) ? fields[field]?.() : undefined) ?? common(`%${field}`);
    if (text === `%${field}`) return whole;
    if (flags.includes("-")) text = text.replace(/^[0 ]+(?=.)/, "");
    if (flags.includes("_")) text = text.replace(/^0+(?=.)/, (zeros) => " ".repeat(zeros.length));
    if (flags.includes("^")) text = text.toUpperCase();
    return width === "" ? text : text.padStart(Number(width), /^\d/.test(text) && !flags.includes("_") ? "0" : " ");
  });
}

const day = 86_400_000;

/** The ISO week. A week belongs to the year of its Thursday. */
function isoWeek(local: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(local.getTime() + (4 - (local.getUTCDay() || 7)) * day);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / day / 7) + 1 };
}

/** The week counted from the first such weekday in the year; days before it are in week 0. */
function weekOfYear(local: Date, dayOfWeek: number): string {
  const dayOfYear = Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / day);
  return String(Math.floor((dayOfYear + 7 - dayOfWeek) / 7)).padStart(2, "0");
}
