import { fatal } from "../stop.ts";

export interface When {
  /** Seconds since 1970. */
  readonly time: number;
  readonly zone: string;
}

/** Parses a date in a format that git accepts: "@0 +0000", "1700000000 +0100", ISO 8601, RFC 2822, "2 days ago". The default zone is UTC. */
export function parseDate(text: string, now: number): When | null {
  const raw = /^@?(\d+)(?: ([-+]\d{4}))?$/.exec(text.trim());
  if (raw) return { time: Number(raw[1]), zone: raw[2] ?? "+0000" };
  const ago = /^(\d+)[ .](second|minute|hour|day|week|month|year)s?[ .]ago$/i.exec(text.trim());
  if (ago) return { time: Math.floor(now / 1000) - Number(ago[1]) * (units[(ago[2] ?? "").toLowerCase()] ?? 0), zone: "+0000" };
  if (text === "now" || text === "today") return { time: Math.floor(now / 1000), zone: "+0000" };
  if (text === "yesterday") return { time: Math.floor(now / 1000) - 86_400, zone: "+0000" };
  const zone = /(?:([-+])(\d\d):?(\d\d)|Z|UTC|GMT)$/.exec(text.trim());
  const parsed = Date.parse(
    zone
      ? text
      : `${text.trim().replace(/^(\d{4}-\d\d-\d\d) /, "$1T")}${/\d{4}-\d\d-\d\d$/.test(text) ? "" : /[A-Za-z]{3}/.test(text) ? " UTC" : "Z"}`,
  );
  if (Number.isNaN(parsed)) return null;
  return { time: Math.floor(parsed / 1000), zone: zone?.[1] ? `${zone[1]}${zone[2]}${zone[3]}` : "+0000" };
}

const units: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  year: 31_536_000,
};

const plainStyles = ["default", "iso", "iso-strict", "short", "raw", "unix", "rfc", "relative"] as const;
/** "local" is `default` without the zone. This machine's zone is UTC. */
export type DateStyle = (typeof plainStyles)[number] | "local" | `${(typeof plainStyles)[number]}-local` | `format:${string}`;

const otherNames: Readonly<Record<string, DateStyle>> = {
  iso8601: "iso",
  "iso8601-strict": "iso-strict",
  rfc2822: "rfc",
  normal: "default",
};

/** The style that `--date` names. */
export function readDateStyle(value: string | null): DateStyle {
  if (value === null) return "default";
  if (value === "local") return "local";
  if (value.startsWith("format:")) return `format:${value.slice("format:".length)}`;
  if (value.startsWith("format-local:")) return `format:${value.slice("format-local:".length)}`;
  const name = otherNames[value.replace(/-local$/, "")] ?? value.replace(/-local$/, "");
  const plain = plainStyles.find((style) => style === name) ?? fatal(`unknown date format ${value}`);
  return value.endsWith("-local") ? `${plain}-local` : plain;
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January February March April May June July August September October November December".split(" ");

const two = (number: number): string => String(number).padStart(2, "0");

export function formatDate({ time, zone: own }: When, style: DateStyle, now: number): string {
  if (style === "local") return formatDate({ time, zone: "+0000" }, "default", now).replace(/ \+0000$/, "");
  if (style.endsWith("-local")) return formatDate({ time, zone: "+0000" }, readDateStyle(style.slice(0, -"-local".length)), now);
  const zone = own;
  const offset = (zone.startsWith("-") ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5)));
  const local = new Date((time + offset * 60) * 1000);
  const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  const date = `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`;
  const day = days[local.getUTCDay()]?.slice(0, 3) ?? "";
  const month = months[local.getUTCMonth()]?.slice(0, 3) ?? "";
  switch (style) {
    case "default":
      return `${day} ${month} ${local.getUTCDate()} ${clock} ${local.getUTCFullYear()} ${zone}`;
    case "iso":
      return `${date} ${clock} ${zone}`;
    case "iso-strict":
      return `${date}T${clock}${zone.slice(0, 3)}:${zone.slice(3)}`;
    case "short":
      return date;
    case "raw":
      return `${time} ${zone}`;
    case "unix":
      return String(time);
    case "rfc":
      return `${day}, ${local.getUTCDate()} ${month} ${local.getUTCFullYear()} ${clock} ${zone}`;
    case "relative":
      return relative(Math.floor(now / 1000) - time);
    default:
      return strftime(style.slice("format:".length), local, time, zone);
  }
}

/** C's strftime, as far as it does not depend on a language. */
function strftime(format: string, at: Date, time: number, zone: string): string {
  const yearDay = Math.floor(
    (Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000,
  );
  const hour = at.getUTCHours();
  const fields: Readonly<Record<string, () => string>> = {
    Y: () => String(at.getUTCFullYear()),
    y: () => two(at.getUTCFullYear() % 100),
    m: () => two(at.getUTCMonth() + 1),
    d: () => two(at.getUTCDate()),
    e: () => String(at.getUTCDate()).padStart(2),
    H: () => two(hour),
    I: () => two(hour % 12 || 12),
    M: () => two(at.getUTCMinutes()),
    S: () => two(at.getUTCSeconds()),
    p: () => (hour < 12 ? "AM" : "PM"),
    j: () => String(yearDay + 1).padStart(3, "0"),
    u: () => String(at.getUTCDay() || 7),
    w: () => String(at.getUTCDay()),
    a: () => days[at.getUTCDay()]?.slice(0, 3) ?? "",
    A: () => days[at.getUTCDay()] ?? "",
    b: () => months[at.getUTCMonth()]?.slice(0, 3) ?? "",
    h: () => months[at.getUTCMonth()]?.slice(0, 3) ?? "",
    B: () => months[at.getUTCMonth()] ?? "",
    s: () => String(time),
    z: () => zone,
    Z: () => (zone === "+0000" ? "UTC" : ""),
    n: () => "\n",
    t: () => "\t",
    "%": () => "%",
  };
  const whole: Readonly<Record<string, string>> = {
    F: "%Y-%m-%d",
    T: "%H:%M:%S",
    D: "%m/%d/%y",
    R: "%H:%M",
    x: "%m/%d/%y",
    X: "%H:%M:%S",
    c: "%a %b %e %H:%M:%S %Y",
  };
  return format
    .replaceAll(/%([FTDRxXc%])/g, (all, letter: string) => whole[letter] ?? all)
    .replaceAll(/%(.)/gs, (all, letter: string) => fields[letter]?.() ?? all);
}

/** A relative date, with git's own thresholds. */
function relative(seconds: number): string {
  const text = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  if (seconds < 0) return "in the future";
  if (seconds < 90) return text(seconds, "second");
  const minutes = Math.floor((seconds + 30) / 60);
  if (minutes < 90) return text(minutes, "minute");
  const hours = Math.floor((minutes + 30) / 60);
  if (hours < 36) return text(hours, "hour");
  const dayCount = Math.floor((hours + 12) / 24);
  if (dayCount < 14) return text(dayCount, "day");
  if (dayCount < 70) return text(Math.floor((dayCount + 3) / 7), "week");
  if (dayCount < 365) return text(Math.floor((dayCount + 15) / 30), "month");
  if (dayCount < 1825) {
    const monthCount = Math.floor((dayCount * 12 * 2 + 365) / (365 * 2));
    const years = Math.floor(monthCount / 12);
    const rest = monthCount % 12;
    const yearText = `${years} year${years === 1 ? "" : "s"}`;
    return rest === 0 ? `${yearText} ago` : `${yearText}, ${rest} month${rest === 1 ? "" : "s"} ago`;
  }
  return text(Math.floor((dayCount + 183) / 365), "year");
}
