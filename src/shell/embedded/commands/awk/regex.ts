import { characterClasses } from "../../posix-regex.ts";

const letters: Readonly<Record<string, string>> = {
  n: "\\n",
  t: "\\t",
  r: "\\r",
  f: "\\f",
  v: "\\v",
  a: "\\x07",
  b: "\\x08",
  y: "\\b",
  B: "\\B",
  "<": "\\b(?=[\\w])",
  ">": "\\b(?<=[\\w])",
  "`": "^",
  "'": "$",
  s: "[ \\t\\n\\r\\f\\v]",
  S: "[^ \\t\\n\\r\\f\\v]",
  w: "\\w",
  W: "\\W",
};

const plain = (letter: string): string => (/[\\^$.*+?()[\]{}|/-]/.test(letter) ? `\\${letter}` : letter);

/** Translates awk's extended regular expressions to JavaScript's. */
export function translate(source: string): string {
  let text = "";
  for (let at = 0; at < source.length; at++) {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (letter === "\\") {
      const next = source.charAt(++at);
      const octal = /^[0-7]{1,3}/.exec(source.slice(at))?.[0];
      if (next === "") text += "\\\\";
      else if (octal !== undefined) {
        text += plain(String.fromCharCode(Number.parseInt(octal, 8)));
        at += octal.length - 1;
      } else text += letters[next] ?? plain(next);
    } else if (letter === "[") {
      const [inside, end] = bracket(source, at);
      text += inside;
      at = end;
    } else if (letter === "{") {
      const count = /^\{\d+(?:,\d*)?\}/.exec(source.slice(at))?.[0];
      text += count !== undefined && text !== "" && !/(?:^|[(|])$/.test(text) ? count : "\\{";
      if (count !== undefined && text.endsWith(count)) at += count.length - 1;
    } else if (/[*+?]/.test(letter) && (text === "" || /(?:^|[^\\])[(|^]$/.test(text))) text += `\\${letter}`;
    else if (/[*+?]/.test(letter) && /(?:^|[^\\])[*+?]$/.test(text)) continue;
    else if (letter === "}" || letter === "]" || letter === "/") text += `\\${letter}`;
    else {
      text += letter;
      at += letter.length - 1;
    }
  }
  return text;
}

/** Translates a bracket expression, and returns where it ends. */
function bracket(source: string, start: number): readonly [text: string, end: number] {
  let at = start + 1;
  let text = "[";
  if (source.charAt(at) === "^") {
    text += "^";
    at++;
  }
  for (let first = true; at < source.length; first = false) {
    const letter = String.fromCodePoint(source.codePointAt(at) ?? 0);
    if (letter === "]" && !first) return [`${text}]`, at];
    const named = /^\[:(\w+):\]/.exec(source.slice(at));
    const known = named ? characterClasses[named[1] ?? ""] : undefined;
    if (named && known !== undefined) {
      text += known;
      at += named[0].length;
    } else if (letter === "\\" && at + 1 < source.length) {
      const next = source.charAt(at + 1);
      text += "nrtfv".includes(next) ? `\\${next}` : next === "w" || next === "s" ? `\\${next}` : plain(next);
      at += 2;
    } else {
      const isRange = letter === "-" && !first && source.charAt(at + 1) !== "]" && source.charAt(at + 1) !== "";
      text += isRange ? "-" : plain(letter);
      at += letter.length;
    }
  }
  return ["\\[", start];
}

const known = new Map<string, RegExp>();

/** Compiles with the flags "s" and "u", and "g" or "i" if given. */
export function regex(source: string, flags = ""): RegExp {
  const key = `${flags}/${source}`;
  const found = known.get(key);
  if (found) return found;
  if (known.size > 1000) known.clear();
  const made = new RegExp(translate(source), `su${flags}`);
  known.set(key, made);
  return made;
}
