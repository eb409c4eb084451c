import { members } from "./characters.ts";
import { Unsupported } from "./state.ts";

/** A match: its groups, with the whole match first, and where it begins. */
export interface Found {
  readonly groups: readonly (string | undefined)[];
  readonly names: Readonly<Record<string, string | undefined>>;
  readonly at: number;
}

interface Pattern {
  /** The first match from that position. */
  find(text: string, from: number): Found | null;
}

const classes: Readonly<Record<string, string>> = { w: "word", d: "digit", s: "space", h: "blank", v: "vertical" };

const known = new Map<string, Pattern>();

/** Compiles a Perl pattern. `flags`: Perl's flags. */
export function regexOf(pattern: string, flags: string, isText: boolean): Pattern {
  const key = `${isText ? "text" : "bytes"} ${flags}/${pattern}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  // A program can build patterns from its input, so the cache is limited.
  if (known.size > 500) known.clear();
  const made = patternOf(pattern, flags, isText);
  known.set(key, made);
  return made;
}

function patternOf(pattern: string, flags: string, isText: boolean): Pattern {
  let source = pattern;
  let letters = flags;
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  /** The text form of `qr//`. */
  const quoted = /^\(\?\^([imsx]*):([^]*)\)$/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    letters += inline[1] ?? "";
  } else if (quoted && !(quoted[2] ?? "").includes("(?^")) {
    source = quoted[2] ?? "";
    letters = quoted[1] ?? "";
  }
  const { text, keepAt } = new Translation(source, letters, isText).whole();
  let regex: RegExp;
  try {
    regex = new RegExp(text, `${keepAt === null ? "" : "d"}g${letters.includes("i") ? "i" : ""}`);
  } catch {
    throw new Unsupported(`the pattern /${pattern}/`);
  }
  return {
    find(given, from) {
      if (from > given.length) return null;
      regex.lastIndex = from;
      const result = regex.exec(given);
      if (result === null) return null;
      const groups: (string | undefined)[] = [...result];
      const names: Record<string, string | undefined> = { ...result.groups };
      let at = result.index;
      if (keepAt !== null) {
        const end = at + result[0].length;
        at = result.indices?.[keepAt]?.[0] ?? at;
        groups[0] = given.slice(at, end);
        groups.splice(keepAt, 1);
      }
      return { groups, names, at };
    },
  };
}

/** Translates a Perl pattern to JavaScript. */
class Translation {
  private result = "";
  /** The number of groups so far. */
  private count = 0;
  /** For `before\Kafter`: the number of the empty group at `\K`. */
  private keepAt: number | null = null;
  private isInClass = false;
  private readonly source: string;
  private readonly letters: string;
  private readonly isText: boolean;

  constructor(source: string, letters: string, isText: boolean) {
    this.source = source;
    this.letters = letters;
    this.isText = isText;
  }

  whole(): { readonly text: string; readonly keepAt: number | null } {
    for (let at = 0; at < this.source.length; ) at += this.part(this.source.slice(at));
    if (this.keepAt !== null && /\\[1-9]/.test(this.result)) throw new Unsupported("\\K with \\1 in a pattern");
    return { text: this.result, keepAt: this.keepAt };
  }

  /** Translates one part. Returns its length in the source. */
  private part(rest: string): number {
    const letter = rest.charAt(0);
    if (letter === "\\") return this.escape(rest);
    if (this.isInClass) return this.inClass(rest);
    if (letter === "[") {
      this.isInClass = true;
      const [start = "["] = /^\[\^?\]?/.exec(rest) ?? [];
      this.result += start.endsWith("]") ? `${start.slice(0, -1)}\\]` : start;
      return start.length;
    }
    const isMultiline = this.letters.includes("m");
    if (this.letters.includes("x")) {
      const [skipped = ""] = /^(?:\s+|#[^\n]*)/.exec(rest) ?? [];
      if (skipped !== "") return skipped.length;
    }
    if (letter === "$") this.result += isMultiline ? "(?=\\n|(?![^]))" : "(?=\\n?(?![^]))";
    else if (letter === "^" && isMultiline) this.result += "(?:(?<![^])|(?<=\\n)(?=[^]))";
    else if (letter === ".") this.result += this.letters.includes("s") ? "[^]" : "[^\\n]";
    else if (letter === "(") return this.group(rest);
    else if (/^[*+?}]\+/.test(rest)) throw new Unsupported("a possessive or atomic part of a pattern");
    else this.result += letter;
    return 1;
  }

  private group(rest: string): number {
    const comment = /^\(\?#[^)]*\)/.exec(rest);
    if (comment) return comment[0].length;
    if (rest.startsWith("(?>")) throw new Unsupported("a possessive or atomic part of a pattern");
    // A `qr//` pattern within another pattern.
    const isQuoted = rest.startsWith("(?^:") && !/[imsx]/.test(this.letters);
    const name = /^\(\?P?<(?![=!])/.exec(rest);
    if (isQuoted) this.result += "(?:";
    else if (name) {
      this.result += "(?<";
      this.count++;
    } else {
      const [start = ""] = /^\((?:\?(?::|<?[=!]))?/.exec(rest) ?? [];
      if (start === "(" && /^\([?*]/.test(rest)) throw new Unsupported("options within a pattern");
      if (start === "(") this.count++;
      this.result += start;
      return start.length;
    }
    return isQuoted ? 4 : (name?.[0].length ?? 1);
  }

  private inClass(rest: string): number {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(rest);
    if (named) {
      const found = members(named[2] ?? "", this.isText, named[1] !== "");
      if (found === null) throw new Unsupported(named[0]);
      this.result += found;
      return named[0].length;
    }
    if (rest.startsWith("]")) this.isInClass = false;
    this.result += rest.startsWith("[") ? "\\[" : rest.charAt(0);
    return 1;
  }

  /** A class by its letter; a capital letter negates it. */
  private named(letter: string): string | null {
    const name = classes[letter.toLowerCase()];
    if (name === undefined) return null;
    const found = members(name, this.isText, letter !== letter.toLowerCase()) ?? "";
    return this.isInClass ? found : `[${found}]`;
  }

  private escape(rest: string): number {
    const code = /^\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{0,2}))/.exec(rest);
    if (code) {
      const value = Number.parseInt(code[1] ?? (code[2] || "0"), 16);
      if (value > 0xffff) throw new Unsupported(`${code[0]} in a pattern`);
      this.result += `\\u${value.toString(16).padStart(4, "0")}`;
      return code[0].length;
    }
    const back = /^\\k[{<'](\w+)[}>']/.exec(rest);
    if (back) {
      this.result += `\\k<${back[1] ?? ""}>`;
      return back[0].length;
    }
    const numbered = /^\\g(?:\{(\d+)\}|(\d+))/.exec(rest);
    if (numbered) {
      this.result += `(?:\\${numbered[1] ?? numbered[2] ?? ""})`;
      return numbered[0].length;
    }
    const letter = rest.charAt(1);
    const own = this.named(letter) ?? this.place(letter);
    if (own !== null) this.result += own;
    else if (letter === "K" && !this.isInClass && this.keepAt === null) {
      this.keepAt = ++this.count;
      this.result += "()";
    } else if (/[a-zA-Z]/.test(letter) && !/[ntrf]/.test(letter)) throw new Unsupported(`\\${letter} in a pattern`);
    else this.result += /[<>"'@#%&~`=:;!, ]/.test(letter) ? letter : `\\${letter}`;
    return 2;
  }

  /** Positions, line ends, and escapes that JavaScript writes differently. */
  private place(letter: string): string | null {
    if (letter === "e") return "\\x1b";
    if (letter === "a") return "\\x07";
    if (this.isInClass) return letter === "b" ? "\\b" : null;
    const word = `[${members("word", this.isText, false) ?? ""}]`;
    const boundary = this.isText ? `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))` : "\\b";
    const places: Readonly<Record<string, string>> = {
      A: "(?<![^])",
      z: "(?![^])",
      Z: "(?=\\n?(?![^]))",
      R: `(?:\\r\\n|[${members("vertical", this.isText, false) ?? ""}])`,
      N: "[^\\n]",
      b: boundary,
      B: this.isText ? `(?!${boundary})` : "\\B",
    };
    return places[letter] ?? null;
  }
}
