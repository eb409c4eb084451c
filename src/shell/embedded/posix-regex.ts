/** The character classes, as the content of brackets in a JavaScript expression with the flag `u`. */
export const characterClasses: Readonly<Record<string, string>> = {
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}0-9",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: " \\t\\n\\r\\f\\v",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`\\{-~",
  cntrl: "\\x00-\\x1f\\x7f",
  print: "\\x20-\\x7e\\u{a0}-\\u{10ffff}",
  graph: "\\x21-\\x7e\\u{a1}-\\u{10ffff}",
  xdigit: "0-9A-Fa-f",
};

const word = "[\\p{L}\\p{N}_]";

/** GNU's letters after a backslash. */
const letters: Readonly<Record<string, string>> = {
  n: "\\n",
  t: "\\t",
  r: "\\r",
  f: "\\f",
  v: "\\v",
  a: "\\x07",
  b: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
  B: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  "<": `(?<!${word})(?=${word})`,
  ">": `(?<=${word})(?!${word})`,
  "`": "(?<![^])",
  "'": "(?![^])",
  s: "[ \\t\\n\\r\\f\\v]",
  S: "[^ \\t\\n\\r\\f\\v]",
  w: word,
  W: "[^\\p{L}\\p{N}_]",
};

/** An invalid expression, with GNU's message. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

const literal = (letter: string): string => (/[\\^$.*+?()[\]{}|/]/.test(letter) ? `\\${letter}` : letter);

/** Translates a POSIX expression with GNU's additions to JavaScript, for the flag `u`. `any`: what a dot matches. */
export function translatePattern(source: string, kind: "basic" | "extended", any: "." | "[^\\n]" = "[^\\n]"): string {
  const extended = kind === "extended";
  let text = "";
  let depth = 0;
  /** There is nothing here yet that could be repeated. */
  let atStart = true;
  let groups = 0;
  for (let at = 0; at < source.length; ) {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += letter.length;
    let operator = letter;
    if (letter === "\\") {
      const next = String.fromCodePoint(source.codePointAt(at) ?? 0);
      if (at >= source.length) throw new PatternError("Trailing backslash");
      at += next.length;
      if (/[1-9]/.test(next)) {
        if (Number(next) > groups) throw new PatternError("Invalid back reference");
        text += `(?:\\${next})`;
        atStart = false;
        continue;
      }
      if (!extended && /[(){}|+?]/.test(next)) operator = `op${next}`;
      else {
        text += letters[next] ?? literal(next);
        atStart = false;
        continue;
      }
    } else if (extended && /[(){}|+?]/.test(letter)) operator = `op${letter}`;

    switch (operator) {
      case "op(":
        text += "(";
        depth++;
        groups++;
        atStart = true;
        continue;
      case "op)":
        if (depth === 0) {
          if (!extended) throw new PatternError("Unmatched ) or \\)");
          text += "\\)";
        } else {
          depth--;
          text += ")";
        }
        atStart = false;
        continue;
      case "op|":
        text += "|";
        atStart = true;
        continue;
      case "op{": {
        const count = (extended ? /^(\d*)(?:(,)(\d*))?\}/ : /^(\d*)(?:(,)(\d*))?\\\}/).exec(source.slice(at));
        if (!count || (count[1] === "" && count[2] === undefined)) {
          if (!extended) throw new PatternError(/\\\}/.test(source.slice(at)) ? "Invalid content of \\{\\}" : "Unmatched \\{");
          text += "\\{";
          atStart = false;
          continue;
        }
        at += count[0].length;
        if (atStart) text += extended ? "" : literal(`{${count[1] ?? ""}}`);
        else text += `{${count[1] || "0"}${count[2] ?? ""}${count[3] ?? ""}}`;
        continue;
      }
      case "op}":
        text += "\\}";
        atStart = false;
        continue;
      case "*":
      case "op+":
      case "op?":
        if (atStart) text += operator === "*" || !extended ? `\\${operator.at(-1) ?? ""}` : "";
        // Repeating twice is the same as once, but JavaScript takes a second sign as laziness.
        else if (/[*+?}]$/.test(text) && !/\\[*+?}]$/.test(text)) text = `${grouped(text)}${operator.at(-1) ?? ""}`;
        else text += operator.at(-1) ?? "";
        atStart = false;
        continue;
      case "^": {
        const isAnchor = extended || atStart;
        text += isAnchor ? "^" : "\\^";
        if (!isAnchor) atStart = false;
        continue;
      }
      case "$": {
        const rest = source.slice(at);
        text += extended || rest === "" || rest.startsWith("\\)") || rest.startsWith("\\|") ? "$" : "\\$";
        atStart = false;
        continue;
      }
      case ".":
        text += any;
        break;
      case "[": {
        const [inside, end] = bracket(source, at - 1);
        text += inside;
        at = end;
        break;
      }
      default:
        text += literal(letter);
    }
    atStart = false;
  }
  if (depth > 0) throw new PatternError("Unmatched ( or \\(");
  return text;
}

/** Groups the last part of an expression with its repetition. */
function grouped(text: string): string {
  const found = /(\\?.|\[(?:\\.|[^\]])*\]|\((?:[^()]|\\.)*\))[*+?]$|(\\?.)\{[\d,]*\}$/su.exec(text);
  return found ? `${text.slice(0, found.index)}(?:${found[0]})` : text;
}

/** Translates a bracket expression, and returns where it ends. */
function bracket(source: string, start: number): readonly [text: string, end: number] {
  let at = start + 1;
  let text = "";
  const negated = source.charAt(at) === "^";
  if (negated) at++;
  for (let first = true; at < source.length; first = false) {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (letter === "]" && !first) {
      return [`[${negated ? "^" : ""}${text}]`, at + 1];
    }
    const named = /^\[([:.=])([^\]]*?)\1\]/.exec(source.slice(at));
    if (named) {
      const known = named[1] === ":" ? characterClasses[named[2] ?? ""] : inBrackets(named[2] ?? "");
      if (known === undefined) throw new PatternError("Invalid character class name");
      text += known;
      at += named[0].length;
      continue;
    }
    const escape = letter === "\\" ? source.charAt(at + 1) : "";
    // GNU sed and grep recognize \n and \t there; other backslashes are literal.
    if (escape === "n" || escape === "t") {
      text += `\\${escape}`;
      at += 2;
      continue;
    }
    const next = source.charAt(at + letter.length);
    const after = source.slice(at + letter.length + 1);
    if (next === "-" && after !== "" && !after.startsWith("]") && !after.startsWith("[.") && !after.startsWith("[=")) {
      const last = String.fromCodePoint(after.codePointAt(0) ?? 0);
      if ((letter.codePointAt(0) ?? 0) > (last.codePointAt(0) ?? 0)) throw new PatternError("Invalid range end");
      text += `${inBrackets(letter)}-${inBrackets(last)}`;
      at += letter.length + 1 + last.length;
      continue;
    }
    text += inBrackets(letter);
    at += letter.length;
  }
  throw new PatternError("Unmatched [, [^, [:, [., or [=");
}

const inBrackets = (letter: string): string => (/[\\\]^[-]/.test(letter) ? `\\${letter}` : letter);

/**
 * `fixed`: a literal text. `perl`: JavaScript's own syntax, which is close. With the flag `s` a dot also matches a line feed; otherwise everything
 * else.
 */
export function toRegExp(source: string, kind: "basic" | "extended" | "fixed" | "perl", flags = ""): RegExp {
  if (kind === "perl") return perlPattern(source, flags);
  const text =
    kind === "fixed" ? Array.from(source, literal).join("") : translatePattern(source, kind, flags.includes("s") ? "." : "[^\\n]");
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    throw new PatternError("Invalid regular expression");
  }
}

/** Translates Perl features that JavaScript writes differently or lacks. */
function perlPattern(source: string, flags: string): RegExp {
  let text = "";
  let all = flags;
  let at = 0;
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  if (inline) {
    if (inline[1]?.includes("x")) throw new PatternError("the flag x of Perl's expressions is not here");
    all += [...new Set(inline[1])].filter((flag) => !all.includes(flag)).join("");
    at = inline[0].length;
  }
  let inClass = false;
  for (; at < source.length; at++) {
    const rest = source.slice(at);
    const named = /^\[:(\^?)(\w+):\]/.exec(rest);
    if (inClass && named && characterClasses[named[2] ?? ""] !== undefined && named[1] === "") {
      text += characterClasses[named[2] ?? ""] ?? "";
      at += named[0].length - 1;
    } else if (rest.startsWith("\\")) {
      const next = source.charAt(++at);
      const hex = /^x\{([0-9a-fA-F]+)\}/.exec(source.slice(at));
      if (hex) {
        text += `\\u{${hex[1] ?? "0"}}`;
        at += hex[0].length - 1;
      } else if (next === "K") {
        text = `(?<=${text})`;
      } else if (next === "h") text += inClass ? " \\t" : "[ \\t]";
      else if (next === "R") text += "(?:\\r\\n|\\n|\\r)";
      else if (next === "A") text += "^";
      else if (next === "z" || next === "Z") text += "$";
      else if (/[dDwWsSbBnrtfv0-9pPkux^$\\.*+?()[\]{}|/]/.test(next) || (inClass && next === "-")) text += `\\${next}`;
      else if (/[QEGXC]/.test(next)) throw new PatternError(`\\${next} of Perl's expressions is not here`);
      else text += next;
    } else if (!inClass && /^\((?:\?>|\?[|&R0-9])/.test(rest))
      throw new PatternError("this kind of group of Perl's expressions is not here");
    else if (!inClass && rest.startsWith("(?P<")) {
      text += "(?<";
      at += 3;
    } else if (!inClass && /^[*+?]\+/.test(rest)) {
      // A possessive quantifier matches the same, or gives up earlier.
      text += rest[0];
      at++;
    } else {
      if (rest.startsWith("[") && !inClass) inClass = true;
      else if (rest.startsWith("]") && inClass && !text.endsWith("[") && !text.endsWith("[^")) inClass = false;
      const letter = rest[0] ?? "";
      if (letter === "." && !inClass && !all.includes("s")) text += "[^\\n]";
      else
        text +=
          !inClass && (letter === "}" || letter === "{") && !/^\{\d+(?:,\d*)?\}/.test(rest) && !/\{\d+(?:,\d*)?$/.test(text)
            ? `\\${letter}`
            : letter;
    }
  }
  try {
    return new RegExp(text, [...new Set(`${all}u`)].filter((flag) => flag !== "x").join(""));
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error));
  }
}
