import { toText } from "../../stray-bytes.ts";

/** A byte that is written as a number. */
const number = /\\(?:x([0-9a-fA-F]{1,2})|o([0-7]{1,3})|d(\d{1,3}))/y;

interface Numbers {
  readonly bytes: readonly number[];
  readonly end: number;
}

/** Reads the adjacent numbers that begin at `start`, such as `\xc3\xa9`. Null if there is none. */
function numbersAt(source: string, start: number): Numbers | null {
  const bytes: number[] = [];
  number.lastIndex = start;
  let end = start;
  for (let found = number.exec(source); found; found = number.exec(source)) {
    const [, hex, octal, decimal] = found;
    bytes.push((hex === undefined ? (octal === undefined ? Number(decimal) : Number.parseInt(octal, 8)) : Number.parseInt(hex, 16)) & 0xff);
    end = number.lastIndex;
  }
  return bytes.length === 0 ? null : { bytes, end };
}

/** The text of the adjacent numbers that begin at `start`: their bytes are UTF-8. Null if there is none. */
export function textAt(source: string, start: number): { readonly text: string; readonly end: number } | null {
  const found = numbersAt(source, start);
  return found && { text: toText(Uint8Array.from(found.bytes)), end: found.end };
}

/** Replaces the numbers in an expression by their characters. As in GNU sed, `\x2e` is a dot that matches any character. */
export function withCharacters(source: string): string {
  let text = "";
  for (let at = 0; at < source.length; ) {
    const found = textAt(source, at);
    if (found) {
      text += found.text.replaceAll("\\", "\\\\");
      at = found.end;
    } else if (source[at] === "[") {
      const [inside, end] = bracket(source, at);
      text += inside;
      at = end;
    } else {
      const length = source[at] === "\\" ? 2 : 1;
      text += source.slice(at, at + length);
      at += length;
    }
  }
  return text;
}

const controls: Readonly<Record<string, string>> = { r: "\r", f: "\f", v: "\v", a: "\x07" };

/** A bracket expression with its characters, and its end. */
function bracket(source: string, start: number): readonly [text: string, end: number] {
  let at = start + (/^\[\^?\]?/.exec(source.slice(start, start + 3))?.[0].length ?? 1);
  let text = source.slice(start, at);
  while (at < source.length && source[at] !== "]") {
    const named = /^\[([:.=])[^\]]*?\1\]/.exec(source.slice(at, at + 20))?.[0];
    const found = numbersAt(source, at);
    const control = source[at] === "\\" ? controls[source.charAt(at + 1)] : undefined;
    if (named !== undefined) text += named;
    else if (found) text += inBracket(found.bytes, text.endsWith("-"));
    else text += control ?? source.charAt(at);
    at = found?.end ?? at + (named?.length ?? (control === undefined ? 1 : 2));
  }
  return [text + source.slice(at, at + 1), at + 1];
}

/** In a range a byte is the character with this number. `\xff` ends a range that has all characters from its start. */
function inBracket(bytes: readonly number[], endsRange: boolean): string {
  const text = toText(Uint8Array.from(bytes));
  if (bytes.length > 1 && !/[\udc00-\udcff]/.test(text)) return text;
  if (endsRange && bytes.length === 1 && bytes[0] === 0xff) return "\u{10ffff}";
  return bytes
    .map((byte) => (/[\\^-]/.test(String.fromCharCode(byte)) ? `[.${String.fromCharCode(byte)}.]` : String.fromCharCode(byte)))
    .join("");
}
