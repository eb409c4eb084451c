import { type Found, regexOf } from "./regex.ts";
import { Exit, type Expression, isTrue, numberOf, type Scalar, scalarOnly, type State, textOf, Unsupported } from "./state.ts";

type Binary = (left: Scalar, right: Scalar) => Scalar;

const truth = (value: boolean): Scalar => (value ? 1 : "");

/** Binary operators, by precedence. */
export const binaries: readonly Readonly<Record<string, Binary>>[] = [
  {
    "<=>": (a, b) => Math.sign(numberOf(a) - numberOf(b)),
    "==": (a, b) => truth(numberOf(a) === numberOf(b)),
    "!=": (a, b) => truth(numberOf(a) !== numberOf(b)),
    eq: (a, b) => truth(textOf(a) === textOf(b)),
    ne: (a, b) => truth(textOf(a) !== textOf(b)),
    cmp: (a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0),
  },
  {
    "<=": (a, b) => truth(numberOf(a) <= numberOf(b)),
    ">=": (a, b) => truth(numberOf(a) >= numberOf(b)),
    "<": (a, b) => truth(numberOf(a) < numberOf(b)),
    ">": (a, b) => truth(numberOf(a) > numberOf(b)),
    lt: (a, b) => truth(textOf(a) < textOf(b)),
    gt: (a, b) => truth(textOf(a) > textOf(b)),
    le: (a, b) => truth(textOf(a) <= textOf(b)),
    ge: (a, b) => truth(textOf(a) >= textOf(b)),
  },
  {
    "+": (a, b) => numberOf(a) + numberOf(b),
    "-": (a, b) => numberOf(a) - numberOf(b),
    ".": (a, b) => textOf(a) + textOf(b),
  },
  {
    "*": (a, b) => numberOf(a) * numberOf(b),
    "/": (a, b) => {
      if (numberOf(b) === 0) throw new Exit(255, "Illegal division by zero at -e line 1.\n");
      return numberOf(a) / numberOf(b);
    },
    "%": (a, b) => {
      const [left, right] = [Math.trunc(numberOf(a)), Math.trunc(numberOf(b))];
      if (right === 0) throw new Exit(255, "Illegal modulus zero at -e line 1.\n");
      return left - right * Math.floor(left / right);
    },
    x: (a, b) => textOf(a).repeat(Math.max(0, Math.trunc(numberOf(b)))),
  },
];

export const power: Binary = (a, b) => numberOf(a) ** numberOf(b);

/** The operation of a compound assignment. */
export function assigning(operator: string): Binary {
  if (operator === "**") return power;
  if (operator === "||") return (a, b) => (isTrue(a) ? a : b);
  if (operator === "&&") return (a, b) => (isTrue(a) ? b : a);
  if (operator === "//") return (a, b) => a ?? b;
  const found = binaries.map((level) => level[operator]).find((each) => each !== undefined);
  if (found === undefined) throw new Unsupported(`the operator ${operator}=`);
  return found;
}

export interface Substitution {
  readonly pattern: () => string;
  readonly flags: string;
  readonly replacement: () => string;
}

/** The next match from that position, which sets the match variables. */
function next(state: State, pattern: string, flags: string, text: string, from: number): Found | null {
  if (pattern === "") throw new Unsupported("an empty pattern");
  const found = regexOf(pattern, flags, state.isText).find(text, from);
  if (found !== null) state.match = { ...found, text };
  return found;
}

/** `target =~ s/…/…/` */
export function substitute(state: State, target: Expression, { pattern, flags, replacement }: Substitution): Expression {
  const run = (): Scalar => {
    const text = textOf(target.scalar());
    const own = pattern();
    let result = "";
    let from = 0;
    let count = 0;
    for (let found = next(state, own, flags, text, 0); found !== null; ) {
      const whole = found.groups[0] ?? "";
      result += text.slice(from, found.at) + replacement();
      from = found.at + whole.length;
      count++;
      if (!flags.includes("g") || state.mustStop()) break;
      found = next(state, own, flags, text, whole === "" ? from + 1 : from);
    }
    result += text.slice(from);
    if (flags.includes("r")) return result;
    if (count > 0) {
      if (target.assign === undefined) throw new Unsupported("s/// of what is no variable");
      target.assign([result]);
    }
    return count > 0 ? count : "";
  };
  return scalarOnly(run);
}

/** `target =~ m/…/` */
export function match(state: State, target: Expression, pattern: () => string, flags: string): Expression {
  const name = target.name ?? "";
  const isGlobal = flags.includes("g");
  const once = (from: number): Found | null => next(state, pattern(), flags, textOf(target.scalar()), from);
  const after = ({ at, groups: [whole = ""] }: Found): number => at + Math.max(1, whole.length);
  return {
    scalar() {
      const found = once(isGlobal ? (state.positions.get(name) ?? 0) : 0);
      if (isGlobal && found !== null) state.positions.set(name, after(found));
      else if (isGlobal) state.positions.delete(name);
      return truth(found !== null);
    },
    list() {
      if (!isGlobal) {
        const found = once(0);
        return found === null ? [] : found.groups.length > 1 ? found.groups.slice(1) : [1];
      }
      const values: Scalar[] = [];
      for (let found = once(0); found !== null; found = once(after(found))) {
        values.push(...(found.groups.length > 1 ? found.groups.slice(1) : found.groups));
        if (state.mustStop()) break;
      }
      return values;
    },
  };
}

/** `target =~ tr/a-z/A-Z/` */
export function transliterate(target: Expression, from: string, to: string, flags: string): Expression {
  const source = rangesOf(from);
  const given = rangesOf(to);
  const isDeleting = flags.includes("d");
  const goal = given === "" && !isDeleting ? source : given;
  const isComplement = flags.includes("c");
  return scalarOnly(() => {
    let count = 0;
    let result = "";
    let last = "";
    for (const letter of textOf(target.scalar())) {
      const at = source.indexOf(letter);
      const isFound = isComplement ? at < 0 : at >= 0;
      if (!isFound) {
        result += letter;
        last = "";
        continue;
      }
      count++;
      const changed = isComplement
        ? given === ""
          ? isDeleting
            ? ""
            : letter
          : given.charAt(given.length - 1)
        : (goal[at] ?? (isDeleting ? "" : goal.charAt(goal.length - 1)));
      if (!(flags.includes("s") && changed === last)) result += changed;
      last = changed;
    }
    if (flags.includes("r")) return result;
    if (target.assign !== undefined && result !== textOf(target.scalar())) target.assign([result]);
    return count;
  });
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

/** All characters that a part of `tr///` names. */
function rangesOf(text: string): string {
  const letters = [...text.matchAll(/\\x([0-9a-fA-F]{2})|\\([^])|[^]/g)].map(([whole, hex, escaped]) => {
    if (hex !== undefined) return { letter: String.fromCharCode(Number.parseInt(hex, 16)), isDash: false };
    if (escaped === undefined) return { letter: whole, isDash: whole === "-" };
    if (/[\da-zA-Z]/.test(escaped) && !/[ntr0]/.test(escaped)) throw new Unsupported(`\\${escaped} in tr///`);
    return { letter: escapes[escaped] ?? escaped, isDash: false };
  });
  let all = "";
  for (let at = 0; at < letters.length; at++) {
    const first = letters[at]?.letter ?? "";
    const last = letters[at + 1]?.isDash === true ? letters[at + 2]?.letter : undefined;
    if (last === undefined) {
      all += first;
      continue;
    }
    if (last < first) throw new Unsupported(`the range ${first}-${last} in tr///`);
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) all += String.fromCharCode(code);
    at += 2;
  }
  return all;
}
