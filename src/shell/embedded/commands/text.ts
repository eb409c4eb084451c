import { fromBytes, toBytes } from "../encoding.ts";
import { type Context, failed, stdinText } from "./answer.ts";
import { command } from "./command.ts";
import { readInput, writeOutput } from "./files.ts";
import { headAndTail } from "./head-tail.ts";
import { numfmt } from "./numfmt.ts";
import { parseOptions } from "./options.ts";

async function textOf(context: Context, file: string): Promise<{ readonly text: string } | { readonly why: string }> {
  const read = await readInput(context, file);
  return read.ok ? { text: fromBytes(read.bytes, undefined) } : { why: read.why };
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
const asText = (lines: readonly string[], end = "\n"): string => lines.map((line) => line + end).join("");

/** A pipe is not a stream here, so output without an end in bash ends here after a million bytes. */
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

/** Splits a file between lines: by number or by pattern, once each, `{n}` more times or `{*}`. */
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

/** There is no terminal to page on, so these work like cat. */
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

export const text = [yes, shuf, tsort, envsubst, numfmt, base32, csplit, pager("less"), pager("more"), ...headAndTail];
