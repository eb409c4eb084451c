import { type Answer, failed, type Run } from "./answer.ts";
import type { CommonHost } from "../host.ts";

/** Maximum characters of output: as much as a pipe takes, because the left side of a pipe runs to its end. */
const most = 64_000_000;

/** GNU seq. */
export const seq =
  (host: CommonHost): Run =>
  (args) => {
    let separator = "\n";
    let format: string | null = null;
    let equal = false;
    const words: string[] = [];
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? "";
      const [, name, joined] = /^-([sf])([^]*)$/.exec(arg) ?? /^--(separator|format)=([^]*)$/.exec(arg) ?? [];
      if (/^-?\.?\d/.test(arg) || !arg.startsWith("-") || arg === "-") words.push(arg);
      else if (name !== undefined) {
        const value = joined === "" && !arg.startsWith("--") ? (args[++at] ?? "") : (joined ?? "");
        if (name.startsWith("s")) separator = value.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
        else format = value;
      } else if (arg === "-w" || arg === "--equal-width") equal = true;
      else return failed("seq", `invalid option -- '${arg.slice(1)}'`);
    }
    if (words.length === 0 || words.length > 3)
      return failed("seq", words.length === 0 ? "missing operand" : `extra operand '${words[3] ?? ""}'`);
    const bad = words.find((word) => Number.isNaN(Number(word)) || word.trim() === "");
    if (bad !== undefined) return failed("seq", `invalid floating point argument: '${bad}'`);
    const [first, step, last] = words.length === 1 ? ["1", "1", words[0]] : words.length === 2 ? [words[0], "1", words[1]] : words;
    if (Number(step) === 0) return failed("seq", `invalid Zero increment value: '${step ?? ""}'`);
    return print({ first: first ?? "", step: step ?? "", last: last ?? "" }, { separator, format, equal }, host);
  };

interface Range {
  readonly first: string;
  readonly step: string;
  readonly last: string;
}

interface Style {
  readonly separator: string;
  readonly format: string | null;
  readonly equal: boolean;
}

function print({ first, step, last }: Range, { separator, format, equal }: Style, host: CommonHost): Answer {
  const decimals = (text: string): number => (/e/i.test(text) ? 0 : (/\.(\d*)$/.exec(text)?.[1] ?? "").length);
  const digits = Math.max(decimals(first), decimals(step));
  const [start, by, end] = [Number(first), Number(step), Number(last)];
  const count = Math.floor((end - start) / by + 1e-10) + 1;
  if (count <= 0) return {};
  const plain = (value: number): string => value.toFixed(digits);
  // Zeros before a given number count, too.
  const given = (text: string): number => text.replace(/\.\d*$/, "").length + (digits > 0 ? digits + 1 : 0);
  const width = equal ? Math.max(given(first), given(last), plain(start + (count - 1) * by).length) : 0;
  const shown = (value: number): string => {
    const text = plain(value);
    if (format !== null) return formatted(format, value);
    return text.startsWith("-") ? `-${text.slice(1).padStart(width - 1, "0")}` : text.padStart(width, "0");
  };
  if (format !== null && !/^(?:[^%]|%%)*%[-+ #0]*\d*(?:\.\d+)?[eEfFgG](?:[^%]|%%)*$/.test(format))
    return failed("seq", `format '${format}' has no % directive`);
  const parts: string[] = [];
  let size = 0;
  for (let i = 0; i < count; i++) {
    const text = shown(start + i * by);
    size += text.length + separator.length;
    if (size > most) {
      const stdout = `${parts.join(separator)}\n`;
      return { stdout, stderr: `seq: stopped after ${i} numbers: a command may print ${most / 1_000_000} MB\n`, exitCode: 1 };
    }
    parts.push(text);
    if ((i & 65_535) === 65_535 && host.stop() !== null) return { stdout: `${parts.join(separator)}\n`, exitCode: 124 };
  }
  return { stdout: `${parts.join(separator)}\n` };
}

function formatted(format: string, value: number): string {
  return format.replaceAll(
    /%(%|([-+ #0]*)(\d*)(?:\.(\d+))?([eEfFgG]))/g,
    (_, all: string, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (all === "%") return "%";
      const places = precision === undefined ? 6 : Number(precision);
      let text = /f/i.test(kind)
        ? value.toFixed(places)
        : /e/i.test(kind)
          ? value.toExponential(places).replace(/e([+-])(\d)$/, "e$10$2")
          : String(Number(value.toPrecision(Math.max(1, places))));
      if (flags.includes("+") && value >= 0) text = `+${text}`;
      return flags.includes("-") ? text.padEnd(Number(width)) : text.padStart(Number(width), flags.includes("0") ? "0" : " ");
    },
  );
}
