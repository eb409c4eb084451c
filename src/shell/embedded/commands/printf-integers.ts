/** Conversions such as `%d`. A `*` takes a width or precision from the arguments. */
const conversion = /%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(?:hh|h|ll|l|j|z|t|L)?([a-zA-Z(]))/g;
const span = 2n ** 64n;

/** Whether just-bash would get a number wrong: its numbers are exact to 53 bits, and its `%x` of negative numbers is wrong. */
function isHard(kind: string, arg: string): boolean {
  return (
    /^[diouxX]$/.test(kind) &&
    /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(arg) &&
    (!Number.isSafeInteger(Number(arg)) || (arg.startsWith("-") && /[ouxX]/.test(kind)))
  );
}

/** Replaces the numbers of `printf` that just-bash would get wrong by text. `format` is the index of the format in `args`. */
export function withExactIntegers(args: readonly string[], format: number): readonly string[] {
  const text = args[format] ?? "";
  const values = args.slice(format + 1);
  if (!values.some((value) => isHard("x", value))) return args;
  const pieces: string[] = [];
  const given: string[] = [];
  let at = 0;
  do {
    const before = at;
    pieces.push(
      text.replaceAll(
        conversion,
        (whole: string, flags: string | undefined, width: string | undefined, precision: string | undefined, kind: string | undefined) => {
          if (kind === undefined || kind === "(") return whole;
          const stars = [width, precision].filter((each) => each === "*").length;
          const value = values[at + stars] ?? "";
          const own = values.slice(at, at + stars);
          at += stars + 1;
          if (stars > 0 || !isHard(kind, value)) {
            given.push(...own, ...(at <= values.length ? [value] : []));
            return whole;
          }
          given.push(digitsOf(value, kind, flags ?? "", Number(precision ?? 0), precision === undefined ? Number(width ?? 0) : 0));
          return `%${(flags ?? "").replaceAll(/[+ #0]/g, "")}${width ?? ""}s`;
        },
      ),
    );
    if (at === before) break;
  } while (at < values.length);
  return [...args.slice(0, format), pieces.join(""), ...given];
}

/** `precision` is the minimum number of digits. `width` is the minimum length of the result, filled with zeros if the flags say so. */
function digitsOf(text: string, kind: string, flags: string, precision: number, width: number): string {
  const isNegative = text.startsWith("-");
  const plain = text.replace(/^[+-]/, "");
  const size = BigInt(/^0\d/.test(plain) ? `0o${plain.slice(1)}` : plain);
  const isSigned = kind === "d" || kind === "i";
  const most = isSigned ? span / 2n - (isNegative ? 0n : 1n) : span - 1n;
  const bounded = size > most ? most : size;
  const number = isSigned || !isNegative ? bounded : (span - bounded) % span;
  const base = kind === "o" ? 8 : kind === "x" || kind === "X" ? 16 : 10;
  const sign = !isSigned ? "" : isNegative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const prefix = !flags.includes("#") ? "" : base === 16 ? "0x" : base === 8 ? "0" : "";
  const fill = flags.includes("0") && !flags.includes("-") ? width - sign.length - prefix.length : 0;
  const digits = sign + prefix + number.toString(base).padStart(Math.max(precision, fill), "0");
  return kind === "X" ? digits.toUpperCase() : digits;
}
