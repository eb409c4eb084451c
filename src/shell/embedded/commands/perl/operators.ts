import { regexOf } from "./regex.ts";
import { type Expression, isTrue, numberOf, type Scalar, scalarOnly, type State, textOf, Unsupported } from "./state.ts";

type Binary = (left: Scalar, right: Scalar) => Scalar;

const truth = (value: boolean): Scalar => (value ? 1 : "");

/** Operators with two values, by how closely they bind. */
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
    "/": (a, b) => numberOf(a) / numberOf(b),
    "%": (a, b) => {
      const [left, right] = [Math.trunc(numberOf(a)), Math.trunc(numberOf(b))];
      return left - right * Math.floor(left / right);
    },
    x: (a, b) => textOf(a).repeat(Math.max(0, Math.trunc(numberOf(b)))),
  },
];

export const power: Binary = (a, b) => numberOf(a) ** numberOf(b);

/** What `=` with an operator before it does. */
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

function note(state: State, found: RegExpExecArray, text: string): void {
  state.match = { groups: [...found], names: { ...found.groups }, text, at: found.index };
}

/** `target =~ s/…/…/` */
export function substitute(state: State, target: Expression, { pattern, flags, replacement }: Substitution): Expression {
  const run = (): Scalar => {
    const text = textOf(target.scalar());
    const regex = regexOf(pattern(), flags);
    regex.lastIndex = 0;
    let result = "";
    let from = 0;
    let count = 0;
    for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
      const place = regex.lastIndex;
      note(state, found, text);
      result += text.slice(from, found.index) + replacement();
      from = found.index + found[0].length;
      count++;
      // The replacement may have used the same pattern.
      regex.lastIndex = found[0] === "" ? place + 1 : place;
      if (!flags.includes("g") || regex.lastIndex > text.length || state.mustStop()) break;
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
  const once = (from: number): RegExpExecArray | null => {
    const text = textOf(target.scalar());
    const regex = regexOf(pattern(), flags);
    regex.lastIndex = from;
    const found = from > text.length ? null : regex.exec(text);
    if (found !== null) note(state, found, text);
    return found;
  };
  return {
    scalar() {
      const found = once(isGlobal ? (state.positions.get(name) ?? 0) : 0);
      if (isGlobal && found !== null) state.positions.set(name, found.index + Math.max(1, found[0].length));
      else if (isGlobal) state.positions.delete(name);
      return truth(found !== null);
    },
    list() {
      if (!isGlobal) {
        const found = once(0);
        return found === null ? [] : found.length > 1 ? found.slice(1) : [1];
      }
      const values: Scalar[] = [];
      for (let found = once(0); found !== null; found = once(found.index + Math.max(1, found[0].length))) {
        values.push(...(found.length > 1 ? found.slice(1) : [found[0]]));
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

function rangesOf(text: string): string {
  const plain = text.replaceAll(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex?: string, letter?: string) =>
    hex === undefined
      ? ({ n: "\n", t: "\t", r: "\r", "0": "\0" }[letter ?? ""] ?? letter ?? "")
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return plain.replaceAll(/(.)-(.)/gs, (_, first: string, last: string) => {
    let all = "";
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) all += String.fromCharCode(code);
    return all;
  });
}
