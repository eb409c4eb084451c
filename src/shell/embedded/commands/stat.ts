import type { FsStat } from "just-bash/browser";
import { type Zone, zoneOf } from "../zone.ts";
import { failed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, flagsOf, linkStatOf, statOf } from "./files.ts";
import { parseOptions } from "./options.ts";
import { timeText } from "./time-text.ts";

function shown(format: string, name: string, stat: FsStat, target: string | null, zone: Zone): string {
  const time = timeText("%F %T.%N %z", stat.mtime, zone);
  const seconds = String(Math.floor(stat.mtime.getTime() / 1000));
  const size = stat.isDirectory ? 4096 : stat.size;
  const fields: Readonly<Record<string, string>> = {
    n: name,
    N: target === null ? `'${name}'` : `'${name}' -> '${target}'`,
    s: String(size),
    a: (stat.mode & 0o7777).toString(8),
    A: flagsOf(stat),
    f: ((stat.isSymbolicLink ? 0o120000 : stat.isDirectory ? 0o40000 : 0o100000) | stat.mode).toString(16),
    F: stat.isSymbolicLink ? "symbolic link" : stat.isDirectory ? "directory" : stat.size === 0 ? "regular empty file" : "regular file",
    u: "1000",
    g: "1000",
    U: "user",
    G: "user",
    h: "1",
    d: "1",
    D: "1",
    m: "/",
    o: "4096",
    B: "512",
    i: stat.identity ?? "0",
    b: String(Math.ceil(size / 4096) * 8),
    y: time,
    x: time,
    z: time,
    w: "-",
    Y: seconds,
    X: seconds,
    Z: seconds,
    W: "0",
  };
  return format.replaceAll(/%(-?\d*)([a-zA-Z%])/g, (whole: string, width: string, letter: string) => {
    const value = letter === "%" ? "%" : Object.hasOwn(fields, letter) ? (fields[letter] ?? whole) : "?";
    return width.startsWith("-") ? value.padEnd(-Number(width)) : value.padStart(Number(width));
  });
}

const standard = `  File: %n
  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: 0,1\tInode: %-11i Links: %h
Access: (0%a/%A)  Uid: ( %u/    user)   Gid: ( %g/    user)
Access: %x
Modify: %y
Change: %z
 Birth: %w
`;

export const stat = command("stat", async (args, context) => {
  const options = parseOptions(args, "c:Lft", { format: "c", printf: "printf", dereference: "L", terse: "t" }, ["printf"]);
  if (typeof options === "string") return failed("stat", options);
  if (options.has("f")) return failed("stat", "there is no file system to tell of");
  if (options.operands.length === 0) return failed("stat", "missing operand\nTry 'stat --help' for more information.");
  const printf = options.value("printf")?.replaceAll(/\\([nt])/g, (_, letter: string) => (letter === "n" ? "\n" : "\t"));
  const format = printf ?? (options.has("c") ? `${options.value("c")}\n` : standard);
  const zone = zoneOf(context.exportedEnv?.["TZ"]);
  let stdout = "";
  let stderr = "";
  for (const name of options.operands) {
    const found = options.has("L") ? await statOf(context, name) : await linkStatOf(context, name);
    if (found === null) stderr += `stat: cannot statx '${name}': No such file or directory\n`;
    else stdout += shown(format, name, found, found.isSymbolicLink ? await context.fs.readlink(absolute(context, name)) : null, zone);
  }
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
});
