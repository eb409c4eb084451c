import { readTime } from "../date.ts";
import { absolute, statOf, type Place } from "../files.ts";
import { toRegExp } from "../../posix-regex.ts";
import type { Zone } from "../../zone.ts";
import type { Entry } from "./entry.ts";
import { Wrong } from "./wrong.ts";

export type Test = (entry: Entry) => Promise<boolean> | boolean;

/** The context in which a test is created. */
export interface Given {
  readonly place: Place;
  readonly zone: Zone;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The syntax selected by `-regextype`. */
  readonly regexKind: "emacs" | "basic" | "extended";
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** Tests that take an argument. */
export const testsWithValue: Readonly<Record<string, (value: string, given: Given) => Test | Promise<Test>>> = {
  name: (value) => nameTest(value, ""),
  iname: (value) => nameTest(value, "i"),
  path: (value) => pathTest(value, ""),
  ipath: (value) => pathTest(value, "i"),
  wholename: (value) => pathTest(value, ""),
  iwholename: (value) => pathTest(value, "i"),
  regex: (value, { regexKind }) => regexTest(value, regexKind, ""),
  iregex: (value, { regexKind }) => regexTest(value, regexKind, "i"),
  type: kindTest,
  xtype: kindTest,
  lname: () => () => false,
  size: sizeTest,
  perm: permTest,
  user: () => () => true,
  group: () => () => true,
  uid: (value) => numberTest("uid", value, () => 1000),
  gid: (value) => numberTest("gid", value, () => 1000),
  links: (value) => numberTest("links", value, () => 1),
  inum: (value) => numberTest("inum", value, async (entry) => Number((await entry.stat()).identity ?? 0)),
  samefile: (value, { place }) => {
    const at = absolute(place, value);
    return (entry) => absolute(place, entry.path) === at;
  },
  newer: newerFile,
  anewer: newerFile,
  cnewer: newerFile,
  mtime: (value, { now }) => ageTest("mtime", value, day, now),
  atime: (value, { now }) => ageTest("atime", value, day, now),
  ctime: (value, { now }) => ageTest("ctime", value, day, now),
  mmin: (value, { now }) => ageTest("mmin", value, minute, now),
  amin: (value, { now }) => ageTest("amin", value, minute, now),
  cmin: (value, { now }) => ageTest("cmin", value, minute, now),
};

/** Tests without an argument. */
export const plainTests: Readonly<Record<string, Test>> = {
  true: () => true,
  false: () => false,
  empty: async (entry) => {
    const { isDirectory, isSymbolicLink, size } = await entry.stat();
    return isDirectory ? (await entry.children()).length === 0 : !isSymbolicLink && size === 0;
  },
  readable: async (entry) => ((await entry.stat()).mode & 0o444) !== 0,
  writable: async (entry) => ((await entry.stat()).mode & 0o222) !== 0,
  executable: async (entry) => ((await entry.stat()).mode & 0o111) !== 0,
  nouser: () => false,
  nogroup: () => false,
};

/** `-newermt date`, `-newermm file` and similar tests; null: not one of them. A file has only one time. */
export function newerXY(name: string): ((value: string, given: Given) => Test | Promise<Test>) | null {
  const found = /^newer[acmB]([acmBt])$/.exec(name);
  if (!found) return null;
  if (found[1] !== "t") return newerFile;
  return (value, { now, zone }) => {
    const time = readTime(value, new Date(now), zone);
    if (time === null) throw new Wrong(`I cannot figure out how to interpret ‘${value}’ as a date or time`);
    return async (entry) => (await entry.stat()).mtime.getTime() > time.getTime();
  };
}

async function newerFile(value: string, { place }: Given): Promise<Test> {
  const other = await statOf(place, value);
  if (other === null) throw new Wrong(`‘${value}’: No such file or directory`);
  return async (entry) => (await entry.stat()).mtime.getTime() > other.mtime.getTime();
}

function nameTest(pattern: string, flags: string): Test {
  const expression = globExpression(pattern, flags);
  return (entry) => expression.test(entry.name);
}

function pathTest(pattern: string, flags: string): Test {
  const expression = globExpression(pattern, flags);
  return (entry) => expression.test(entry.path);
}

/** fnmatch without flags: `*` matches slashes and leading dots. */
function globExpression(pattern: string, flags: string): RegExp {
  let text = "";
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern.charAt(at);
    const brackets = /^\[([!^]?)(\]?(?:\[:\w+:\]|[^\]])*)\]/.exec(pattern.slice(at));
    if (letter === "*") text += ".*";
    else if (letter === "?") text += ".";
    else if (brackets) {
      const inside = (brackets[2] ?? "")
        .replaceAll(/[\\[\]^]/g, (found, i: number, whole: string) => (found === "[" && whole.startsWith("[:", i) ? found : `\\${found}`))
        .replaceAll(/\[:(\w+):\\\]/g, (_, name: string) => classes[name] ?? "");
      text += `[${brackets[1] === "" ? "" : "^"}${inside}]`;
      at += brackets[0].length - 1;
    } else {
      const literal = letter === "\\" && at + 1 < pattern.length ? pattern.charAt(++at) : letter;
      text += /[\\^$.*+?()[\]{}|/]/.test(literal) ? `\\${literal}` : literal;
    }
  }
  return new RegExp(`^${text}$`, `s${flags}`);
}

const classes: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  punct: "!-\\/:-@\\[-`{-~",
  xdigit: "0-9a-fA-F",
};

function regexTest(source: string, kind: Given["regexKind"], flags: string): Test {
  // Except for these two, Emacs' operators are those of a basic expression.
  const text =
    kind === "emacs" ? source.replaceAll(/\\.|\[\^?\]?[^\]]*\]|[+?]/g, (found) => (/^[+?]$/.test(found) ? `\\${found}` : found)) : source;
  const plain = toRegExp(text, kind === "emacs" ? "basic" : kind, `${flags}s`);
  const whole = new RegExp(`^(?:${plain.source})$`, plain.flags);
  return (entry) => whole.test(entry.path);
}

function kindTest(value: string): Test {
  const kinds = value.split(",");
  const odd = kinds.find((kind) => !/^[bcdpflsD]$/.test(kind));
  if (odd !== undefined) throw new Wrong(`Unknown argument to -type: ${odd.charAt(0)}`);
  return async (entry) => kinds.includes(await entry.kind());
}

interface Compared {
  readonly sign: "" | "+" | "-";
  readonly number: number;
}

function compared(name: string, value: string): Compared {
  const found = /^([+-]?)(\d+(?:\.\d+)?)$/.exec(value);
  if (!found) throw new Wrong(`invalid argument \`${value}' to \`-${name}'`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the expression matches nothing else.
  return { sign: (found[1] ?? "") as Compared["sign"], number: Number(found[2]) };
}

const fits = ({ sign, number }: Compared, actual: number): boolean =>
  sign === "+" ? actual > number : sign === "-" ? actual < number : actual === number;

function numberTest(name: string, value: string, of: (entry: Entry) => number | Promise<number>): Test {
  const wanted = compared(name, value);
  return async (entry) => fits(wanted, await of(entry));
}

function ageTest(name: string, value: string, unit: number, now: number): Test {
  const wanted = compared(name, value);
  return async (entry) => {
    const age = (now - (await entry.stat()).mtime.getTime()) / unit;
    // As in GNU find, minutes are exact and days are whole.
    if (unit === day) return fits(wanted, Math.floor(age));
    return wanted.sign === "" ? Math.ceil(age) === wanted.number : fits(wanted, age);
  };
}

const sizes: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function sizeTest(value: string): Test {
  const unit = sizes[/[a-zA-Z]$/.exec(value)?.[0] ?? "b"];
  if (unit === undefined) throw new Wrong(`invalid -size type \`${value.slice(-1)}'`);
  const wanted = compared("size", value.replace(/[a-zA-Z]$/, ""));
  return async (entry) => {
    const { size, isDirectory } = await entry.stat();
    return fits(wanted, Math.ceil((isDirectory ? 4096 : size) / unit));
  };
}

function permTest(value: string): Test {
  const how = /^[-/]/.exec(value)?.[0] ?? "";
  const mode = modeOf(value.slice(how.length));
  if (mode === null) throw new Wrong(`invalid mode ‘${value}’`);
  return async (entry) => {
    const actual = (await entry.stat()).mode & 0o7777;
    return how === "" ? actual === mode : how === "-" ? (actual & mode) === mode : mode === 0 || (actual & mode) !== 0;
  };
}

/** `644` or `u+x,g=rw`; null: not a mode. */
function modeOf(text: string): number | null {
  if (/^[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  let mode = 0;
  for (const part of text.split(",")) {
    const found = /^([ugoa]*)[+=]([rwxXst]*)$/.exec(part);
    if (!found) return null;
    const who = found[1] === "" || found[1]?.includes("a") ? "ugo" : (found[1] ?? "");
    for (const letter of found[2] ?? "") {
      const bit = letter === "r" ? 4 : letter === "w" ? 2 : /x/i.test(letter) ? 1 : 0;
      for (const each of who) mode |= bit << (each === "u" ? 6 : each === "g" ? 3 : 0);
    }
  }
  return mode;
}
