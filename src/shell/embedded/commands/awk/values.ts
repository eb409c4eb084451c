/** A text that looks like a number, as in fields and input: it is compared as a number. */
export class NumberText {
  readonly text: string;
  readonly number: number;
  constructor(text: string, number: number) {
    this.text = text;
    this.number = number;
  }
}

/** undefined: a variable without an assigned value. */
export type Value = number | string | NumberText | undefined;
export type AwkArray = Map<string, Value>;

const numeric = /^[ \t\n\r\f\v]*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[ \t\n\r\f\v]*$/;
const leading = /^[ \t\n\r\f\v]*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+](?:nan|inf))/i;

/** A value for text from outside the program. */
export function fromInput(text: string): Value {
  const code = text.charCodeAt(0);
  // A digit, a sign, a dot or a blank.
  if (!((code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46 || code === 32 || (code >= 9 && code <= 13))) return text;
  return numeric.test(text) ? new NumberText(text, Number(text)) : text;
}

export function toNumber(value: Value): number {
  if (typeof value === "number") return value;
  if (value === undefined) return 0;
  if (typeof value !== "string") return value.number;
  const [, found = ""] = leading.exec(value) ?? [];
  if (found === "") return 0;
  if (/^[-+](?:nan|inf)$/i.test(found)) return /nan/i.test(found) ? Number.NaN : found.startsWith("-") ? -Infinity : Infinity;
  return Number(found);
}

export function toText(value: Value, format: string): string {
  if (typeof value === "string") return value;
  if (value === undefined) return "";
  return typeof value === "number" ? numberText(value, format) : value.text;
}

export function numberText(value: number, format: string): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? String(value === 0 ? 0 : value) : BigInt(value).toString();
  return formatted(format, [value], "%.6g");
}

export function toBoolean(value: Value): boolean {
  if (typeof value === "number") return value !== 0;
  if (typeof value === "string") return value !== "";
  return value === undefined ? false : value.number !== 0;
}

/** Compares as numbers if both are or look like numbers, else as texts. */
export function compare(a: Value, b: Value, format: string): number {
  if (typeof a !== "string" && typeof b !== "string") {
    const [x, y] = [toNumber(a), toNumber(b)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const [x, y] = [toText(a, format), toText(b, format)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** C's `printf`. */
export function formatted(format: string, values: readonly Value[], convert: string): string {
  let next = 0;
  return format.replaceAll(
    /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?([hlLqjzt]*)([a-zA-Z%])/g,
    (all, flags: string, width: string | undefined, precision: string | undefined, _size: string, kind: string) => {
      if (kind === "%") return "%";
      let signs = flags;
      let columns = width === "*" ? toNumber(values[next++]) : Number(width ?? 0);
      if (columns < 0) {
        signs += "-";
        columns = -columns;
      }
      const digits = precision === undefined ? null : precision === "*" ? toNumber(values[next++]) : Number(precision || 0);
      const value = values[next++];
      const text = one(kind, value, signs, digits, convert);
      if (text === null) return all;
      const length = Array.from(text).length;
      if (length >= columns) return text;
      const blanks = columns - length;
      if (signs.includes("-")) return text + " ".repeat(blanks);
      const isPadded =
        signs.includes("0") && kind !== "s" && kind !== "c" && !(digits !== null && /[diouxX]/.test(kind)) && /\d/.test(text);
      if (!isPadded) return " ".repeat(blanks) + text;
      const [, sign = "", rest = ""] = /^([-+ ]?(?:0[xX])?)(.*)$/s.exec(text) ?? [];
      return sign + "0".repeat(blanks) + rest;
    },
  );
}

function one(kind: string, value: Value, flags: string, digits: number | null, convert: string): string | null {
  const signed = (negative: boolean, text: string): string =>
    negative ? `-${text}` : flags.includes("+") ? `+${text}` : flags.includes(" ") ? ` ${text}` : text;
  switch (kind) {
    case "s": {
      const text = toText(value, convert);
      return digits === null ? text : Array.from(text).slice(0, digits).join("");
    }
    case "c":
      return typeof value === "string" || value instanceof NumberText
        ? String.fromCodePoint(toText(value, convert).codePointAt(0) ?? 0).replace("\0", "")
        : String.fromCodePoint(Math.min(0x10ffff, Math.max(0, Math.trunc(toNumber(value)))));
    case "d":
    case "i": {
      const number = Math.trunc(toNumber(value));
      if (!Number.isFinite(number)) return special(number);
      const text = numberText(Math.abs(number), "%d").padStart(digits ?? 0, "0");
      return signed(number < 0, text);
    }
    case "o":
    case "x":
    case "X":
    case "u": {
      const number = Math.trunc(toNumber(value));
      if (!Number.isFinite(number)) return special(number);
      const whole = BigInt.asUintN(64, BigInt(number));
      const text = whole.toString(kind === "o" ? 8 : kind === "u" ? 10 : 16).padStart(digits ?? 0, "0");
      const prefix = flags.includes("#") && number !== 0 ? (kind === "o" ? "0" : kind === "u" ? "" : `0${kind}`) : "";
      return prefix + (kind === "X" ? text.toUpperCase() : text);
    }
    case "f":
    case "F":
    case "e":
    case "E":
    case "g":
    case "G": {
      const number = toNumber(value);
      if (!Number.isFinite(number)) return special(number);
      const size = Math.abs(number);
      const low = kind.toLowerCase();
      const text =
        low === "f"
          ? fixed(size, digits ?? 6)
          : low === "e"
            ? exponent(size, digits ?? 6)
            : general(size, digits ?? 6, flags.includes("#"));
      const done = signed(number < 0 || Object.is(number, -0), text);
      return kind === low ? done : done.toUpperCase();
    }
    default:
      return null;
  }
}

function special(number: number): string {
  return Number.isNaN(number) ? "-nan" : `${number < 0 ? "-" : "+"}inf`;
}

/** JavaScript's `toFixed` and similar functions take at most 100 digits. */
const most = (digits: number): number => Math.min(100, Math.max(0, digits));

function fixed(size: number, digits: number): string {
  return size < 1e21 ? size.toFixed(most(digits)) : `${BigInt(Math.round(size))}${digits > 0 ? `.${"0".repeat(most(digits))}` : ""}`;
}

function exponent(size: number, digits: number): string {
  return size.toExponential(most(digits)).replace(/e([-+])(\d)$/, "e$10$2");
}

function general(size: number, digits: number, keepsZeros: boolean): string {
  const significant = digits === 0 ? 1 : most(digits);
  const power = size === 0 ? 0 : Number(size.toExponential(significant - 1).split("e")[1]);
  const isShort = power >= -4 && power < significant;
  const text = isShort ? fixed(size, significant - 1 - power) : exponent(size, significant - 1);
  if (keepsZeros || !text.includes(".")) return text;
  return text.replace(/\.?0+(e|$)/, "$1");
}
