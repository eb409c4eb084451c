import { joinBytes } from "../../../fs/bytes.ts";
import { readDevice } from "../devices.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { type Context, failed, stdinText } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, readInput, writeOutput } from "./files.ts";
import { parseOptions } from "./options.ts";
import { readingFiles } from "./reading.ts";

async function textOf(context: Context, file: string): Promise<{ readonly text: string } | { readonly why: string }> {
  const read = await readInput(context, file);
  return read.ok ? { text: fromBytes(read.bytes, undefined) } : { why: read.why };
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
const asText = (lines: readonly string[], end = "\n"): string => lines.map((line) => line + end).join("");

/** A pipe is no stream here, so what has no end in bash has one: a million bytes. */
const endless = 1_000_000;

const yes = command("yes", (args) => {
  const line = `${args.length === 0 ? "y" : args.join(" ")}\n`;
  return { stdout: line.repeat(Math.ceil(endless / line.length)) };
});

function randomBelow(limit: number): number {
  return Math.floor(((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * limit);
}

const shuf = command("shuf", async (args, context) => {
  const options = parseOptions(
    args,
    "ei:n:o:rz",
    { echo: "e", "input-range": "i", "head-count": "n", output: "o", repeat: "r", "random-source": "ignored" },
    ["ignored"],
  );
  if (typeof options === "string") return failed("shuf", options);
  const range = options.value("i");
  let lines: string[];
  if (options.has("e")) lines = [...options.operands];
  else if (range !== null) {
    const [, low, high] = /^(\d+)-(\d+)$/.exec(range) ?? [];
    if (low === undefined || high === undefined) return failed("shuf", `invalid input range: '${range}'`);
    lines = Array.from({ length: Math.min(10_000_000, Number(high) - Number(low) + 1) }, (_, i) => String(Number(low) + i));
  } else {
    const read = await textOf(context, options.operands[0] ?? "-");
    if ("why" in read) return failed("shuf", `${options.operands[0]}: ${read.why}`);
    lines = linesOf(read.text);
  }
  const count = options.has("n") ? Number(options.value("n")) : options.has("r") ? 100_000 : lines.length;
  if (!Number.isInteger(count) || count < 0) return failed("shuf", `invalid line count: '${options.value("n")}'`);
  let chosen: string[];
  if (options.has("r")) chosen = Array.from({ length: lines.length === 0 ? 0 : count }, () => lines[randomBelow(lines.length)] ?? "");
  else {
    for (let i = lines.length - 1; i > 0; i--) {
      const other = randomBelow(i + 1);
      [lines[i], lines[other]] = [lines[other] ?? "", lines[i] ?? ""];
    }
    chosen = lines.slice(0, count);
  }
  const output = options.value("o");
  if (output === null) return { stdout: asText(chosen) };
  const why = await writeOutput(context, output, toBytes(asText(chosen), undefined));
  return why === null ? {} : failed("shuf", `${output}: ${why}`);
});

const tsort = command("tsort", async (args, context) => {
  const read = await textOf(context, args[0] ?? "-");
  if ("why" in read) return failed("tsort", `${args[0]}: ${read.why}`);
  const words = read.text.split(/\s+/).filter((word) => word !== "");
  if (words.length % 2 === 1) return failed("tsort", `${args[0] ?? "-"}: input contains an odd number of tokens`);
  const before = new Map<string, number>();
  const after = new Map<string, string[]>();
  for (let i = 0; i < words.length; i += 2) {
    const [left = "", right = ""] = words.slice(i, i + 2);
    for (const word of [left, right]) if (!before.has(word)) before.set(word, 0);
    if (left === right) continue;
    before.set(right, (before.get(right) ?? 0) + 1);
    after.set(left, [...(after.get(left) ?? []), right]);
  }
  const ready = [...before]
    .filter(([, count]) => count === 0)
    .map(([word]) => word)
    .toSorted();
  const sorted: string[] = [];
  for (let word = ready.shift(); word !== undefined; word = ready.shift()) {
    sorted.push(word);
    before.delete(word);
    for (const next of after.get(word) ?? []) {
      const left = (before.get(next) ?? 0) - 1;
      before.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  if (before.size === 0) return { stdout: asText(sorted) };
  return {
    stdout: asText([...sorted, ...before.keys()]),
    stderr: `tsort: ${args[0] ?? "-"}: input contains a loop:\n${[...before.keys()].map((word) => `tsort: ${word}\n`).join("")}`,
    exitCode: 1,
  };
});

const envsubst = command("envsubst", (args, context) => {
  const text = stdinText(context);
  const names = new Set([...(args.find((arg) => !arg.startsWith("-")) ?? "").matchAll(/\$\{?([A-Za-z_]\w*)\}?/g)].map((found) => found[1]));
  if (args.includes("-v") || args.includes("--variables")) return { stdout: asText([...names].map(String)) };
  const chosen = args.some((arg) => !arg.startsWith("-"));
  const exported = context.exportedEnv ?? {};
  return {
    stdout: text.replaceAll(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (whole, bare?: string, braced?: string) => {
      const name = bare ?? braced ?? "";
      return chosen && !names.has(name) ? whole : Object.hasOwn(exported, name) ? (exported[name] ?? "") : "";
    }),
  };
});

const prefixes = "KMGTPEZY";

function parseSize(text: string, from: string): number | null {
  const [, digits, letter = "", i = ""] = /^(-?\d+(?:\.\d+)?)([KMGTPEZY]?)(i?)$/.exec(text) ?? [];
  if (digits === undefined || (letter !== "" && from === "none")) return null;
  if (letter === "") return Number(digits);
  const base = from === "si" || (from === "auto" && i === "") ? 1000 : 1024;
  return Number(digits) * base ** (prefixes.indexOf(letter) + 1);
}

type Rounding = (value: number) => number;
const roundings: Readonly<Record<string, Rounding>> = {
  up: Math.ceil,
  down: Math.floor,
  nearest: Math.round,
  "towards-zero": Math.trunc,
  "from-zero": (value) => (value < 0 ? Math.floor(value) : Math.ceil(value)),
};

function showSize(value: number, to: string, round: Rounding): string {
  if (to === "none") return String(value);
  const base = to === "si" ? 1000 : 1024;
  let power = 0;
  let scaled = value;
  while (Math.abs(scaled) >= base && power < prefixes.length) {
    scaled /= base;
    power++;
  }
  if (power === 0) return String(round(scaled));
  let rounded = Math.abs(scaled) < 10 ? round(scaled * 10) / 10 : round(scaled);
  if (Math.abs(rounded) >= base) {
    rounded /= base;
    power++;
  }
  return `${Math.abs(rounded) < 10 ? rounded.toFixed(1) : rounded.toFixed(0)}${prefixes[power - 1]}${to === "iec-i" ? "i" : ""}`;
}

const numfmt = command("numfmt", (args, context) => {
  const long = {
    to: "to",
    from: "from",
    suffix: "suffix",
    padding: "padding",
    field: "field",
    delimiter: "d",
    grouping: "group",
    header: "header",
    round: "round",
    "to-unit": "tounit",
    "from-unit": "fromunit",
    invalid: "ignored",
  };
  const options = parseOptions(
    args.map((arg) => (arg === "--header" ? "--header=1" : arg)),
    "d:",
    long,
    ["to", "from", "suffix", "padding", "field", "header", "round", "tounit", "fromunit", "ignored"],
  );
  if (typeof options === "string") return failed("numfmt", options);
  const to = options.value("to") ?? "none";
  const from = options.value("from") ?? "none";
  const suffix = options.value("suffix") ?? "";
  const padding = Number(options.value("padding") ?? 0);
  const field = Number(options.value("field") ?? 1);
  const delimiter = options.value("d");
  const round = roundings[options.value("round") ?? "from-zero"] ?? Math.ceil;
  const header = Number(options.value("header") ?? 0);
  const given = options.operands.length > 0 ? options.operands : linesOf(stdinText(context));
  let stdout = "";
  for (const [i, line] of given.entries()) {
    if (options.operands.length === 0 && i < header) {
      stdout += `${line}\n`;
      continue;
    }
    const pieces = delimiter === null ? (line.match(/\s*\S+/g) ?? [""]) : line.split(delimiter);
    const piece = pieces[field - 1];
    if (piece !== undefined) {
      const word = piece.trim();
      const value = parseSize(suffix !== "" && word.endsWith(suffix) ? word.slice(0, -suffix.length) : word, from);
      if (value === null)
        return { stdout, stderr: `numfmt: invalid ${/[KMGTPEZY]i?$/.test(word) ? "suffix in input" : "number"}: '${word}'\n`, exitCode: 2 };
      let text = showSize((value * Number(options.value("fromunit") ?? 1)) / Number(options.value("tounit") ?? 1), to, round) + suffix;
      if (padding !== 0) text = padding > 0 ? text.padStart(padding) : text.padEnd(-padding);
      else if (delimiter === null && field > 1) text = text.padStart(piece.length);
      pieces[field - 1] = text;
    }
    stdout += `${pieces.join(delimiter ?? "")}\n`;
  }
  return { stdout };
});

const alphabet32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const base32 = command("base32", async (args, context) => {
  const options = parseOptions(args, "diw:", { decode: "d", "ignore-garbage": "i", wrap: "w" });
  if (typeof options === "string") return failed("base32", options);
  const file = options.operands[0] ?? "-";
  const read = await readInput(context, file);
  if (!read.ok) return failed("base32", `${file}: ${read.why}`);
  let bits = 0;
  let held = 0;
  if (options.has("d")) {
    const bytes: number[] = [];
    for (const letter of fromBytes(read.bytes, "latin1").replaceAll(/[\n=]/g, "")) {
      const value = alphabet32.indexOf(letter);
      if (value < 0) {
        if (options.has("i")) continue;
        return { stdout: Uint8Array.from(bytes), stderr: "base32: invalid input\n", exitCode: 1 };
      }
      held = ((held << 5) | value) & 0xffff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes.push((held >> bits) & 0xff);
      }
    }
    return { stdout: Uint8Array.from(bytes) };
  }
  let text = "";
  for (const byte of read.bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet32.charAt((held >> bits) & 31);
    }
  }
  if (bits > 0) text += alphabet32.charAt((held << (5 - bits)) & 31);
  text = text.padEnd(Math.ceil(text.length / 8) * 8, "=");
  const wrap = Number(options.value("w") ?? 76);
  return { stdout: wrap === 0 ? text : text.replaceAll(new RegExp(`.{1,${wrap}}`, "g"), "$&\n") };
});

/** Pieces between lines: by number or by pattern, each once, `{n}` times more or `{*}`. */
const csplit = command("csplit", async (args, context) => {
  const options = parseOptions(args, "szkn:f:b:", {
    silent: "s",
    quiet: "s",
    prefix: "f",
    digits: "n",
    "elide-empty-files": "z",
    "suffix-format": "b",
    "keep-files": "k",
  });
  if (typeof options === "string") return failed("csplit", options);
  const [file = "-", ...patterns] = options.operands;
  const read = await textOf(context, file);
  if ("why" in read) return failed("csplit", `cannot open '${file}' for reading: ${read.why}`);
  const lines = read.text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const pieces: string[][] = [];
  let at = 0;
  for (let i = 0; i < patterns.length; i++) {
    const pattern = patterns[i] ?? "";
    const repeat = /^\{(\d+|\*)\}$/.exec(patterns[i + 1] ?? "")?.[1];
    if (repeat !== undefined) i++;
    const times = repeat === undefined ? 1 : repeat === "*" ? Number.POSITIVE_INFINITY : Number(repeat) + 1;
    const [, mark, source, offset = "0"] = /^([/%])(.*)\1([-+]?\d+)?$/s.exec(pattern) ?? [];
    const number = Number(pattern);
    if (source === undefined && !Number.isInteger(number)) return failed("csplit", `${pattern}: invalid pattern`);
    for (let done = 0; done < times; done++) {
      let end: number;
      if (source === undefined) end = number * (done + 1) - 1;
      else {
        const expression = new RegExp(source);
        const found = lines.findIndex((line, k) => k >= at + (at === 0 && done === 0 ? 0 : 1) && expression.test(line.replace(/\n$/, "")));
        end = found < 0 ? -1 : found + Number(offset);
      }
      if (end < 0 || end > lines.length) {
        if (repeat === "*") break;
        return failed("csplit", source === undefined ? `'${pattern}': line number out of range` : `'${pattern}': match not found`);
      }
      if (mark !== "%") pieces.push(lines.slice(at, end));
      at = end;
    }
  }
  pieces.push(lines.slice(at));
  let stdout = "";
  let index = 0;
  for (const piece of pieces) {
    if (options.has("z") && piece.length === 0) continue;
    const bytes = toBytes(piece.join(""), undefined);
    const number = String(index++).padStart(Number(options.value("n") ?? 2), "0");
    const format = options.value("b");
    const suffix =
      format === null ? number : format.replace(/%0?(\d*)d/, (_, width: string) => String(index - 1).padStart(Number(width), "0"));
    const why = await writeOutput(context, `${options.value("f") ?? "xx"}${suffix}`, bytes);
    if (why !== null) return failed("csplit", why);
    stdout += options.has("s") ? "" : `${bytes.length}\n`;
  }
  return { stdout };
});

/** There is no terminal to page on: as cat. */
const pager = (name: string): ReturnType<typeof command> =>
  command(name, async (args, context) => {
    const files = args.filter((arg) => arg === "-" || !/^[-+]/.test(arg));
    let stdout = "";
    let stderr = "";
    for (const file of files.length === 0 ? ["-"] : files) {
      const read = await textOf(context, file);
      if ("why" in read) stderr += `${file}: ${read.why}\n`;
      else stdout += read.text;
    }
    return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
  });

/** Bytes. */
const mostOfDevice = 64_000_000;

/** Of bytes; lines are just-bash's own but for a count's unit, which it takes for nothing and gives less without a word. */
const tail = command("tail", async (args, context) => {
  const options = parseOptions(args, "c:n:qvzf", { bytes: "c", lines: "n", quiet: "q", silent: "q", verbose: "v" });
  if (typeof options === "string" || !options.has("c")) return readingFiles("tail", args.map(inLines).flatMap(apart), context);
  const amount = options.value("c") ?? "";
  const [, sign = "", digits = ""] = /^([-+]?)(.*)$/s.exec(amount) ?? [];
  const count = countOf(digits);
  if (count === null) return failed("tail", `invalid number of bytes: '${amount}'`);
  const files = options.operands.length === 0 ? ["-"] : options.operands;
  const headed = !options.has("q") && (options.has("v") || files.length > 1);
  const pieces: Uint8Array[] = [];
  let stderr = "";
  for (const file of files) {
    const read = await readInput(context, file);
    if (!read.ok) {
      stderr += `tail: ${read.why === "Is a directory" ? `error reading '${file}'` : `cannot open '${file}' for reading`}: ${read.why}\n`;
      continue;
    }
    const title = `${pieces.length === 0 ? "" : "\n"}==> ${file === "-" ? "standard input" : file} <==\n`;
    if (headed) pieces.push(toBytes(title, undefined));
    pieces.push(read.bytes.subarray(sign === "+" ? Math.max(0, count - 1) : Math.max(0, read.bytes.length - count)));
  }
  return { stdout: joinBytes(pieces), stderr, exitCode: stderr === "" ? 0 : 1 };
});

/** `-qn1`, which just-bash does not take apart. */
function apart(arg: string): readonly string[] {
  const [, flags, count] = /^-([qvzf]+)(n.*)$/.exec(arg) ?? [];
  return flags === undefined || count === undefined ? [arg] : [...Array.from(flags, (flag) => `-${flag}`), `-${count}`];
}

function inLines(arg: string, i: number, args: readonly string[]): string {
  const [, option = "", given = ""] =
    /^(-[qvzf]*n[-+]?|--lines=[-+]?)(\d+[a-zA-Z]+)$/.exec(arg) ??
    (/^(-[qvzf]*n|--lines)$/.test(args[i - 1] ?? "") ? /^([-+]?)(\d+[a-zA-Z]+)$/.exec(arg) : null) ??
    [];
  const count = countOf(given);
  return count === null ? arg : `${option}${count}`;
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 512,
  k: 2 ** 10,
  kB: 1e3,
  K: 2 ** 10,
  KB: 1e3,
  KiB: 2 ** 10,
  MB: 1e6,
  M: 2 ** 20,
  MiB: 2 ** 20,
  GB: 1e9,
  G: 2 ** 30,
};

/** A count with a unit, as head and tail take it. */
function countOf(text: string): number | null {
  const [, digits, unit = ""] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

/** `-n -2` and `-c -2`: all but the last. */
const head = command("head", async (given, context) => {
  const args = given.map((arg, i) => (i === 0 && /^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg));
  const options = parseOptions(args, "n:c:qvz", { lines: "n", bytes: "c", quiet: "q", silent: "q", verbose: "v", "zero-terminated": "z" });
  if (typeof options === "string") return failed("head", options);
  const files = options.operands.length === 0 ? ["-"] : options.operands;
  const bytes = options.has("c");
  const amount = options.value(bytes ? "c" : "n") ?? "10";
  const [, sign = "", digits = ""] = /^([-+]?)(.*)$/s.exec(amount) ?? [];
  const count = countOf(digits);
  if (count === null) return failed("head", `invalid number of ${bytes ? "bytes" : "lines"}: '${amount}'`);
  if (bytes && sign !== "-" && count > mostOfDevice && files.some((file) => readDevice(absolute(context, file), 0) !== null))
    return failed("head", `at most ${mostOfDevice} bytes of a device can be read at once`);
  const headed = !options.has("q") && (options.has("v") || files.length > 1);
  let stdout = "";
  let stderr = "";
  for (const file of files) {
    const device = bytes && sign !== "-" ? readDevice(absolute(context, file), count) : null;
    const read = device === null ? await readInput(context, file) : { ok: true as const, bytes: device };
    if (!read.ok) {
      stderr +=
        read.why === "Is a directory"
          ? `head: error reading '${file}': Is a directory\n`
          : `head: cannot open '${file}' for reading: ${read.why}\n`;
      continue;
    }
    if (headed) stdout += `${stdout === "" ? "" : "\n"}==> ${file === "-" ? "standard input" : file} <==\n`;
    stdout += fromBytes(read.bytes.subarray(0, endOf(read.bytes, count, sign === "-", bytes, options.has("z") ? 0 : 10)), "latin1");
  }
  return { stdout: toBytes(stdout, "latin1"), stderr, exitCode: stderr === "" ? 0 : 1 };
});

function endOf(bytes: Uint8Array, count: number, fromEnd: boolean, ofBytes: boolean, separator: number): number {
  if (ofBytes) return fromEnd ? Math.max(0, bytes.length - count) : Math.min(bytes.length, count);
  if (!fromEnd) {
    let at = 0;
    for (let line = 0; line < count; line++) {
      const end = bytes.indexOf(separator, at);
      if (end < 0) return bytes.length;
      at = end + 1;
    }
    return at;
  }
  let at = bytes.length;
  for (let line = 0; line < count && at > 0; line++) at = bytes.lastIndexOf(separator, at - 2) + 1;
  return at;
}

export const text = [tail, yes, shuf, tsort, envsubst, numfmt, base32, csplit, pager("less"), pager("more"), head];
