import { absent, Stop } from "./stop.ts";

export interface Options {
  has(name: string): boolean;
  /** The last value given; null if the option was not given. */
  value(name: string): string | null;
  values(name: string): readonly string[];
  /** The given options, in order. */
  readonly order: readonly string[];
  /** The words before "--" that are not options. */
  readonly words: readonly string[];
  /** The words after "--"; null if there is no "--". */
  readonly paths: readonly string[] | null;
}

/**
 * Parses arguments like git does. `spec` has an entry for each option: "m message=" takes a value, "stat=?" takes one only as "--stat=value", "a all"
 * takes none, and "merged=*" takes one if a word follows. The long name is the option's name, and may be shortened while it stays unique.
 * If `spec` has `number`, "-3" sets it. `leading`: options end at the first word.
 */
export function parseOptions(command: string, args: readonly string[], spec: readonly string[], leading = false): Options {
  const known = spec.map(readSpec);
  const given: { name: string; value: string }[] = [];
  const words: string[] = [];
  let paths: string[] | null = null;

  const unknown = (what: string): never => {
    const list = known
      .map(({ short, long }) => (short === "" ? `--${long}` : `-${short}${long.length > 1 ? `, --${long}` : ""}`))
      .join(" ");
    const all = list === "" ? "no options" : `these options: ${list}`;
    throw new Stop(129, `error: unknown ${what}\nVibey's git ${command} has ${all}\n`);
  };

  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    const next = (name: string): string => {
      const value = args[++at];
      if (value === undefined) throw new Stop(129, `error: ${name.length === 1 ? "switch" : "option"} \`${name}' requires a value\n`);
      return value;
    };
    if (arg === "--") {
      paths = args.slice(at + 1);
      break;
    }
    if (arg.startsWith("--")) {
      const equals = arg.indexOf("=");
      const name = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
      const option = byLongName(known, name) ?? unknown(`option \`${name}'`);
      if (option.takes === "none" && equals >= 0) throw new Stop(129, `error: option \`${name}' takes no value\n`);
      const follows = option.takes === "value" || (option.takes === "following" && args[at + 1]?.startsWith("-") === false);
      const value = equals >= 0 ? arg.slice(equals + 1) : follows ? next(name) : "";
      given.push({ name: option.long, value });
    } else if (/^-\d+$/.test(arg) && known.some(({ long }) => long === "number")) given.push({ name: "number", value: arg.slice(1) });
    else if (arg.startsWith("-") && arg !== "-") {
      for (let i = 1; i < arg.length; i++) {
        const letter = arg[i] ?? "";
        const option = known.find(({ short }) => short === letter) ?? unknown(`switch \`${letter}'`);
        if (option.takes === "none") given.push({ name: option.long, value: "" });
        else {
          const attached = arg.slice(i + 1);
          given.push({ name: option.long, value: attached === "" && option.takes === "value" ? next(letter) : attached });
          break;
        }
      }
    } else if (leading) {
      words.push(...args.slice(at));
      break;
    } else words.push(arg);
  }
  const values = (name: string): string[] => given.filter((one) => one.name === name).map((one) => one.value);
  return {
    has: (name) => given.some((one) => one.name === name),
    value: (name) => values(name).at(-1) ?? null,
    values,
    order: given.map((one) => one.name),
    words,
    paths,
  };
}

/** The value of an option that takes a number. */
export function countOf(options: Options, name: string): number | null {
  const value = options.value(name);
  if (value === null) return null;
  return /^-?\d+$/.test(value) ? Number(value) : absent(`value ${JSON.stringify(value)} for --${name}: it expects a number`);
}

interface Option {
  readonly short: string;
  readonly long: string;
  readonly takes: "none" | "value" | "optional" | "following";
}

function readSpec(text: string): Option {
  const takes = text.endsWith("=?") ? "optional" : text.endsWith("=*") ? "following" : text.endsWith("=") ? "value" : "none";
  const names = text.replace(/=[?*]?$/, "").split(" ");
  const last = names.at(-1) ?? "";
  return { short: names.length === 2 || last.length === 1 ? (names[0] ?? "") : "", long: last, takes };
}

function byLongName(known: readonly Option[], name: string): Option | null {
  const long = known.filter((option) => option.long.length > 1);
  const exact = long.find((option) => option.long === name);
  if (exact) return exact;
  const close = long.filter((option) => option.long.startsWith(name));
  return close.length === 1 ? (close[0] ?? null) : null;
}
