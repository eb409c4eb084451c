import { joinBytes } from "../../../fs/bytes.ts";
import { readDevice } from "../devices.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { failed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, readInput } from "./files.ts";
import { parseOptions } from "./options.ts";
import { readingFiles } from "./reading.ts";

/** In bytes. */
const mostOfDevice = 64_000_000;

/**
 * tail. Bytes are handled here; for lines just-bash's tail is used. It silently ignores a count's unit and prints less, so the unit is expanded
 * first.
 */
const tail = command("tail", async (given, context) => {
  const args = given.map(inLetters);
  const options = parseOptions(args, "c:n:qvzf", { bytes: "c", lines: "n", quiet: "q", silent: "q", verbose: "v" });
  if (typeof options === "string" || !options.has("c")) {
    const isStdin = typeof options !== "string" && options.operands.length === 1 && options.operands[0] === "-";
    return readingFiles("tail", (isStdin ? args.filter((arg) => arg !== "-") : args).map(inLines).flatMap(apart), context);
  }
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

/** `-2` as `-n2`. */
const inLetters = (arg: string, i: number): string => (i === 0 && /^-\d+$/.test(arg) ? `-n${arg.slice(1)}` : arg);

/** Splits `-qn1`, which just-bash does not. */
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

/** Parses a count with a unit, as head and tail accept it. */
function countOf(text: string): number | null {
  const [, digits, unit = ""] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

/** head. Supports `-n -2` and `-c -2`: all but the last two. */
const head = command("head", async (given, context) => {
  const args = given.map(inLetters);
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

export const headAndTail = [head, tail];
