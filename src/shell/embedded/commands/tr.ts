import { toBytesOf, toText } from "../stray-bytes.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { failed, type Run, stdinBytes, stdinLatin1 } from "./answer.ts";
import { parseOptions } from "./options.ts";

const classes: Readonly<Record<string, (letter: string) => boolean>> = {
  alpha: (letter) => /^[A-Za-z]$/.test(letter),
  digit: (letter) => /^[0-9]$/.test(letter),
  alnum: (letter) => /^[A-Za-z0-9]$/.test(letter),
  upper: (letter) => /^[A-Z]$/.test(letter),
  lower: (letter) => /^[a-z]$/.test(letter),
  space: (letter) => /^[ \t\n\r\f\v]$/.test(letter),
  blank: (letter) => letter === " " || letter === "\t",
  punct: (letter) => /^[!-/:-@[-`{-~]$/.test(letter),
  cntrl: (letter) => letter < " " || letter === "\x7f",
  print: (letter) => letter >= " " && letter <= "~",
  graph: (letter) => letter > " " && letter <= "~",
  xdigit: (letter) => /^[0-9A-Fa-f]$/.test(letter),
};

/**
 * tr for characters, where GNU's works on bytes: a set may contain letters outside of ASCII. With a set that names bytes outside of ASCII, such as
 * `\200-\377`, it works on bytes.
 */
export const tr: Run = (args, context) => {
  const options = parseOptions(args, "cCdst", { complement: "c", delete: "d", "squeeze-repeats": "s", "truncate-set1": "t" });
  if (typeof options === "string") return failed("tr", options);
  const [first, second, odd] = options.operands;
  if (first === undefined) return failed("tr", "missing operand");
  const deletes = options.has("d");
  const squeezes = options.has("s");
  if (second === undefined && !deletes && !squeezes)
    return failed("tr", `missing operand after '${first}'\nTwo strings must be given when translating.`);
  if (odd !== undefined || (second !== undefined && deletes && !squeezes)) return failed("tr", `extra operand '${odd ?? second ?? ""}'`);
  const inBytes = options.operands.some((set) => /\\[23][0-7]{2}/.test(set));
  const from = readSet(first, null, inBytes);
  const to = second === undefined ? null : readSet(second, from.length, inBytes);
  if (typeof from === "string") return failed("tr", from);
  if (typeof to === "string") return failed("tr", to);
  if (to?.length === 0 && !deletes) return failed("tr", "when not truncating set1, string2 must be non-empty");
  const complement = options.has("c") || options.has("C");
  const members = new Set(from);
  const isMember = (letter: string): boolean => members.has(letter) !== complement;
  const last = to?.at(-1) ?? "";
  const map = new Map<string, string>();
  if (to !== null && !complement)
    for (const [i, letter] of from.entries()) if (i < to.length || !options.has("t")) map.set(letter, to[i] ?? last);
  const squeezed = new Set(squeezes ? (second === undefined ? [] : (to ?? [])) : []);
  const isSqueezed = (letter: string): boolean => squeezes && (second === undefined ? isMember(letter) : squeezed.has(letter));
  const out: string[] = [];
  let before = "";
  for (const letter of inBytes ? stdinLatin1(context) : toText(stdinBytes(context))) {
    let now = letter;
    if (deletes && isMember(letter)) continue;
    if (!deletes && to !== null) now = complement ? (isMember(letter) ? last : letter) : (map.get(letter) ?? letter);
    if (now === before && isSqueezed(now)) continue;
    out.push(now);
    before = now;
  }
  return { stdout: inBytes ? toBytes(out.join(""), "latin1") : toBytesOf(out.join("")) };
};

/** The maximum number of characters in a set, and of counted repeats: as many as there are characters. */
const mostLetters = 0x11_0000;

/** Expands a set to its characters. Returns a text if something is wrong. `length`: the length to which `[x*]` is filled. */
function readSet(given: string, length: number | null, inBytes: boolean): string[] | string {
  const source = inBytes ? fromBytes(toBytesOf(given), "latin1") : given;
  const letters: string[] = [];
  const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", a: "\x07", b: "\b", "\\": "\\" };
  let at = 0;
  const one = (): string => {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
    at += letter.length;
    if (letter !== "\\" || at >= source.length) return letter;
    const octal = /^[0-7]{1,3}/.exec(source.slice(at))?.[0];
    if (octal !== undefined) {
      at += octal.length;
      const code = Number.parseInt(octal, 8) & 0xff;
      // A byte that is not a complete character.
      return String.fromCharCode(code < 0x80 || inBytes ? code : 0xdc00 + code);
    }
    const next = source.charAt(at++);
    return escapes[next] ?? next;
  };
  while (at < source.length) {
    if (letters.length > 2 * mostLetters) return "a set has too many characters";
    const named = /^\[:(\w+):\]/.exec(source.slice(at));
    if (named) {
      const test = classes[named[1] ?? ""];
      if (test === undefined) return `invalid character class '${named[1] ?? ""}'`;
      for (let code = 0; code < 128; code++) if (test(String.fromCharCode(code))) letters.push(String.fromCharCode(code));
      at += named[0].length;
      continue;
    }
    const equal = /^\[=(.)=\]/su.exec(source.slice(at));
    const repeated = /^\[(\\?.)\*(\d*)\]/su.exec(source.slice(at));
    if (equal) {
      letters.push(equal[1] ?? "");
      at += equal[0].length;
      continue;
    }
    if (repeated) {
      at++;
      const letter = one();
      const count =
        repeated[2] === ""
          ? Math.max(0, (length ?? 0) - letters.length)
          : Number.parseInt(repeated[2] ?? "0", (repeated[2] ?? "").startsWith("0") ? 8 : 10);
      for (let i = 0; i < Math.min(count, mostLetters); i++) letters.push(letter);
      at = source.indexOf("]", at) + 1;
      continue;
    }
    const letter = one();
    if (source.charAt(at) === "-" && at + 1 < source.length) {
      at++;
      const end = one();
      const [low, high] = [letter.codePointAt(0) ?? 0, end.codePointAt(0) ?? 0];
      if (low > high) return `range-endpoints of '${letter}-${end}' are in reverse collating sequence order`;
      for (let code = low; code <= high; code++) letters.push(String.fromCodePoint(code));
    } else letters.push(letter);
  }
  return letters;
}
