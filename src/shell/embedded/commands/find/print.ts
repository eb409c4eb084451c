import { flagsOf } from "../files.ts";
import type { Zone } from "../../zone.ts";
import { timeText } from "../time-text.ts";
import type { Entry } from "./entry.ts";

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\\": "\\",
};

/** `-printf` */
export async function printed(format: string, entry: Entry, zone: Zone): Promise<string> {
  let text = "";
  let last = 0;
  for (const found of format.matchAll(/\\([0-7]{1,3}|.)|%([-+ #0]*)(\d*)(?:\.(\d+))?(?:([ACTB])(.)|(.))/gs)) {
    const [whole, escape, flags = "", width = "", precision, time, field, letter = ""] = found;
    text += format.slice(last, found.index);
    last = found.index + whole.length;
    if (escape === "c") return text;
    if (escape !== undefined) {
      text += /^[0-7]{2,3}$/.test(escape) ? String.fromCharCode(Number.parseInt(escape, 8)) : (escapes[escape] ?? whole);
      continue;
    }
    const value = time === undefined ? await fieldOf(letter, entry, zone) : await timeOf(field ?? "", entry, zone);
    if (value === null) text += whole;
    else {
      const cut = precision === undefined ? value : value.slice(0, Number(precision));
      text += flags.includes("-") ? cut.padEnd(Number(width)) : cut.padStart(Number(width), flags.includes("0") ? "0" : " ");
    }
  }
  return text + format.slice(last);
}

/** Null: there is no such field. */
async function fieldOf(letter: string, entry: Entry, zone: Zone): Promise<string | null> {
  const { path, start, name, depth } = entry;
  if (letter === "%") return "%";
  if (letter === "p") return path;
  if (letter === "f") return name;
  if (letter === "h") return path.includes("/") ? path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") : ".";
  if (letter === "P") return path.slice(start.length).replace(/^\//, "");
  if (letter === "H") return start;
  if (letter === "d") return String(depth);
  if (letter === "y" || letter === "Y") return entry.kind();
  if (letter === "l") return "";
  const stat = await entry.stat();
  const size = stat.isDirectory ? 4096 : stat.size;
  if (letter === "s") return String(size);
  if (letter === "k") return String(Math.ceil(size / 4096) * 4);
  if (letter === "b") return String(Math.ceil(size / 4096) * 8);
  if (letter === "m") return (stat.mode & 0o7777).toString(8);
  if (letter === "M") return flagsOf(stat);
  if (letter === "u" || letter === "g") return "user";
  if (letter === "U" || letter === "G") return "1000";
  if (letter === "n") return "1";
  if (letter === "i") return stat.identity ?? "0";
  if (letter === "D") return "1";
  if (letter === "a" || letter === "c" || letter === "t") return timeText("%a %b %e %H:%M:%S.0000000000 %Y", stat.mtime, zone);
  return null;
}

async function timeOf(field: string, entry: Entry, zone: Zone): Promise<string | null> {
  const { mtime } = await entry.stat();
  const seconds = `${(mtime.getTime() / 1000).toFixed(3)}0000000`;
  if (field === "@") return seconds;
  if (field === "+") return timeText("%Y-%m-%d+%H:%M:%S.0000000000", mtime, zone);
  if (field === "S" || field === "T") return `${timeText(field === "S" ? "%S" : "%H:%M:%S", mtime, zone)}.0000000000`;
  return timeText(`%${field}`, mtime, zone);
}

/** `-ls` */
export async function listed(entry: Entry, zone: Zone): Promise<string> {
  const stat = await entry.stat();
  const size = stat.isDirectory ? 4096 : stat.size;
  const time = timeText(Math.abs(Date.now() - stat.mtime.getTime()) > 182 * 86_400_000 ? "%b %e  %Y" : "%b %e %H:%M", stat.mtime, zone);
  const blocks = String(Math.ceil(size / 4096) * 4);
  return `${(stat.identity ?? "0").padStart(9)} ${blocks.padStart(6)} ${flagsOf(stat)}   1 user     user     ${String(size).padStart(8)} ${time} ${entry.path}\n`;
}
