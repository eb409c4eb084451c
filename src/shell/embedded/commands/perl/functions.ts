import { regexOf } from "./regex.ts";
import { Exit, general, lower, numberOf, type Scalar, type State, textOf, Unsupported, upper } from "./state.ts";
import { quoted } from "./strings.ts";

/** A function of values; the last argument is a list. */
type Call = (values: readonly Scalar[], state: State) => Scalar | Scalar[];

const first =
  (change: (text: string, state: State) => Scalar): Call =>
  ([value], state) =>
    change(textOf(value), state);
const numeric =
  (change: (value: number) => Scalar): Call =>
  ([value]) =>
    change(numberOf(value));

/** Functions of one value, by default `$_`. They bind more tightly than comparisons. */
export const unary: Readonly<Record<string, Call>> = {
  length: ([value]) => (value === undefined ? undefined : textOf(value).length),
  uc: first(upper),
  lc: first(lower),
  ucfirst: first((text, state) => upper(text.charAt(0), state) + text.slice(1)),
  lcfirst: first((text, state) => lower(text.charAt(0), state) + text.slice(1)),
  quotemeta: first(quoted),
  chr: numeric((code) => String.fromCodePoint(Math.max(0, code))),
  ord: first((text) => text.codePointAt(0) ?? 0),
  abs: numeric(Math.abs),
  int: numeric((value) => Math.trunc(value) + 0),
  sqrt: numeric(Math.sqrt),
  log: numeric(Math.log),
  exp: numeric(Math.exp),
  sin: numeric(Math.sin),
  cos: numeric(Math.cos),
  hex: first((text) => Number.parseInt(text.replace(/^0x/i, ""), 16) || 0),
  oct: first(
    (text) =>
      (/^0x/i.test(text) ? Number.parseInt(text, 16) : /^0b/i.test(text) ? Number.parseInt(text.slice(2), 2) : Number.parseInt(text, 8)) ||
      0,
  ),
  defined: ([value]) => (value === undefined ? "" : 1),
};

/** Functions of a list. */
export const listed: Readonly<Record<string, Call>> = {
  join: ([separator, ...values]) => values.map(textOf).join(textOf(separator)),
  reverse: (values) => values.toReversed(),
  sprintf: ([format, ...values]) => sprintf(textOf(format), values),
  substr([text, from, length, ...more]) {
    if (more.length > 0) throw new Unsupported("substr with a replacement");
    const whole = textOf(text);
    const start = numberOf(from) < 0 ? Math.max(0, whole.length + numberOf(from)) : numberOf(from);
    if (length === undefined) return whole.slice(start);
    return whole.slice(start, numberOf(length) < 0 ? whole.length + numberOf(length) : start + numberOf(length));
  },
  index: ([text, what, from]) => textOf(text).indexOf(textOf(what), numberOf(from)),
  rindex: ([text, what, from]) => textOf(text).lastIndexOf(textOf(what), from === undefined ? undefined : numberOf(from)),
  die(values) {
    const text = values.map(textOf).join("");
    throw new Exit(255, text.endsWith("\n") ? text : `${text} at -e line 1.\n`);
  },
  warn(values, state) {
    const text = values.map(textOf).join("");
    state.warn(text.endsWith("\n") ? text : `${text} at -e line 1.\n`);
    return 1;
  },
  exit([code]) {
    throw new Exit(numberOf(code) & 255);
  },
};

/** Perl's `split`. The pattern of one blank splits at any white space. */
export function split(pattern: string, flags: string, text: string, limit: number, isText: boolean): Scalar[] {
  const isAwk = pattern === " " && flags.includes(" ");
  const source = isAwk ? text.trimStart() : text;
  if (source === "") return [];
  const regex = regexOf(isAwk ? "\\s+" : pattern, isAwk ? "" : pattern === "^" ? `${flags}m` : flags, isText);
  const parts: Scalar[] = [];
  let from = 0;
  let pieces = 0;
  for (let found = regex.find(source, 0); found !== null; ) {
    const whole = found.groups[0] ?? "";
    if (whole === "" && found.at >= source.length) break;
    if (limit > 0 && pieces >= limit - 1) break;
    if (whole !== "" || found.at > 0) {
      parts.push(source.slice(from, found.at), ...found.groups.slice(1));
      from = found.at + whole.length;
      pieces++;
    }
    found = regex.find(source, found.at + Math.max(1, whole.length));
  }
  parts.push(source.slice(from));
  if (limit === 0) while (parts.length > 0 && (parts.at(-1) === "" || parts.at(-1) === undefined)) parts.pop();
  return parts;
}

export function sprintf(format: string, values: readonly Scalar[]): string {
  let at = 0;
  return format.replaceAll(
    /%(?:([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d+))?(?:ll|l|h|q)?([a-zA-Z%]))?/g,
    (whole: string, flags = "", width?: string, precision?: string, kind = "") => {
      if (kind === "%") return "%";
      const size = width === "*" ? numberOf(values[at++]) : Number(width ?? 0);
      const places = precision === "*" ? numberOf(values[at++]) : precision === undefined ? null : Number(precision);
      const value = values[at++];
      let text = formatted(kind, value, places, flags);
      if (text === null) throw new Unsupported(`${whole} in a format`);
      if (/[dieEfgG]/.test(kind) && !text.startsWith("-")) text = (flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + text;
      if (text.length >= size) return text;
      if (flags.includes("-")) return text.padEnd(size);
      if (!flags.includes("0") || kind === "s") return text.padStart(size);
      const sign = /^[-+ ]/.exec(text)?.[0] ?? "";
      return sign + text.slice(sign.length).padStart(size - sign.length, "0");
    },
  );
}

/** Rounds as C does: half to even. */
function fixed(value: number, places: number): string {
  const text = value.toFixed(places);
  const exact = value.toFixed(Math.min(100, places + 30));
  const cut = exact.length - (Math.min(100, places + 30) - places);
  if (!/^5?0*$/.test(exact.slice(cut).replace(".", "")) || !exact.slice(cut).includes("5")) return text;
  const below = exact.slice(0, cut).replace(/\.$/, "");
  return /[02468]$/.test(below) ? below : text;
}

function formatted(kind: string, value: Scalar, places: number | null, flags: string): string | null {
  const number = numberOf(value);
  if (/[uxXobc]/.test(kind) && number < 0) return null;
  if (/[diuxXob]/.test(kind) && !Number.isSafeInteger(Math.trunc(number))) return null;
  switch (kind) {
    case "s":
      return places === null ? textOf(value) : textOf(value).slice(0, places);
    case "d":
    case "i":
    case "u":
      return String(Math.trunc(number)).replace(/\d+/, (digits) => digits.padStart(places ?? 0, "0"));
    case "c":
      return String.fromCodePoint(number);
    case "f":
    case "F":
      return fixed(number, places ?? 6);
    case "e":
    case "E": {
      const text = number.toExponential(places ?? 6).replace(/e([+-])(\d)$/, "e$10$2");
      return kind === "E" ? text.toUpperCase() : text;
    }
    case "g":
      return Number.isFinite(number) && !flags.includes("#") ? general(number, places ?? 6) : null;
    case "x":
      return (
        (flags.includes("#") ? "0x" : "") +
        Math.trunc(number)
          .toString(16)
          .padStart(places ?? 0, "0")
      );
    case "X":
      return (
        (flags.includes("#") ? "0X" : "") +
        Math.trunc(number)
          .toString(16)
          .toUpperCase()
          .padStart(places ?? 0, "0")
      );
    case "o":
      return (
        (flags.includes("#") ? "0" : "") +
        Math.trunc(number)
          .toString(8)
          .padStart(places ?? 0, "0")
      );
    case "b":
      return Math.trunc(number)
        .toString(2)
        .padStart(places ?? 0, "0");
    default:
      return null;
  }
}
