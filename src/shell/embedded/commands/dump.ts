import { joinBytes } from "../../../fs/bytes.ts";
import { readDevice } from "../devices.ts";
import { toBytes } from "../encoding.ts";
import { type Answer, type Context, failed } from "./answer.ts";
import { command } from "./command.ts";
import { readInput, writeOutput } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

const hex = (value: number, width: number): string => value.toString(16).padStart(width, "0");
const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".");

/** Parses a count of these commands: decimal, `0x…` or octal, with a unit of bytes. */
function count(text: string | null): number | null {
  if (text === null) return null;
  const [, digits = "", unit = ""] = /^(0x[0-9a-f]+|\d+)([bkKmM]?)$/i.exec(text) ?? [];
  if (digits === "") return Number.NaN;
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return value * ({ b: 512, k: 1024, m: 1024 ** 2 }[unit.toLowerCase()] ?? 1);
}

async function joined(context: Context, files: readonly string[], name: string): Promise<{ bytes: Uint8Array; stderr: string }> {
  const pieces: Uint8Array[] = [];
  let stderr = "";
  for (const file of files.length === 0 ? ["-"] : files) {
    const read = await readInput(context, file);
    if (read.ok) pieces.push(read.bytes);
    else stderr += `${name}: ${file}: ${read.why}\n`;
  }
  return { bytes: joinBytes(pieces), stderr };
}

/** Prints lines of `width` bytes; repeated lines are replaced by one `*`. */
function lines(bytes: Uint8Array, width: number, squeeze: boolean, line: (row: Uint8Array, at: number) => string): string {
  let text = "";
  let before = "";
  let starred = false;
  for (let at = 0; at < bytes.length; at += width) {
    const row = bytes.subarray(at, at + width);
    const key = row.join(",");
    if (squeeze && key === before && row.length === width) {
      if (!starred) text += "*\n";
      starred = true;
      continue;
    }
    starred = false;
    before = key;
    text += line(row, at);
  }
  return text;
}

const xxd = command("xxd", async (given, context) => {
  // xxd also has words with a single dash.
  const args = given.map(
    (arg) =>
      ({
        "-ps": "-p",
        "-plain": "-p",
        "-postscript": "-p",
        "-revert": "-r",
        "-cols": "-c",
        "-len": "-l",
        "-seek": "-s",
        "-bits": "-b",
        "-include": "-i",
      })[arg] ?? arg,
  );
  const options = parseOptions(args, "c:l:s:g:prubio:");
  if (typeof options === "string") return failed("xxd", options);
  const [file = "-", output] = options.operands;
  const read = await readInput(context, file);
  if (!read.ok) return { stderr: `xxd: ${file}: ${read.why}\n`, exitCode: 2 };
  const start = count(options.value("s")) ?? 0;
  const length = count(options.value("l"));
  const bytes = read.bytes.subarray(start, length === null ? undefined : start + length);
  const result = options.has("r") ? reverted(new TextDecoder().decode(read.bytes), options.has("p")) : dumped(bytes, start, options, file);
  if (output === undefined) return { stdout: result };
  const why = await writeOutput(context, output, typeof result === "string" ? new TextEncoder().encode(result) : result);
  return why === null ? {} : { stderr: `xxd: ${output}: ${why}\n`, exitCode: 3 };
});

function dumped(bytes: Uint8Array, start: number, options: Options, file: string): string {
  const upper = (text: string): string => (options.has("u") ? text.toUpperCase() : text);
  if (options.has("p")) {
    const text = upper([...bytes].map((byte) => hex(byte, 2)).join(""));
    const width = 2 * (count(options.value("c")) ?? 30);
    let wrapped = "";
    for (let at = 0; at < text.length; at += width) wrapped += `${text.slice(at, at + width)}\n`;
    return wrapped;
  }
  if (options.has("i")) {
    const name = file.replaceAll(/[^A-Za-z0-9]/g, "_");
    const rows: string[] = [];
    for (let at = 0; at < bytes.length; at += 12)
      rows.push(`  ${[...bytes.subarray(at, at + 12)].map((byte) => `0x${hex(byte, 2)}`).join(", ")}`);
    return file === "-"
      ? `${rows.join(",\n")}\n`
      : `unsigned char ${name}[] = {\n${rows.join(",\n")}\n};\nunsigned int ${name}_len = ${bytes.length};\n`;
  }
  const bits = options.has("b");
  const columns = count(options.value("c")) ?? (bits ? 6 : 16);
  const group = count(options.value("g")) ?? (bits ? 1 : 2);
  const cell = bits ? 8 : 2;
  const width = columns * cell + (group > 0 ? Math.ceil(columns / group) : 1);
  return lines(bytes, columns, false, (row, at) => {
    let cells = "";
    for (const [i, byte] of row.entries()) {
      cells += bits ? byte.toString(2).padStart(8, "0") : upper(hex(byte, 2));
      if (group > 0 && (i + 1) % group === 0) cells += " ";
    }
    return `${hex(start + at, 8)}: ${cells.padEnd(width)} ${[...row].map(printable).join("")}\n`;
  });
}

function reverted(text: string, plain: boolean): Uint8Array {
  if (plain) return toBytes(text.replaceAll(/[^0-9a-fA-F]/g, ""), "hex");
  const bytes: number[] = [];
  for (const line of text.split("\n")) {
    const [, offset, cells] = /^([0-9a-fA-F]+):\s?((?:[0-9a-fA-F]+ ?)*)/.exec(line) ?? [];
    if (offset === undefined || cells === undefined) continue;
    let at = Number.parseInt(offset, 16);
    while (bytes.length < at) bytes.push(0);
    for (const byte of toBytes(cells.replaceAll(" ", ""), "hex")) bytes[at++] = byte;
  }
  return Uint8Array.from(bytes);
}

async function hexdumped(name: string, args: readonly string[], context: Context): Promise<Answer> {
  const options = parseOptions(args, "Cvn:s:xbcdo", { canonical: "C", "no-squeezing": "v", length: "n", skip: "s" });
  if (typeof options === "string") return failed(name, options);
  const { bytes: all, stderr } = await joined(context, options.operands, name);
  const start = count(options.value("s")) ?? 0;
  const length = count(options.value("n"));
  const bytes = all.subarray(start, length === null ? undefined : start + length);
  const canonical = name === "hd" || options.has("C");
  const body = lines(bytes, 16, !options.has("v"), (row, at) => {
    if (!canonical) {
      const words: string[] = [];
      for (let i = 0; i < row.length; i += 2) words.push(hex((row[i] ?? 0) | ((row[i + 1] ?? 0) << 8), 4));
      return `${hex(start + at, 7)} ${options.has("x") ? words.map((word) => `   ${word}`).join(" ") : words.join(" ").padEnd(39)}\n`;
    }
    const cells = [...row].map((byte) => hex(byte, 2));
    const left = cells.slice(0, 8).join(" ").padEnd(23);
    return `${hex(start + at, 8)}  ${left}  ${cells.slice(8).join(" ").padEnd(23)}  |${[...row].map(printable).join("")}|\n`;
  });
  const end = bytes.length === 0 ? "" : `${hex(start + bytes.length, canonical ? 8 : 7)}\n`;
  return { stdout: body + end, stderr, exitCode: stderr === "" ? 0 : 1 };
}

const names = [
  "nul",
  "soh",
  "stx",
  "etx",
  "eot",
  "enq",
  "ack",
  "bel",
  "bs",
  "ht",
  "nl",
  "vt",
  "ff",
  "cr",
  "so",
  "si",
  "dle",
  "dc1",
  "dc2",
  "dc3",
  "dc4",
  "nak",
  "syn",
  "etb",
  "can",
  "em",
  "sub",
  "esc",
  "fs",
  "gs",
  "rs",
  "us",
  "sp",
];
const escapes: Readonly<Record<number, string>> = { 0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" };

interface Format {
  readonly size: number;
  /** The number of columns, including the blank before it. */
  readonly width: number;
  /** The characters follow. */
  readonly withText: boolean;
  show(value: bigint, byte: number): string;
}

const octalWidth: Readonly<Record<number, number>> = { 1: 3, 2: 6, 4: 11, 8: 22 };
const unsignedWidth: Readonly<Record<number, number>> = { 1: 3, 2: 5, 4: 10, 8: 20 };
const signedWidth: Readonly<Record<number, number>> = { 1: 4, 2: 6, 4: 11, 8: 20 };

function formatOf(text: string): Format | null {
  const format = plainFormatOf(text);
  return format && { ...format, withText: text.endsWith("z") };
}

function plainFormatOf(text: string): Omit<Format, "withText"> | null {
  const [, kind = "", given = ""] = /^([acdoux])([1248CSIL]?)z?$/.exec(text) ?? [];
  if (kind === "a")
    return {
      size: 1,
      width: 4,
      show: (_, byte) => names[byte & 0x7f] ?? ((byte & 0x7f) === 0x7f ? "del" : String.fromCharCode(byte & 0x7f)),
    };
  if (kind === "c")
    return {
      size: 1,
      width: 4,
      show: (_, byte) => escapes[byte] ?? (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0")),
    };
  if (kind === "") return null;
  const size = { "": 4, C: 1, S: 2, I: 4, L: 8 }[given] ?? Number(given);
  if (kind === "x") return { size, width: 2 * size + 1, show: (value) => value.toString(16).padStart(2 * size, "0") };
  if (kind === "o")
    return { size, width: (octalWidth[size] ?? 0) + 1, show: (value) => value.toString(8).padStart(octalWidth[size] ?? 0, "0") };
  if (kind === "u") return { size, width: (unsignedWidth[size] ?? 0) + 1, show: (value) => String(value) };
  return { size, width: (signedWidth[size] ?? 0) + 1, show: (value) => String(BigInt.asIntN(8 * size, value)) };
}

const shorthands: Readonly<Record<string, string>> = { a: "a", b: "o1", c: "c", d: "u2", o: "o2", s: "d2", x: "x2" };

const od = command("od", async (args, context) => {
  const options = parseOptions(args, "A:t:vN:j:w:abcdosx", {
    "address-radix": "A",
    format: "t",
    "read-bytes": "N",
    "skip-bytes": "j",
    width: "w",
    "output-duplicates": "v",
  });
  if (typeof options === "string") return failed("od", options);
  const asked = [
    ...options.values("t").flatMap((text) => text.match(/[acdoux][1248CSIL]?z?/g) ?? [text]),
    ...Object.keys(shorthands)
      .filter((letter) => options.has(letter))
      .map((letter) => shorthands[letter] ?? ""),
  ];
  const formats: Format[] = [];
  for (const text of asked.length === 0 ? ["o2"] : asked) {
    const format = formatOf(text);
    if (format === null) return failed("od", `invalid type string '${text}'`);
    formats.push(format);
  }
  const { bytes: all, stderr } = await joined(context, options.operands, "od");
  const skip = count(options.value("j")) ?? 0;
  const length = count(options.value("N"));
  const bytes = all.subarray(skip, length === null ? undefined : skip + length);
  const radix = options.value("A") ?? "o";
  const address = (at: number): string =>
    radix === "n" ? "" : radix === "x" ? hex(at, 6) : radix === "d" ? String(at).padStart(7, "0") : at.toString(8).padStart(7, "0");
  // Each unit gets the width of the widest format, so that the columns line up.
  const perByte = Math.max(...formats.map(({ size, width }) => width / size));
  const columns = count(options.value("w")) ?? 16;
  const body = lines(bytes, columns, !options.has("v"), (row, at) =>
    formats
      .map((format, i) => {
        let text = i === 0 ? address(skip + at) : " ".repeat(address(0).length);
        for (let unit = 0; unit < row.length; unit += format.size) {
          let value = 0n;
          for (let k = format.size - 1; k >= 0; k--) value = (value << 8n) | BigInt(row[unit + k] ?? 0);
          text += format.show(value, row[unit] ?? 0).padStart(Math.ceil(perByte * format.size));
        }
        if (!format.withText) return `${text}\n`;
        const full = address(0).length + (columns / format.size) * Math.ceil(perByte * format.size);
        return `${text.padEnd(full)}  >${[...row].map(printable).join("")}<\n`;
      })
      .join(""),
  );
  return { stdout: body + (radix === "n" ? "" : `${address(skip + bytes.length)}\n`), stderr, exitCode: stderr === "" ? 0 : 1 };
});

const cmp = command("cmp", async (args, context) => {
  const options = parseOptions(args, "slbn:i:", { silent: "s", quiet: "s", verbose: "l", bytes: "n", "print-bytes": "b" });
  if (typeof options === "string") return failed("cmp", options, 2);
  const [left = "-", right = "-"] = options.operands;
  const pair: Uint8Array[] = [];
  for (const file of [left, right]) {
    const read = await readInput(context, file);
    if (!read.ok) return options.has("s") ? { exitCode: 2 } : failed("cmp", `${file}: ${read.why}`, 2);
    pair.push(read.bytes.subarray(0, count(options.value("n")) ?? undefined));
  }
  const [a = new Uint8Array(), b = new Uint8Array()] = pair;
  const shorter = Math.min(a.length, b.length);
  let stdout = "";
  let line = 1;
  const width = String(Math.max(a.length, b.length)).length;
  const octal = (byte: number | undefined): string => (byte ?? 0).toString(8).padStart(3);
  for (let at = 0; at < shorter; at++) {
    if (a[at] !== b[at]) {
      if (options.has("s")) return { exitCode: 1 };
      if (!options.has("l")) return { stdout: `${left} ${right} differ: byte ${at + 1}, line ${line}\n`, exitCode: 1 };
      stdout += `${String(at + 1).padStart(width)} ${octal(a[at])} ${octal(b[at])}\n`;
    }
    if (a[at] === 10) line++;
  }
  if (a.length === b.length) return { stdout, exitCode: stdout === "" ? 0 : 1 };
  const short = a.length < b.length ? left : right;
  const complete = (a.length < b.length ? a : b).at(-1) === 10;
  const where =
    shorter === 0
      ? "which is empty"
      : options.has("l")
        ? `after byte ${shorter}`
        : `after byte ${shorter}, ${complete ? `line ${line - 1}` : `in line ${line}`}`;
  return { stdout, stderr: options.has("s") ? "" : `cmp: EOF on ${short} ${where}\n`, exitCode: 1 };
});

const dd = command("dd", async (args, context) => {
  const given = new Map(args.map((arg) => [arg.slice(0, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)] as const));
  const size = (name: string): number | null => count(given.get(name)?.replace(/[cB]$/, "") ?? null);
  const block = size("bs") ?? size("ibs") ?? 512;
  const limit = size("count");
  const input = given.get("if") ?? "-";
  if (readDevice(input, 0) !== null && limit === null) return failed("dd", `'${input}' has no end; use count=`);
  const length = limit === null ? undefined : limit * block;
  if (!(block > 0) || (length ?? 0) > 64_000_000) return failed("dd", "at most 64000000 bytes can be copied at once");
  const device = readDevice(input, length ?? 0);
  const read = device === null ? await readInput(context, input) : { ok: true as const, bytes: device };
  if (!read.ok) return failed("dd", `failed to open '${input}': ${read.why}`);
  const start = (size("skip") ?? 0) * block;
  const piece = device !== null ? device : read.bytes.subarray(start, length === undefined ? undefined : start + length);
  const full = Math.floor(piece.length / block);
  const records = `${full}+${piece.length % block === 0 ? 0 : 1} records`;
  const stderr =
    given.get("status") === "none"
      ? ""
      : `${records} in\n${records} out\n${given.get("status") === "noxfer" ? "" : `${piece.length} bytes copied\n`}`;
  const output = given.get("of");
  if (output === undefined) return { stdout: piece, stderr };
  const at = (size("seek") ?? 0) * (size("obs") ?? block);
  const there = await readInput(context, output);
  const before = there.ok ? there.bytes : new Uint8Array();
  const after = new Uint8Array(Math.max(at + piece.length, given.get("conv")?.includes("notrunc") ? before.length : 0));
  after.set(before.subarray(0, given.get("conv")?.includes("notrunc") ? before.length : at));
  after.set(piece, at);
  const why = await writeOutput(context, output, after);
  return why === null ? { stderr } : failed("dd", `failed to open '${output}': ${why}`);
});

export const dump = [
  dd,
  xxd,
  od,
  cmp,
  command("hexdump", (args, context) => hexdumped("hexdump", args, context)),
  command("hd", (args, context) => hexdumped("hd", args, context)),
];
