/** A program that can't be parsed; awk prints the message. */
export class AwkSyntaxError extends Error {}

export interface Token {
  readonly kind: "number" | "string" | "regex" | "name" | "call" | "builtin" | "word" | "op" | "newline" | "end";
  readonly text: string;
  readonly line: number;
  /** White space precedes it. */
  readonly spaced: boolean;
}

const words = new Set(
  "BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default".split(
    " ",
  ),
);

export const builtins = new Set(
  "length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush systime strftime mktime strtonum and or xor lshift rshift compl asort asorti isarray typeof".split(
    " ",
  ),
);

/** Names that only gawk has. As plain variables they would silently do nothing. */
const absent = new Set(["BEGINFILE", "ENDFILE", "FIELDWIDTHS", "ARGIND", "ERRNO"]);

const operators = [
  "**=",
  "&&",
  "||",
  "++",
  "--",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "^=",
  "**",
  "==",
  "<=",
  ">=",
  "!=",
  "!~",
  ">>",
  ...Array.from("{}()[];,+-*/%^!<>|?:~$="),
];

export function tokens(program: string): readonly Token[] {
  const found: Token[] = [];
  let at = 0;
  let line = 1;
  const add = (kind: Token["kind"], text: string, spaced: boolean): void => void found.push({ kind, text, line, spaced });
  /** A slash after a value is a division; elsewhere it begins a regular expression. */
  const afterValue = (): boolean => {
    const last = found.at(-1);
    if (last === undefined) return false;
    if (last.kind === "op") return [")", "]", "++", "--"].includes(last.text);
    return ["number", "string", "regex", "name", "builtin"].includes(last.kind);
  };
  const rest = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(program);
  };
  while (at < program.length) {
    const start = at;
    const blank = rest(/(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y);
    if (blank) {
      at += blank[0].length;
      line += blank[0].split("\n").length - 1;
    }
    if (at >= program.length) break;
    const spaced = at > start;
    const letter = program.charAt(at);
    if (letter === "\n") {
      add("newline", "\n", spaced);
      line++;
      at++;
      continue;
    }
    const number = rest(/0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y);
    const name = rest(/[A-Za-z_]\w*/y);
    if (number) {
      add("number", number[0], spaced);
      at += number[0].length;
    } else if (name) {
      const [text] = name;
      at += text.length;
      if (absent.has(text)) throw new AwkSyntaxError(`line ${line}: ${text} is not here`);
      if (words.has(text)) add("word", text === "func" ? "function" : text, spaced);
      else if (builtins.has(text)) add("builtin", text, spaced);
      else add(program.charAt(at) === "(" ? "call" : "name", text, spaced);
    } else if (letter === '"') {
      const string = rest(/"((?:[^"\\\n]|\\[^])*)"/y);
      if (!string) throw new AwkSyntaxError(`line ${line}: unterminated string`);
      add("string", unescape(string[1] ?? ""), spaced);
      line += string[0].split("\n").length - 1;
      at += string[0].length;
    } else if (letter === "/" && !afterValue()) {
      const regex =
        rest(/\/((?:[^/\\\n[]|\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\\[^\n]|[^\]\n\\])*\])*)\//y) ?? rest(/\/((?:[^/\\\n]|\\[^\n])*)\//y);
      if (!regex) throw new AwkSyntaxError(`line ${line}: unterminated regexp`);
      add("regex", (regex[1] ?? "").replaceAll("\\/", "/"), spaced);
      at += regex[0].length;
    } else {
      const operator = operators.find((each) => program.startsWith(each, at));
      if (operator === undefined) throw new AwkSyntaxError(`line ${line}: syntax error at or near ${letter}`);
      add("op", operator === "**" ? "^" : operator === "**=" ? "^=" : operator, spaced);
      at += operator.length;
    }
  }
  add("newline", "\n", false);
  add("end", "end of program", false);
  return found;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\u0007",
  "\\": "\\",
  '"': '"',
  "/": "/",
};

/** Resolves the escapes of a string. An unknown escape keeps its backslash, because a string may become a regular expression. */
export function unescape(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(\n)|([^]))/g,
    (all, hex?: string, octal?: string, end?: string, letter = "") => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return end !== undefined ? "" : (escapes[letter] ?? all);
    },
  );
}
