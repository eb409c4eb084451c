import { failed, stdinText } from "./answer.ts";
import { command } from "./command.ts";
import { parseOptions } from "./options.ts";

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

const inputLines = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

export const numfmt = command("numfmt", (args, context) => {
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
  const given = options.operands.length > 0 ? options.operands : inputLines(stdinText(context));
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
      else if (delimiter === null && field > 1) text = text.padStart(piece.length - 1);
      pieces[field - 1] = delimiter === null && field > 1 ? ` ${text}` : text;
    }
    stdout += `${pieces.join(delimiter ?? "")}\n`;
  }
  return { stdout };
});
