import { Unsupported } from "./state.ts";

const classes: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`{-~",
  xdigit: "0-9a-fA-F",
  word: "\\w",
  cntrl: "\\x00-\\x1f\\x7f",
};

const known = new Map<string, RegExp>();

/** A pattern of Perl as one of JavaScript. `flags`: Perl's; it always has `g` and `d` of JavaScript's own. */
export function regexOf(pattern: string, flags: string): RegExp {
  const key = `${flags}/${pattern}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  let source = pattern;
  let letters = flags;
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    letters += inline[1] ?? "";
  }
  const js = `g${letters.includes("i") ? "i" : ""}${letters.includes("m") ? "m" : ""}${letters.includes("s") ? "s" : ""}`;
  let made: RegExp;
  try {
    made = new RegExp(withKeep(translated(source, letters.includes("x"), letters.includes("m"))), js);
  } catch (error) {
    if (error instanceof Unsupported) throw error;
    throw new Unsupported(`the pattern /${pattern}/`);
  }
  known.set(key, made);
  return made;
}

/** `before\Kafter` */
function withKeep(source: string): string {
  const at = source.indexOf("\\K");
  return at < 0 ? source : `(?<=${source.slice(0, at)})${source.slice(at + 2)}`;
}

function translated(source: string, isExtended: boolean, isMultiline: boolean): string {
  let result = "";
  let isInClass = false;
  for (let at = 0; at < source.length; at++) {
    const letter = source.charAt(at);
    const rest = source.slice(at);
    if (letter === "\\") {
      const next = source.charAt(at + 1);
      const [whole, text] = escaped(next, rest, isInClass);
      result += text;
      at += whole - 1;
    } else if (isInClass) {
      const named = /^\[:(\^?)([a-z]+):\]/.exec(rest);
      if (named) {
        const members = classes[named[2] ?? ""];
        if (members === undefined || named[1] !== "") throw new Unsupported(`[:${named[1] ?? ""}${named[2] ?? ""}:]`);
        result += members;
        at += named[0].length - 1;
      } else {
        if (letter === "]") isInClass = false;
        result += letter === "[" ? "\\[" : letter;
      }
    } else if (letter === "[") {
      isInClass = true;
      const start = /^\[\^?\]?/.exec(rest)?.[0] ?? "[";
      result += start.endsWith("]") ? `${start.slice(0, -1)}\\]` : start;
      at += start.length - 1;
    } else if (isExtended && /\s/.test(letter)) continue;
    else if (isExtended && letter === "#") {
      const end = source.indexOf("\n", at);
      at = end < 0 ? source.length : end;
    } else if (letter === "$" && !isMultiline) result += "(?=\\n?(?![^]))";
    else if (rest.startsWith("(?#")) at += rest.indexOf(")");
    else if (rest.startsWith("(?>") || /^[*+?}]\+/.test(rest)) throw new Unsupported("a possessive or atomic part of a pattern");
    else if (/^\(\?[imsx]+[:)]|^\(\?\^/.test(rest)) throw new Unsupported("options within a pattern");
    else if (rest.startsWith("(?P<")) {
      result += "(?<";
      at += 3;
    } else result += letter;
  }
  return result;
}

/** How long an escape is, and what it is in JavaScript. */
function escaped(next: string, rest: string, isInClass: boolean): readonly [number, string] {
  const inside = (members: string): string => (isInClass ? members : `[${members}]`);
  const wide = /^\\x\{([0-9a-fA-F]+)\}/.exec(rest);
  if (wide) return [wide[0].length, `\\u${(wide[1] ?? "").padStart(4, "0")}`];
  const named = /^\\k[{'](\w+)[}']/.exec(rest);
  if (named) return [named[0].length, `\\k<${named[1] ?? ""}>`];
  const numbered = /^\\g\{?(\d+)\}?/.exec(rest);
  if (numbered) return [numbered[0].length, `\\${numbered[1] ?? ""}`];
  const simple: Readonly<Record<string, string>> = {
    A: "(?<![^])",
    z: "(?![^])",
    Z: "(?=\\n?(?![^]))",
    h: inside(" \\t"),
    H: "[^ \\t]",
    R: "(?:\\r\\n|[\\n\\v\\f\\r])",
    N: "[^\\n]",
    e: "\\x1b",
    a: "\\x07",
  };
  if (next === "G" || next === "X" || next === "p" || next === "P") throw new Unsupported(`\\${next} in a pattern`);
  return [2, simple[next] ?? (next === "K" ? "\\K" : /[<>"'@#%&~`=:;!, -]/.test(next) && next !== "-" ? next : `\\${next}`)];
}
