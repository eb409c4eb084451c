import { fromBytes, toBytes } from "./encoding.ts";

/** Decodes UTF-8. A byte that is not valid UTF-8 becomes U+DC00 plus its value, which no text contains. */
export function toText(bytes: Uint8Array): string {
  const text = fromBytes(bytes, undefined);
  if (!text.includes("\ufffd")) return text;
  const units = new Uint16Array(bytes.length);
  let end = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    const first = bytes[at++] ?? 0;
    if (length === 0) units[end++] = 0xdc00 + first;
    else {
      let code = length === 1 ? first : first & (0x7f >> length);
      for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at++] ?? 0) & 0x3f);
      if (code > 0xffff) units[end++] = 0xd7c0 + (code >> 10);
      units[end++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
    }
  }
  let decoded = "";
  for (let at = 0; at < end; at += 8192) decoded += String.fromCharCode(...units.subarray(at, Math.min(end, at + 8192)));
  return decoded;
}

/** The number of bytes of the character at `at`; 0: not a valid character. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  // A longer form than needed, half of a pair, or a number beyond the last character.
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
  return (first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) ? 0 : length;
}

/** Encodes such a text. */
export function toBytesOf(text: string): Uint8Array {
  if (!hasStrayBytes(text)) return toBytes(text, undefined);
  const bytes = new Uint8Array(3 * text.length);
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code < 0x80 || (code >= 0xdc80 && code <= 0xdcff)) bytes[end++] = code & 0xff;
    else if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
      bytes[end++] = 0x80 | (code & 0x3f);
    } else if (code < 0x10000) {
      bytes[end++] = 0xe0 | (code >> 12);
      bytes[end++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[end++] = 0x80 | (code & 0x3f);
    } else {
      at++;
      bytes[end++] = 0xf0 | (code >> 18);
      bytes[end++] = 0x80 | ((code >> 12) & 0x3f);
      bytes[end++] = 0x80 | ((code >> 6) & 0x3f);
      bytes[end++] = 0x80 | (code & 0x3f);
    }
  }
  return bytes.slice(0, end);
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function hasStrayBytes(text: string): boolean {
  return /(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text);
}

/** Such a text as a terminal shows it. */
export function toShown(text: string): string {
  return hasStrayBytes(text) ? fromBytes(toBytesOf(text), undefined) : text;
}

/** A command's output: a string if it is valid text, else bytes. */
export function toOutput(text: string): string | Uint8Array {
  // A character beyond the first 65,536 also consists of two halves; its bytes are the same.
  return /[\ud800-\udfff]/.test(text) ? toBytesOf(text) : text;
}
