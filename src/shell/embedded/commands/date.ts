import { offsetText, timeOf, utc, type Zone, zoneOf } from "../zone.ts";
import { failed, type Run } from "./answer.ts";
import { readInput, statOf } from "./files.ts";
import { parseOptions } from "./options.ts";
import { timeText } from "./time-text.ts";
import { fromBytes } from "../encoding.ts";

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The values of `-I`, which may be shortened, each with the length of the printed text. */
const precisions: readonly (readonly [name: string, length: number])[] = [
  ["date", 10],
  ["hours", 13],
  ["minutes", 16],
  ["seconds", 19],
  ["ns", 19],
];

/** GNU date. The zone is that of `TZ`, else UTC. */
export const date: Run = async (args, context) => {
  const options = parseOptions(
    args,
    "ud:f:Ir:Rs:",
    {
      utc: "u",
      universal: "u",
      date: "d",
      file: "f",
      "iso-8601": "I",
      reference: "r",
      "rfc-2822": "R",
      "rfc-email": "R",
      "rfc-3339": "2",
      set: "s",
    },
    ["2"],
  );
  // `-Iseconds` and `--iso-8601=seconds` take a value only if it is joined to them.
  const iso = args.map((arg) => /^(?:-u?I|--iso-8601(?:=|$))([a-z]*)$/.exec(arg)?.[1]).find((found) => found !== undefined);
  const read =
    iso === undefined
      ? options
      : parseOptions(
          args.filter((arg) => !/^(?:-u?I[a-z]*|--iso-8601.*)$/.test(arg)),
          "ud:f:r:Rs:",
          { utc: "u", universal: "u", date: "d", file: "f", reference: "r", "rfc-email": "R", "rfc-2822": "R", "rfc-3339": "2" },
          ["2"],
        );
  if (typeof read === "string") return failed("date", read);
  if (read.has("s")) return failed("date", "the clock can't be set here");
  const format = read.operands.find((word) => word.startsWith("+"));
  const odd = read.operands.find((word) => !word.startsWith("+"));
  if (odd !== undefined) return failed("date", `invalid date '${odd}'`);
  const zone = read.has("u") ? utc : zoneOf(context.exportedEnv?.["TZ"]);
  const print = (time: Date): string => {
    const text = (wanted: string): string => timeText(wanted, time, zone);
    if (format !== undefined) return text(format.slice(1));
    if (read.has("R")) return text("%a, %d %b %Y %H:%M:%S %z");
    const offset = offsetText(zone.offset(time.getTime()), ":");
    if (iso !== undefined) {
      const [name, length] = precisions.find(([each]) => each.startsWith(iso)) ?? ["date", 10];
      return `${text("%Y-%m-%dT%H:%M:%S").slice(0, length)}${name === "ns" ? text(",%N") : ""}${length > 10 ? offset : ""}`;
    }
    const rfc = read.value("2");
    if (rfc !== null) return rfc === "date" ? text("%F") : `${text("%F %T")}${rfc === "ns" ? text(".%N") : ""}${offset}`;
    return text("%a %b %e %H:%M:%S %Z %Y");
  };
  const times: Date[] = [];
  const given = read.value("d");
  const reference = read.value("r");
  const file = read.value("f");
  if (reference !== null) {
    const stat = await statOf(context, reference);
    if (stat === null) return failed("date", `${reference}: No such file or directory`);
    times.push(stat.mtime);
  } else if (file !== null) {
    const lines = await readInput(context, file);
    if (!lines.ok) return failed("date", `${file}: ${lines.why}`);
    for (const line of fromBytes(lines.bytes, undefined).replace(/\n$/, "").split("\n")) {
      const time = readTime(line, new Date(), zone);
      if (time === null) return failed("date", `invalid date '${line}'`);
      times.push(time);
    }
  } else {
    const time = given === null ? new Date() : readTime(given, new Date(), zone);
    if (time === null) return failed("date", `invalid date '${given ?? ""}'`);
    times.push(time);
  }
  return { stdout: times.map((time) => `${print(time)}\n`).join("") };
};

/** Zone names in dates, with their offset in hours east of UTC. */
const zoneHours: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  jst: 9,
};

/** Parses the argument of `-d`: a date, a time, a zone and additions in any order, optionally after `TZ="…"`. Null: not a date. */
export function readTime(given: string, now: Date, ofShell: Zone): Date | null {
  const [prefix, named] = /^\s*TZ="([^"]*)"\s*/.exec(given) ?? ["", undefined];
  const zone = named === undefined ? ofShell : zoneOf(named);
  let text = given.slice(prefix.length).trim().toLowerCase();
  const seconds = /^@(-?\d+(?:\.\d+)?)$/.exec(text)?.[1];
  if (seconds !== undefined) return new Date(Number(seconds) * 1000);
  /** The zone's local time, in the UTC fields. */
  const at = new Date(now.getTime() + zone.offset(now.getTime()) * 1000);
  /** Minutes east of UTC, if the text gives them. */
  let said: number | null = null;
  let [hasDate, hasTime] = [false, false];
  const added: { readonly count: number; readonly unit: string }[] = [];
  let weekday: { readonly day: number; readonly weeks: number } | null = null;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const found = pattern.exec(text);
    if (found) text = `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim();
    return found;
  };
  const day = (year: number, month: number, dayOfMonth: number): boolean => {
    const made = new Date(Date.UTC(year, month - 1, dayOfMonth));
    if (made.getUTCMonth() !== month - 1 || made.getUTCDate() !== dayOfMonth) return false;
    at.setUTCFullYear(year, month - 1, dayOfMonth);
    hasDate = true;
    return true;
  };
  const stamp = take(/^(\d{4})-(\d{1,2})-(\d{1,2})t(?=\d)/);
  if (stamp && !day(Number(stamp[1]), Number(stamp[2]), Number(stamp[3]))) return null;
  const clock =
    take(/(?<![\d-])(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(am|pm)?((?:\s*[+-]\d{2}:?\d{2}|[+-]\d{2})\b)?/) ??
    take(/(?<![\d-])(\d{1,2})()()()\s*(am|pm)\b()/);
  if (clock) {
    const hour = (Number(clock[1]) % (clock[5] ? 12 : 24)) + (clock[5] === "pm" ? 12 : 0);
    if (Number(clock[1]) > 23 || Number(clock[2]) > 59) return null;
    at.setUTCHours(hour, Number(clock[2] || 0), Number(clock[3] || 0), Math.floor(Number(`0.${clock[4] || 0}`) * 1000));
    hasTime = true;
    const offset = /^\s*([+-])(\d{2}):?(\d{2})?$/.exec(clock[6] ?? "");
    if (offset) said = (offset[1] === "-" ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0));
  }
  const zoneName = take(new RegExp(`(?:\\b|(?<=\\d))(${Object.keys(zoneHours).join("|")})\\b`))?.[1];
  if (zoneName !== undefined) said ??= (zoneHours[zoneName] ?? 0) * 60;
  const iso = take(/(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/);
  if (iso && !day(Number(iso[1]), Number(iso[2]), Number(iso[3]))) return null;
  const american = take(/(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/);
  if (american && !day(Number(american[3]), Number(american[1]), Number(american[2]))) return null;
  const compact = take(/(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/);
  if (compact && !day(Number(compact[1]), Number(compact[2]), Number(compact[3]))) return null;
  const months = monthNames.join("|");
  const dayOfMonth =
    take(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?[- ](${months})[a-z]*\\.?(?:[-, ]+(\\d{4}))?\\b`)) ??
    ((found) => found && ([found[0], found[2], found[1], found[3]] as const))(
      take(new RegExp(`\\b(${months})[a-z]*\\.?[- ](\\d{1,2})(?:st|nd|rd|th)?(?:[-, ]+(\\d{4}))?\\b`)),
    );
  if (dayOfMonth && !day(Number(dayOfMonth[3] ?? at.getUTCFullYear()), monthNames.indexOf(dayOfMonth[2] ?? "") + 1, Number(dayOfMonth[1])))
    return null;
  for (;;) {
    const more = take(
      /([+-]?)\s*(\d+|\ba|\ban|\bnext|\blast|\bthis)?\s*\b(sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?\b(\s+ago\b)?/,
    );
    if (!more) break;
    const word = more[2] ?? "1";
    const count = /^\d/.test(word) ? Number(word) : word === "last" ? -1 : word === "this" ? 0 : 1;
    added.push({ count: count * (more[1] === "-" ? -1 : 1) * (more[4] ? -1 : 1), unit: more[3] ?? "" });
  }
  const weekdayName = take(new RegExp(`\\b(next|last|this)?\\s*(${dayNames.join("|")})[a-z]*\\b`));
  if (weekdayName)
    weekday = { day: dayNames.indexOf(weekdayName[2] ?? ""), weeks: weekdayName[1] === "last" ? -1 : weekdayName[1] === "next" ? 1 : 0 };
  const word = take(/\b(now|today|midnight|noon|yesterday|tomorrow)\b/)?.[1];
  if (word === "yesterday" || word === "tomorrow") added.push({ count: word === "tomorrow" ? 1 : -1, unit: "day" });
  if (word === "midnight") at.setUTCHours(0, 0, 0, 0);
  if (word === "noon") at.setUTCHours(12, 0, 0, 0);
  if (/[^\s,]/.test(text)) return null;
  if (given.slice(prefix.length).trim() === "") at.setUTCHours(0, 0, 0, 0);
  if ((hasDate || weekday !== null) && !hasTime && word !== "noon") at.setUTCHours(0, 0, 0, 0);
  if (weekday !== null) {
    const ahead = (weekday.day - at.getUTCDay() + 7) % 7;
    const weeks = weekday.weeks > 0 ? (ahead === 0 ? 1 : 0) : weekday.weeks;
    at.setUTCDate(at.getUTCDate() + ahead + weeks * 7);
  }
  // Days are calendar days; hours are added after the zone was applied.
  let later = 0;
  for (const { count, unit } of added) {
    if (unit === "year") at.setUTCFullYear(at.getUTCFullYear() + count);
    else if (unit === "month") at.setUTCMonth(at.getUTCMonth() + count);
    else if (unit === "day" || unit === "week" || unit === "fortnight")
      at.setUTCDate(at.getUTCDate() + count * (unit === "day" ? 1 : unit === "week" ? 7 : 14));
    else later += count * (unit === "hour" ? 3_600_000 : unit.startsWith("min") ? 60_000 : 1000);
  }
  return new Date((said === null ? timeOf(at.getTime(), zone) : at.getTime() - said * 60_000) + later);
}
