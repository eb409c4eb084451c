/** A time zone, as named by `TZ`. */
export interface Zone {
  /** Seconds east of UTC at a time given in milliseconds since 1970. */
  offset(time: number): number;
  /** A name such as EST or CEST, or +09 if there is none. */
  name(time: number): string;
}

export const utc: Zone = { offset: () => 0, name: () => "UTC" };

const known = new Map<string, Zone>();

/** The zone of an exported `TZ`. As in glibc, an unknown zone is UTC, under the name that the text starts with. */
export function zoneOf(tz: string | undefined): Zone {
  const text = (tz ?? "").replace(/^:/, "");
  if (text === "") return utc;
  const zone = known.get(text) ?? namedZone(text) ?? posixZone(text) ?? otherZone(text);
  if (known.size < 100) known.set(text, zone);
  return zone;
}

/** "+0530", or with a separator "+05:30". */
export function offsetText(seconds: number, separator = ""): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}

/**
 * The time at which clocks in the zone show `local`, which is given as if it were UTC. Of two such times, the earlier one. A time skipped at the
 * start of summer time is read with the earlier offset.
 */
export function timeOf(local: number, zone: Zone): number {
  const day = 86_400_000;
  const early = local - zone.offset(local - day) * 1000;
  if (early + zone.offset(early) * 1000 === local) return early;
  const late = local - zone.offset(local + day) * 1000;
  return late + zone.offset(late) * 1000 === local ? late : early;
}

const two = (number: number): string => String(number).padStart(2, "0");

function otherZone(text: string): Zone {
  const name = /^[A-Za-z]{3,}/.exec(text)?.[0] ?? "UTC";
  return { offset: () => 0, name: () => name };
}

/** Zones that the browser writes without a name, or with another name than the list of zones has. */
const ownNames: Readonly<Record<string, readonly [standard: string, summer: string]>> = {
  "Africa/Cairo": ["EET", "EEST"],
  "Africa/Johannesburg": ["SAST", "SAST"],
  "Africa/Lagos": ["WAT", "WAT"],
  "Africa/Nairobi": ["EAT", "EAT"],
  "America/St_Johns": ["NST", "NDT"],
  "Asia/Calcutta": ["IST", "IST"],
  "Asia/Dubai": ["+04", "+04"],
  "Asia/Hong_Kong": ["HKT", "HKST"],
  "Asia/Jakarta": ["WIB", "WIB"],
  "Asia/Jerusalem": ["IST", "IDT"],
  "Asia/Karachi": ["PKT", "PKST"],
  "Asia/Kolkata": ["IST", "IST"],
  "Asia/Manila": ["PST", "PDT"],
  "Asia/Seoul": ["KST", "KDT"],
  "Asia/Shanghai": ["CST", "CDT"],
  "Asia/Taipei": ["CST", "CDT"],
  "Asia/Tokyo": ["JST", "JDT"],
  "Australia/Adelaide": ["ACST", "ACDT"],
  "Australia/Brisbane": ["AEST", "AEDT"],
  "Australia/Darwin": ["ACST", "ACDT"],
  "Australia/Hobart": ["AEST", "AEDT"],
  "Australia/Melbourne": ["AEST", "AEDT"],
  "Australia/Perth": ["AWST", "AWDT"],
  "Australia/Sydney": ["AEST", "AEDT"],
  "Europe/Dublin": ["GMT", "IST"],
  "Europe/Istanbul": ["+03", "+03"],
  "Europe/Moscow": ["MSK", "MSD"],
  GMT: ["GMT", "GMT"],
  "Pacific/Auckland": ["NZST", "NZDT"],
  "Pacific/Honolulu": ["HST", "HDT"],
};

const africanNames: Readonly<Record<number, string>> = { 3600: "WAT", 7200: "CAT", 10_800: "EAT" };

/** A zone whose rules the browser knows; null: it knows none of that name. */
function namedZone(text: string): Zone | null {
  if (!/^[A-Za-z]/.test(text)) return null;
  const partOf = (locale: string, timeZoneName: "longOffset" | "short"): ((time: number) => string) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: text, timeZoneName });
    return (time) => format.formatToParts(time).find(({ type }) => type === "timeZoneName")?.value ?? "";
  };
  let offsets: (time: number) => string;
  try {
    offsets = partOf("en-US", "longOffset");
  } catch {
    // The browser knows no such zone.
    return null;
  }
  // American names are known in American English, European ones in British English.
  const names = [partOf("en-US", "short"), partOf("en-GB", "short")];
  const offset = (time: number): number => {
    const [, sign, hours, minutes, seconds] = /([-+\u2212])(\d+):?(\d\d)?:?(\d\d)?/.exec(offsets(time)) ?? [];
    return (sign === undefined || sign === "+" ? 1 : -1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0));
  };
  const name = (time: number): string => {
    const own = Object.hasOwn(ownNames, text) ? ownNames[text] : undefined;
    if (own) {
      const year = new Date(time).getUTCFullYear();
      return offset(time) > Math.min(offset(Date.UTC(year, 0)), offset(Date.UTC(year, 6))) ? own[1] : own[0];
    }
    const found = names.map((each) => each(time)).find((each) => /^[A-Z]{3,5}$/.test(each));
    return found ?? (text.startsWith("Africa/") ? africanNames[offset(time)] : undefined) ?? offsetText(offset(time)).replace(/00$/, "");
  };
  return { offset, name };
}

interface Change {
  readonly month: number;
  readonly week: number;
  readonly day: number;
  readonly seconds: number;
}

/** Parses `EST5EDT,M3.2.0,M11.1.0`, `UTC+3` and `<+0330>-3:30`. Offsets count westward. Days of the year (`J60`) are not supported. */
function posixZone(text: string): Zone | null {
  const name = String.raw`([A-Za-z]{3,}|<[-+A-Za-z0-9]{3,}>)`;
  const clock = String.raw`([-+]?\d{1,2}(?::\d\d){0,2})`;
  const change = String.raw`M(\d+)\.(\d)\.(\d)(?:/${clock})?`;
  const found = new RegExp(`^${name}${clock}(?:${name}${clock}?(?:,${change},${change})?)?$`).exec(text);
  if (!found) return null;
  const bare = (given: string): string => given.replaceAll(/[<>]/g, "");
  const standard = -secondsOf(found[2] ?? "");
  const standardName = bare(found[1] ?? "");
  if (found[3] === undefined) return { offset: () => standard, name: () => standardName };
  const summerName = bare(found[3]);
  const summer = found[4] === undefined ? standard + 3600 : -secondsOf(found[4]);
  const changeAt = (at: number, otherwise: Change): Change =>
    found[at] === undefined
      ? otherwise
      : {
          month: Number(found[at]),
          week: Number(found[at + 1]),
          day: Number(found[at + 2]),
          seconds: found[at + 3] === undefined ? 7200 : secondsOf(found[at + 3] ?? ""),
        };
  const start = changeAt(5, { month: 3, week: 2, day: 0, seconds: 7200 });
  const end = changeAt(9, { month: 11, week: 1, day: 0, seconds: 7200 });
  const isSummer = (time: number): boolean => {
    const year = new Date(time + standard * 1000).getUTCFullYear();
    const from = momentOf(start, year) - standard * 1000;
    const to = momentOf(end, year) - summer * 1000;
    return from < to ? time >= from && time < to : time >= from || time < to;
  };
  return { offset: (time) => (isSummer(time) ? summer : standard), name: (time) => (isSummer(time) ? summerName : standardName) };
}

function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.replace(/^[-+]/, "").split(":").map(Number);
  return (clock.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** When the clocks change in a year, in local time; week 5 means the last one. */
function momentOf({ month, week, day, seconds }: Change, year: number): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let date = 1 + ((day - first + 7) % 7) + (week - 1) * 7;
  while (date > days) date -= 7;
  return Date.UTC(year, month - 1, date) + seconds * 1000;
}
