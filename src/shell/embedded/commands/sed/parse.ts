import { PatternError, toRegExp } from "../../posix-regex.ts";
import { withCharacters } from "./escapes.ts";
import { invalidReference, missingGroup, type Part, readReplacement } from "./replacement.ts";

export type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  | { readonly kind: "last" }
  | { readonly kind: "zero" }
  | { readonly kind: "pattern"; readonly pattern: RegExp | null }
  | { readonly kind: "plus"; readonly count: number }
  | { readonly kind: "multiple"; readonly of: number };

export interface Instruction {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly negated: boolean;
  readonly command: string;
  /** The text of `a`, `i`, `c`; the file of `r`, `R`, `w`, `W`; the exit code of `q`, `Q`; the columns of `l`. */
  readonly text: string;
  /** The target of `b`, `t`, `T`, and the end of `{` if its addresses don't match. */
  target: number;
  readonly label: string;
  readonly substitution: Substitution | null;
  readonly letters: ReadonlyMap<string, string> | null;
}

export interface Substitution {
  /** Null: the last pattern used. */
  readonly pattern: RegExp | null;
  readonly replacement: readonly Part[];
  readonly nth: number;
  readonly all: boolean;
  readonly prints: boolean;
  readonly evaluates: boolean;
  readonly file: string | null;
}

/** A script can't be parsed; the message says why. */
export class SedError extends Error {
  override readonly name = "SedError";
}

interface Given {
  readonly extended: boolean;
}

export function parseScript(source: string, { extended }: Given): Instruction[] {
  const program: Instruction[] = [];
  const open: number[] = [];
  const labels = new Map<string, number>();
  let at = 0;
  const wrong = (why: string): never => {
    throw new SedError(`-e expression #1, char ${at}: ${why}`);
  };
  const peek = (): string => source.charAt(at);
  const blanks = (): void => {
    while (/[ \t]/.test(peek())) at++;
  };
  const number = (): number => {
    const found = /^\d+/.exec(source.slice(at))?.[0] ?? "";
    at += found.length;
    return Number(found);
  };

  /** Reads up to the delimiter. A backslash before the delimiter is removed. Between brackets a backslash is an ordinary character. */
  function delimited(delimiter: string, isPattern: boolean): string {
    let text = "";
    let inBrackets = false;
    for (; at < source.length; at++) {
      const letter = peek();
      if (letter === "\\" && !inBrackets) {
        const next = source.charAt(at + 1);
        at++;
        // In a replacement `\&` stays escaped even if `&` is the delimiter.
        if (next === delimiter && (isPattern || next !== "&")) text += next;
        else if (next === "\n" && isPattern) text += "\n";
        else text += `\\${next}`;
        continue;
      }
      if (isPattern && letter === "[" && !inBrackets) {
        inBrackets = true;
        text += letter;
        if (source.charAt(at + 1) === "^") text += source.charAt(++at);
        if (source.charAt(at + 1) === "]") text += source.charAt(++at);
        continue;
      }
      if (inBrackets && letter === "[" && /[:.=]/.test(source.charAt(at + 1))) {
        const end = source.indexOf(`${source.charAt(at + 1)}]`, at + 2);
        if (end > 0) {
          text += source.slice(at, end + 2);
          at = end + 1;
          continue;
        }
      }
      if (letter === "]") inBrackets = false;
      if (letter === delimiter && !inBrackets) {
        at++;
        return text;
      }
      if (letter === "\n" && isPattern && !inBrackets) break;
      text += letter;
    }
    return wrong(isPattern ? "unterminated address regex" : "unterminated `s' command");
  }

  function pattern(text: string, flags: string): RegExp | null {
    if (text === "") return null;
    try {
      return toRegExp(withCharacters(text), extended ? "extended" : "basic", `gs${flags}`);
    } catch (error) {
      if (error instanceof PatternError) return wrong(error.message);
      throw error;
    }
  }

  function address(): Address | null {
    if (/\d/.test(peek())) {
      const first = number();
      if (peek() === "~") {
        at++;
        return { kind: "step", first, step: number() };
      }
      return first === 0 ? { kind: "zero" } : { kind: "line", line: first };
    }
    if (peek() === "$") {
      at++;
      return { kind: "last" };
    }
    if (peek() !== "/" && peek() !== "\\") return null;
    if (peek() === "\\") at++;
    const delimiter = peek();
    at++;
    const text = delimited(delimiter, true);
    let flags = "";
    for (; /[IM]/.test(peek()); at++) flags += peek() === "I" ? "i" : "m";
    return { kind: "pattern", pattern: pattern(text, flags) };
  }

  function secondAddress(): Address | null {
    if (peek() === "+") {
      at++;
      return { kind: "plus", count: number() };
    }
    if (peek() === "~") {
      at++;
      return { kind: "multiple", of: number() };
    }
    return address();
  }

  /** The text of `a`, `i` and `c`: on the same line, or on the next lines after a backslash. */
  function insertedText(): string {
    blanks();
    if (peek() === "\\") {
      at++;
      const start = at;
      blanks();
      if (peek() === "\n") at++;
      // `a\text` keeps the blanks after the backslash.
      else at = start;
    }
    let found = "";
    for (; at < source.length && peek() !== "\n"; at++) {
      if (peek() !== "\\") {
        found += peek();
        continue;
      }
      at++;
      if (at < source.length) found += { n: "\n", t: "\t", f: "\f", v: "\v", r: "\r", a: "\x07" }[peek()] ?? peek();
    }
    at++;
    return `${found}\n`;
  }

  const rest = (): string => {
    blanks();
    const end = source.indexOf("\n", at);
    const found = source.slice(at, end < 0 ? source.length : end);
    at = end < 0 ? source.length : end + 1;
    return found;
  };

  function substitution(): Substitution {
    const delimiter = peek();
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") wrong("unterminated `s' command");
    at++;
    let expression = "";
    try {
      expression = delimited(delimiter, true);
    } catch (error) {
      if (error instanceof SedError) throw new SedError(error.message.replace("unterminated address regex", "unterminated `s' command"));
      throw error;
    }
    const replacement = delimited(delimiter, false);
    let flags = "";
    let [nth, all, prints, evaluates] = [1, false, false, false];
    let file: string | null = null;
    for (;;) {
      const letter = peek();
      if (letter === "g") all = true;
      else if (letter === "p") prints = true;
      else if (letter === "i" || letter === "I") flags += "i";
      else if (letter === "m" || letter === "M") flags += "m";
      else if (letter === "e") evaluates = true;
      else if (/[1-9]/.test(letter)) {
        nth = number();
        continue;
      } else if (letter === "w") {
        at++;
        file = rest();
        break;
      } else break;
      at++;
    }
    if (evaluates) wrong("the flag e is not here: run the command and use its output");
    const compiled = pattern(expression, [...new Set(flags)].join(""));
    const parts = readReplacement(replacement);
    const missing = compiled === null ? null : missingGroup(parts, compiled);
    if (missing !== null) wrong(invalidReference(missing));
    return {
      pattern: compiled,
      replacement: parts,
      nth,
      all,
      prints,
      evaluates,
      file,
    };
  }

  function translation(): ReadonlyMap<string, string> {
    const delimiter = peek();
    at++;
    const read = (): string[] => {
      const found: string[] = [];
      for (; at < source.length && peek() !== delimiter; ) {
        let letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
        at += letter.length;
        if (letter === "\\") {
          letter = peek();
          at++;
          letter = letter === "n" ? "\n" : letter === "t" ? "\t" : letter;
        }
        found.push(letter);
      }
      at++;
      return found;
    };
    const [from, to] = [read(), read()];
    if (from.length !== to.length) wrong("strings for `y' command are different lengths");
    return new Map(from.map((letter, i) => [letter, to[i] ?? ""]));
  }

  /** After a command only a blank, `;`, `}`, a comment or a line end may follow. */
  function ends(): void {
    blanks();
    if (peek() === "#") rest();
    else if (peek() === ";" || peek() === "\n") at++;
    else if (peek() !== "" && peek() !== "}") wrong("extra characters after command");
  }

  const label = (): string => {
    blanks();
    const found = /^[^;\n}]*/.exec(source.slice(at))?.[0] ?? "";
    at += found.length;
    return found.trim();
  };

  while (at < source.length) {
    while (/[\s;]/.test(peek()) && at < source.length) at++;
    if (at >= source.length) break;
    if (peek() === "#") {
      rest();
      continue;
    }
    const from = address();
    blanks();
    let to: Address | null = null;
    if (from !== null && peek() === ",") {
      at++;
      blanks();
      to = secondAddress();
      if (to === null) wrong("unexpected `,'");
      blanks();
    }
    if (from?.kind === "zero" && to?.kind !== "pattern") wrong("invalid usage of line address 0");
    let negated = false;
    for (; peek() === "!"; at++, blanks()) negated = true;
    const command = peek();
    at++;
    const add = (more: Partial<Instruction> = {}): void =>
      void program.push({ from, to, negated, command, text: "", target: -1, label: "", substitution: null, letters: null, ...more });
    switch (command) {
      case "":
      case "\n":
        return wrong("missing command");
      case "{":
        open.push(program.length);
        add();
        continue;
      case "}": {
        const start = open.pop();
        if (start === undefined) return wrong("unexpected `}'");
        if (from !== null) wrong("} doesn't want any addresses");
        const block = program[start];
        if (block) block.target = program.length;
        ends();
        continue;
      }
      case ":": {
        if (from !== null) wrong(": doesn't want any addresses");
        blanks();
        const name = /^[^\s;]*/.exec(source.slice(at))?.[0] ?? "";
        at += name.length;
        if (name === "") wrong('":" lacks a label');
        labels.set(name, program.length);
        ends();
        continue;
      }
      case "a":
      case "i":
      case "c":
        blanks();
        if (peek() === "" || (peek() === "\n" && command !== "c")) wrong("expected \\ after `a', `c' or `i'");
        add({ text: insertedText() });
        continue;
      case "b":
      case "t":
      case "T":
        add({ label: label() });
        ends();
        continue;
      case "r":
      case "R":
      case "w":
      case "W": {
        const name = rest();
        if (name === "") wrong("missing filename in r/R/w/W commands");
        add({ text: name });
        continue;
      }
      case "q":
      case "Q":
      case "l":
      case "L": {
        blanks();
        const digits = /^\d+/.exec(source.slice(at))?.[0] ?? "";
        at += digits.length;
        add({ text: digits });
        ends();
        continue;
      }
      case "s":
        add({ substitution: substitution() });
        ends();
        continue;
      case "y":
        add({ letters: translation() });
        ends();
        continue;
      case "=":
      case "d":
      case "D":
      case "g":
      case "G":
      case "h":
      case "H":
      case "n":
      case "N":
      case "p":
      case "P":
      case "x":
      case "z":
      case "F":
        add();
        ends();
        continue;
      case "e":
        return wrong("the command e is not here: run the command and use its output");
      default:
        return wrong(`unknown command: \`${command}'`);
    }
  }
  if (open.length > 0) throw new SedError("-e expression #1, char 0: unmatched `{'");
  for (const one of program) {
    if (!/[btT]/.test(one.command)) continue;
    if (one.label === "") one.target = program.length;
    else one.target = labels.get(one.label) ?? wrong(`can't find label for jump to \`${one.label}'`);
  }
  return program;
}
