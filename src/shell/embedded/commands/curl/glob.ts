import type { Wrong } from "./options.ts";

/** A URL that matches a pattern, with the value of each of the pattern's parts: `#1` in a file name stands for the first. */
export interface Globbed {
  readonly url: string;
  readonly parts: readonly string[];
}

/** The maximum number of URLs of a command; a pattern can stand for very many. */
const most = 1000;

/** Expands `{a,b}`, `[1-3]`, `[01-10]`, `[a-e]` and `[0-10:5]`. */
export function expandUrl(pattern: string): readonly Globbed[] | Wrong {
  let urls: Globbed[] = [{ url: "", parts: [] }];
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern.charAt(at);
    if (letter === "\\" && /[{}[\]]/.test(pattern.charAt(at + 1))) {
      urls = urls.map((one) => ({ ...one, url: one.url + pattern.charAt(at + 1) }));
      at += 2;
    } else if (letter === "{" || letter === "[") {
      const close = pattern.indexOf(letter === "{" ? "}" : "]", at);
      // An IPv6 address is not a range.
      const address = letter === "[" ? /^\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]/.exec(pattern.slice(at)) : null;
      if (address) {
        urls = urls.map((one) => ({ ...one, url: one.url + address[0] }));
        at += address[0].length;
        continue;
      }
      if (close < 0) return wrong(letter === "{" ? "unmatched brace" : "bad range", pattern, at);
      const inside = pattern.slice(at + 1, close);
      const words = letter === "{" ? inside.split(",") : range(inside);
      if (words === null) return wrong("bad range", pattern, at + 1);
      if (letter === "{" && inside === "") return wrong("empty string within braces", pattern, at + 1);
      urls = urls.flatMap((one) => words.map((word) => ({ url: one.url + word, parts: [...one.parts, word] })));
      if (urls.length > most) return { exitCode: 3, message: `(3) range overflow: this curl asks for at most ${most} URLs` };
      at = close + 1;
    } else if (letter === "}" || letter === "]") return wrong("unmatched close brace/bracket", pattern, at);
    else {
      urls = urls.map((one) => ({ ...one, url: one.url + letter }));
      at++;
    }
  }
  return urls;
}

function range(text: string): readonly string[] | null {
  const letters = /^([a-z])-([a-z])(?::(\d+))?$/i.exec(text);
  if (letters) {
    const [, first = "", last = "", step = "1"] = letters;
    return counted(first.charCodeAt(0), last.charCodeAt(0), Number(step), (code) => String.fromCharCode(code));
  }
  const numbers = /^(\d+)-(\d+)(?::(\d+))?$/.exec(text);
  if (!numbers) return null;
  const [, first = "", last = "", step = "1"] = numbers;
  const width = first.startsWith("0") ? first.length : 0;
  return counted(Number(first), Number(last), Number(step), (number) => String(number).padStart(width, "0"));
}

function counted(from: number, to: number, step: number, text: (value: number) => string): readonly string[] | null {
  if (from > to || step < 1 || (to - from) / step > most) return null;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => text(from + i * step));
}

function wrong(what: string, pattern: string, at: number): Wrong {
  return { exitCode: 3, message: `(3) ${what} in URL position ${at + 1}:\n${pattern}\n${" ".repeat(at)}^` };
}
