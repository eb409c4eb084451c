export { fromHex, joinBytes as concat, toHex } from "../../../../fs/bytes.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Compares by UTF-8 bytes, git's sort order. Comparing UTF-16 units gives a different order beyond U+D7FF. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** git's own test: a NUL in the first 8,000 bytes. */
export function isBinary(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, 8000);
  for (let i = 0; i < end; i++) if (bytes[i] === 0) return true;
  return false;
}

/** A path as git prints it: in quotes with C escapes if it has unusual bytes. `spaces`: a space counts as unusual. */
export type Quote = (path: string, spaces?: boolean) => string;

/** `core.quotePath` says whether bytes beyond ASCII are unusual. */
export function quoteWith(core: { readonly quotePath: boolean }): Quote {
  return (path, spaces = false) => quoted(path, spaces, core.quotePath);
}

function quoted(path: string, spaces: boolean, beyondAscii: boolean): string {
  const usual = beyondAscii ? /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/ : /^[\x20\x21\x23-\x5b\x5d-\x7e\u{80}-\u{10ffff}]*$/u;
  if (usual.test(path) && !(spaces && path.includes(" "))) return path;
  const named: Readonly<Record<number, string>> = {
    7: "\\a",
    8: "\\b",
    9: "\\t",
    10: "\\n",
    11: "\\v",
    12: "\\f",
    13: "\\r",
    34: '\\"',
    92: "\\\\",
  };
  const escaped = (byte: number): string => named[byte] ?? `\\${byte.toString(8).padStart(3, "0")}`;
  let text = "";
  for (const char of path) {
    const code = char.codePointAt(0) ?? 0;
    if (code > 0x7f) text += beyondAscii ? Array.from(encode(char), escaped).join("") : char;
    else text += code < 0x20 || code === 0x7f || char === '"' || char === "\\" ? escaped(code) : char;
  }
  return `"${text}"`;
}
