/** A command line parsed like getopt does: options and operands in any order; `--` ends the options. */
export interface Options {
  has(letter: string): boolean;
  /** The last value given. */
  value(letter: string): string | null;
  values(letter: string): readonly string[];
  readonly operands: readonly string[];
}

/**
 * @param letters getopt's notation: `czf:` has two flags and an option with a value.
 * @param long maps each long name to its letter, which decides whether it takes a value. The letter may be a word that can't be typed.
 * @returns the options, or a text if something is wrong.
 */
export function parseOptions(
  args: readonly string[],
  letters: string,
  long: Readonly<Record<string, string>> = {},
  withValue: readonly string[] = [],
): Options | string {
  const takesValue = (letter: string): boolean => letters.includes(`${letter}:`) || withValue.includes(letter);
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  const add = (letter: string, value: string): void => void given.set(letter, [...(given.get(letter) ?? []), value]);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg.startsWith("--")) {
      const [name = "", ...rest] = arg.slice(2).split("=");
      const letter = Object.hasOwn(long, name) ? long[name] : undefined;
      if (letter === undefined) return `unrecognized option '--${name}'`;
      if (!takesValue(letter)) add(letter, "");
      else if (rest.length > 0) add(letter, rest.join("="));
      else if (i + 1 < args.length) add(letter, args[++i] ?? "");
      else return `option '--${name}' requires an argument`;
    } else if (arg.startsWith("-") && arg !== "-") {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg.charAt(at);
        if (letter === ":" || !letters.includes(letter)) return `invalid option -- '${letter}'`;
        if (!takesValue(letter)) {
          add(letter, "");
          continue;
        }
        if (at + 1 < arg.length) add(letter, arg.slice(at + 1));
        else if (i + 1 < args.length) add(letter, args[++i] ?? "");
        else return `option requires an argument -- '${letter}'`;
        break;
      }
    } else operands.push(arg);
  }
  return {
    has: (letter) => given.has(letter),
    value: (letter) => given.get(letter)?.at(-1) ?? null,
    values: (letter) => given.get(letter) ?? [],
    operands,
  };
}
