import type { FsStat } from "just-bash/browser";
import { foldersCommand } from "../script.ts";
import { type Zone, zoneOf } from "../zone.ts";
import { type Context, failed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, flagsOf, linkStatOf, statOf } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";
import { timeText } from "./time-text.ts";

interface Item {
  readonly name: string;
  readonly stat: FsStat;
  /** The target of a link. */
  readonly target?: string;
}

const long = {
  all: "a",
  "almost-all": "A",
  "human-readable": "h",
  recursive: "R",
  directory: "d",
  reverse: "r",
  classify: "F",
  size: "s",
  inode: "i",
  "group-directories-first": "first",
  color: "ignored",
  time: "ignored",
  "time-style": "style",
  sort: "sort",
  "full-time": "full",
  "no-group": "G",
  format: "ignored",
  "numeric-uid-gid": "n",
};

/** Prints one name per line, because no command here writes to a terminal. */
export const ls = command("ls", async (given, context) => {
  const args = given.map((arg) => (arg === "--color" ? "--color=auto" : arg));
  const options = parseOptions(args, "1aAlhRdtSrFpisgGoknXUvcuCxmbQNqLH", long, ["ignored", "style", "sort"]);
  if (typeof options === "string") return failed("ls", options, 2);
  const files: Item[] = [];
  const folders: Item[] = [];
  let stderr = "";
  for (const name of options.operands.length === 0 ? ["."] : options.operands) {
    const item = await itemAt(context, name, name, options.has("L") || (!isLong(options) && !options.has("d") && !options.has("F")));
    const { stat } = item ?? { stat: null };
    if (item === null || stat === null) stderr += `ls: cannot access '${name}': No such file or directory\n`;
    else if (name.endsWith("/") && !stat.isDirectory) stderr += `ls: cannot access '${name}': Not a directory\n`;
    else (stat.isDirectory && !options.has("d") ? folders : files).push(item);
  }
  const sections: string[] = [];
  if (files.length > 0) sections.push(show(sorted(files, options), options, zoneOf(context.exportedEnv?.["TZ"])));
  const titled = options.operands.length > 1 || options.has("R");
  for (const folder of sorted(folders, options)) await list(folder.name, options, titled, sections, context);
  return { stdout: sections.join("\n"), stderr, exitCode: stderr === "" ? 0 : 2 };
});

/** Null: nothing is there. `follows`: a link with an existing target counts as its target. */
async function itemAt(context: Context, name: string, path: string, follows: boolean): Promise<Item | null> {
  const stat = await linkStatOf(context, path);
  if (stat?.isSymbolicLink !== true) return stat && { name, stat };
  const leadsTo = follows || path.endsWith("/") ? await statOf(context, path) : null;
  return leadsTo ? { name, stat: leadsTo } : { name, stat, target: await context.fs.readlink(absolute(context, path)) };
}

/** Expands a pattern that ends in a slash. Without a match it prints the pattern, or nothing if the shell already removed it. */
export const folders = command(foldersCommand, async ([pattern = "", ...matches], context) => {
  const found: string[] = [];
  for (const match of matches) if ((await statOf(context, match))?.isDirectory) found.push(match.endsWith("/") ? match : `${match}/`);
  return { stdout: `\n${(found.length === 0 && matches.length > 0 ? [pattern] : found).map((each) => `${each}\n`).join("")}` };
});

async function list(path: string, options: Options, titled: boolean, sections: string[], context: Context): Promise<void> {
  const at = absolute(context, path);
  const items: Item[] = [];
  if (options.has("a")) {
    items.push({ name: ".", stat: await context.fs.stat(at) });
    items.push({ name: "..", stat: await context.fs.stat(at.replace(/\/[^/]*$/, "") || "/") });
  }
  for (const name of await context.fs.readdir(at)) {
    if (name.startsWith(".") && !options.has("a") && !options.has("A")) continue;
    // It may have been removed since it was listed.
    const item = await itemAt(context, name, at === "/" ? `/${name}` : `${at}/${name}`, options.has("L"));
    if (item) items.push(item);
  }
  const order = sorted(items, options);
  const total =
    isLong(options) || options.has("s") ? `total ${amount(items.reduce((sum, { stat }) => sum + blocks(stat), 0) * 1024, options)}\n` : "";
  sections.push((titled ? `${path}:\n` : "") + total + show(order, options, zoneOf(context.exportedEnv?.["TZ"])));
  if (!options.has("R")) return;
  for (const { name, stat } of order)
    if (stat.isDirectory && name !== "." && name !== "..")
      await list(path.endsWith("/") ? path + name : `${path}/${name}`, options, titled, sections, context);
}

const isLong = (options: Options): boolean => ["l", "g", "o", "n", "full"].some((letter) => options.has(letter));

function sorted(items: readonly Item[], options: Options): Item[] {
  const by =
    options.value("sort") ??
    (options.has("t")
      ? "time"
      : options.has("S")
        ? "size"
        : options.has("X")
          ? "extension"
          : options.has("v")
            ? "version"
            : options.has("U")
              ? "none"
              : "name");
  const byName = (a: Item, b: Item): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const extension = ({ name }: Item): string => name.slice(name.lastIndexOf(".") + 1 || name.length);
  const orders: Readonly<Record<string, (a: Item, b: Item) => number>> = {
    name: byName,
    time: (a, b) => b.stat.mtime.getTime() - a.stat.mtime.getTime() || byName(a, b),
    size: (a, b) => b.stat.size - a.stat.size || byName(a, b),
    extension: (a, b) => (extension(a) < extension(b) ? -1 : extension(a) > extension(b) ? 1 : byName(a, b)),
    version: (a, b) => a.name.localeCompare(b.name, "en", { numeric: true }),
    none: () => 0,
  };
  const order = items.toSorted(orders[by] ?? byName);
  if (options.has("r")) order.reverse();
  if (options.has("first")) order.sort((a, b) => Number(b.stat.isDirectory) - Number(a.stat.isDirectory));
  return order;
}

/** Kilobytes on a disk with blocks of 4 KB, as is usual. */
const blocks = (stat: FsStat): number => (stat.isDirectory ? 4 : Math.ceil(stat.size / 4096) * 4);

function amount(bytes: number, options: Options): string {
  if (!options.has("h")) return String(bytes / 1024);
  return human(bytes);
}

function human(bytes: number): string {
  let value = bytes;
  let unit = "";
  for (const next of ["K", "M", "G"]) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  if (unit === "") return String(bytes);
  return `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${unit}`;
}

function mark({ stat }: Item, options: Options): string {
  if (stat.isDirectory) return options.has("F") || options.has("p") ? "/" : "";
  if (stat.isSymbolicLink) return options.has("F") ? "@" : "";
  return options.has("F") && (stat.mode & 0o111) !== 0 ? "*" : "";
}

function show(items: readonly Item[], options: Options, zone: Zone): string {
  const shown = (item: Item): string => (options.has("Q") ? JSON.stringify(item.name) : item.name) + mark(item, options);
  const before = (item: Item): string =>
    (options.has("i") ? `${item.stat.identity ?? 0} ` : "") + (options.has("s") ? `${blocks(item.stat)} ` : "");
  if (options.has("m")) return items.length === 0 ? "" : `${items.map(shown).join(", ")}\n`;
  if (!isLong(options)) return items.map((item) => `${before(item)}${shown(item)}\n`).join("");
  const size = ({ stat }: Item): string => {
    const bytes = stat.isDirectory ? 4096 : stat.size;
    return options.has("h") ? human(bytes) : String(bytes);
  };
  const width = Math.max(0, ...items.map((item) => size(item).length));
  const user = options.has("n") ? "1000" : "user";
  return items
    .map((item) => {
      const { stat } = item;
      const owners = [options.has("g") ? [] : [user], options.has("G") || options.has("o") ? [] : [user]].flat().join(" ");
      return `${before(item)}${flagsOf(stat)} 1 ${owners} ${size(item).padStart(width)} ${time(stat.mtime, options, zone)} ${shown(item)}${item.target === undefined ? "" : ` -> ${item.target}`}\n`;
    })
    .join("");
}

const halfYear = 182 * 86_400_000;

function time(mtime: Date, options: Options, zone: Zone): string {
  const style = options.has("full") ? "full-iso" : options.value("style");
  if (style === "full-iso") return timeText("%F %T.%N %z", mtime, zone);
  if (style?.startsWith("+")) return timeText(style.slice(1), mtime, zone);
  const isOld = Math.abs(Date.now() - mtime.getTime()) > halfYear;
  if (style === "iso") return timeText(isOld ? "%Y-%m-%d " : "%m-%d %H:%M", mtime, zone);
  if (style === "long-iso") return timeText("%F %H:%M", mtime, zone);
  return timeText(isOld ? "%b %e  %Y" : "%b %e %H:%M", mtime, zone);
}
