import { type Answer, type Context, failed } from "./answer.ts";
import { readInput, writeOutput } from "./files.ts";
import { parseOptions } from "./options.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { joinBytes } from "../../../fs/bytes.ts";

/** How a key is compared. */
interface Ordering {
  readonly numeric: boolean;
  readonly general: boolean;
  readonly human: boolean;
  readonly version: boolean;
  readonly month: boolean;
  readonly random: boolean;
  readonly reverse: boolean;
  readonly fold: boolean;
  readonly dictionary: boolean;
  readonly printing: boolean;
  readonly leadingBlanks: boolean;
}

interface Key extends Ordering {
  /** A field and a character in it, from 1. Character 0 of the end means the end of the field. */
  readonly start: readonly [field: number, character: number];
  readonly end: readonly [field: number, character: number] | null;
  readonly endBlanks: boolean;
}

const long = {
  "numeric-sort": "n",
  "general-numeric-sort": "g",
  "human-numeric-sort": "h",
  "version-sort": "V",
  "month-sort": "M",
  "random-sort": "R",
  reverse: "r",
  "ignore-case": "f",
  "dictionary-order": "d",
  "ignore-nonprinting": "i",
  "ignore-leading-blanks": "b",
  unique: "u",
  stable: "s",
  key: "k",
  "field-separator": "t",
  output: "o",
  "zero-terminated": "z",
  check: "c",
  merge: "m",
  "buffer-size": "S",
  "temporary-directory": "T",
  parallel: "P",
  debug: "D",
};

/** GNU sort in byte order, which is the order of `LANG=C.UTF-8`. */
export async function sort(args: readonly string[], context: Context): Promise<Answer> {
  const options = parseOptions(args, "nghVMRrfdibusk:t:o:zcCmS:T:P:D", long);
  if (typeof options === "string") return failed("sort", options, 2);
  const separator = options.value("t");
  if (separator !== null && separator !== "\\0" && Array.from(separator).length !== 1)
    return failed("sort", `multi-character tab '${separator}'`, 2);
  const general = ordering((letter) => options.has(letter));
  const keys: Key[] = [];
  for (const text of options.values("k")) {
    const key = readKey(text, general);
    if (key === null) return failed("sort", `invalid number at field start: invalid count at start of '${text}'`, 2);
    keys.push(key);
  }
  const pieces: Uint8Array[] = [];
  for (const name of options.operands.length === 0 ? ["-"] : options.operands) {
    const read = await readInput(context, name);
    if (!read.ok) return failed("sort", `cannot read: ${name}: ${read.why}`, 2);
    // The last line of a file without a line end must not be joined with the next file.
    pieces.push(read.bytes);
    if (read.bytes.length > 0 && read.bytes.at(-1) !== 0x0a && !options.has("z")) pieces.push(new Uint8Array([0x0a]));
  }
  const end = options.has("z") ? "\0" : "\n";
  // In Latin-1, the order of characters is the order of bytes.
  const lines = fromBytes(joinBytes(pieces), "latin1").split(end);
  if (lines.at(-1) === "") lines.pop();
  const compare = comparer(keys, general, separator === "\\0" ? "\0" : separator, options.has("s") || options.has("u"));
  if (options.has("c") || options.has("C")) {
    const at = lines.findIndex(
      (line, i) => i > 0 && (options.has("u") ? compare(lines[i - 1] ?? "", line) >= 0 : compare(lines[i - 1] ?? "", line) > 0),
    );
    if (at < 0) return { exitCode: 0 };
    const said = fromBytes(toBytes(lines[at] ?? "", "latin1"), undefined);
    return { stderr: options.has("C") ? "" : `sort: ${options.operands[0] ?? "-"}:${at + 1}: disorder: ${said}\n`, exitCode: 1 };
  }
  const sorted = lines.toSorted(compare);
  const kept = options.has("u") ? sorted.filter((line, i) => i === 0 || compare(sorted[i - 1] ?? "", line) !== 0) : sorted;
  const bytes = toBytes(kept.length === 0 ? "" : kept.join(end) + end, "latin1");
  const output = options.value("o");
  if (output === null) return { stdout: bytes };
  const why = await writeOutput(context, output, bytes);
  return why === null ? {} : failed("sort", `open failed: ${output}: ${why}`, 2);
}

function ordering(has: (letter: string) => boolean): Ordering {
  return {
    numeric: has("n"),
    general: has("g"),
    human: has("h"),
    version: has("V"),
    month: has("M"),
    random: has("R"),
    reverse: has("r"),
    fold: has("f"),
    dictionary: has("d"),
    printing: has("i"),
    leadingBlanks: has("b"),
  };
}

/** Parses `2,3nr` or `1.2,1.4`. Letters in the key replace the global ones. */
function readKey(text: string, general: Ordering): Key | null {
  const found = /^(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*))?$/.exec(text);
  if (!found || Number(found[1]) === 0) return null;
  const letters = `${found[3] ?? ""}${found[6] ?? ""}`;
  const own = letters === "" ? general : ordering((letter) => letters.includes(letter));
  return {
    ...own,
    leadingBlanks: own.leadingBlanks && (letters === "" || (found[3] ?? "").includes("b")),
    endBlanks: (found[6] ?? "").includes("b"),
    start: [Number(found[1]), Number(found[2] ?? 1)],
    end: found[4] === undefined ? null : [Number(found[4]), Number(found[5] ?? 0)],
  };
}

function comparer(keys: readonly Key[], general: Ordering, separator: string | null, stable: boolean): (a: string, b: string) => number {
  const whole: Key = { ...general, start: [1, 1], end: null, endBlanks: false };
  const used = keys.length === 0 ? [whole] : keys;
  const seeds = new Map<string, number>();
  const random = (text: string): number => {
    const known = seeds.get(text) ?? Math.random();
    seeds.set(text, known);
    return known;
  };
  const isPlain = keys.length === 0 && !Object.values(general).some(Boolean);
  const bytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  if (isPlain) return bytes;
  return (a, b) => {
    for (const key of used) {
      const [one, other] = keys.length === 0 ? [a, b] : [fieldText(a, key, separator), fieldText(b, key, separator)];
      const order = compareBy(one, other, key, random);
      if (order !== 0) return key.reverse ? -order : order;
    }
    return stable ? 0 : general.reverse ? -bytes(a, b) : bytes(a, b);
  };
}

function fieldText(line: string, { start, end, leadingBlanks, endBlanks }: Key, separator: string | null): string {
  const fields: number[] = [0];
  if (separator === null) {
    // A field begins with the blanks before it.
    for (let at = 0; at < line.length; ) {
      while (at < line.length && isBlank(line[at])) at++;
      while (at < line.length && !isBlank(line[at])) at++;
      fields.push(at);
    }
  } else for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, at + 1)) fields.push(at + 1);
  const limit = (field: number): number => {
    const next = fields[field];
    return next === undefined ? line.length : separator === null ? next : next - 1;
  };
  let from = fields[start[0] - 1] ?? line.length;
  if (leadingBlanks) while (from < line.length && isBlank(line[from])) from++;
  from = Math.min(line.length, from + start[1] - 1);
  if (end === null) return line.slice(from);
  let until = limit(end[0]);
  if (end[1] > 0) {
    let begin = fields[end[0] - 1] ?? line.length;
    if (endBlanks) while (begin < line.length && isBlank(line[begin])) begin++;
    until = Math.min(line.length, begin + end[1]);
  }
  return line.slice(from, Math.max(from, until));
}

const isBlank = (letter: string | undefined): boolean => letter === " " || letter === "\t" || letter === "\n";

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

function compareBy(a: string, b: string, by: Ordering, random: (text: string) => number): number {
  if (by.random) return random(a) - random(b);
  if (by.numeric) return numberIn(a) - numberIn(b);
  if (by.general) return generalNumber(a) - generalNumber(b) || 0;
  if (by.human) {
    const [one, other] = [humanNumber(a), humanNumber(b)];
    return one.power - other.power || one.value - other.value;
  }
  if (by.month) {
    const month = (text: string): number => months.indexOf(text.trimStart().slice(0, 3).toUpperCase());
    return month(a) - month(b);
  }
  if (by.version) return compareVersions(a, b);
  const prepared = (text: string): string => {
    let kept = by.leadingBlanks ? text.replace(/^[ \t]+/, "") : text;
    if (by.dictionary) kept = kept.replaceAll(/[^A-Za-z0-9 \t\x80-\xff]/g, "");
    if (by.printing) kept = kept.replaceAll(/[^\x20-\x7e\x80-\xff]/g, "");
    return by.fold ? kept.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()) : kept;
  };
  const [one, other] = [prepared(a), prepared(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const numberIn = (text: string): number => Number(/^[ \t]*(-?\d*\.?\d*)/.exec(text)?.[1] || "0") || 0;

/** A text that is not a number comes first. */
function generalNumber(text: string): number {
  const found = /^[ \t]*([-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf(?:inity)?|0x[0-9a-f]+))/i.exec(text)?.[1];
  if (found === undefined) return Number.NEGATIVE_INFINITY;
  return /inf/i.test(found) ? (found.startsWith("-") ? -Number.MAX_VALUE : Number.MAX_VALUE) : Number(found);
}

/** A larger unit comes later, whatever the number: 3000 before 2K. */
function humanNumber(text: string): { readonly power: number; readonly value: number } {
  const found = /^[ \t]*(-?\d*\.?\d*)([KMGTPEZYk]?)/.exec(text);
  const value = Number(found?.[1] || "0") || 0;
  return { power: ("KMGTPEZY".indexOf((found?.[2] ?? "").toUpperCase() || "?") + 1) * Math.sign(value), value };
}

/** Compares runs of digits as numbers; `~` sorts before everything, even before the end. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string): string[] => text.match(/\d+|\D+/g) ?? [];
  const rank = (letter: string | undefined): number =>
    letter === "~" ? -1 : letter === undefined ? 0 : /[A-Za-z]/.test(letter) ? letter.charCodeAt(0) : letter.charCodeAt(0) + 256;
  const [one, other] = [parts(a), parts(b)];
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const [x, y] = [one[i] ?? "", other[i] ?? ""];
    if (/^\d/.test(x) && /^\d/.test(y)) {
      const order = Number(x) - Number(y);
      if (order !== 0) return order;
      continue;
    }
    for (let at = 0; at < Math.max(x.length, y.length); at++) {
      const order = rank(/^\d/.test(x) ? undefined : x[at]) - rank(/^\d/.test(y) ? undefined : y[at]);
      if (order !== 0) return order;
    }
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
