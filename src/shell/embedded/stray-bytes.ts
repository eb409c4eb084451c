import { joinBytes } from "../../fs/bytes.ts";
import { fromBytes, toBytes } from "./encoding.ts";

/** Decodes UTF-8. A byte that is not valid UTF-8 becomes U+DC00 plus its value, which no text contains. */
export function toText(bytes: Uint8Array): string {
  const text = fromBytes(bytes, undefined);
  if (!text.includes("\ufffd")) return text;
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    parts.push(length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : fromBytes(bytes.subarray(at, at + length), undefined));
    at += Math.max(1, length);
  }
  return parts.join("");
}

/** The number of bytes of the character at `at`; 0: not a valid character. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

const stray = /[\ud800-\udbff][\udc00-\udfff]|[\udc00-\udcff]/g;

/** Encodes such a text. */
export function toBytesOf(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const found of text.matchAll(stray)) {
    if (found[0].length === 2) continue;
    parts.push(toBytes(text.slice(from, found.index), undefined), Uint8Array.of(found[0].charCodeAt(0) & 0xff));
    from = found.index + 1;
  }
  return from === 0 ? toBytes(text, undefined) : joinBytes([...parts, toBytes(text.slice(from), undefined)]);
}

/** A command's output: a string if it is valid text, else bytes. */
export function toOutput(text: string): string | Uint8Array {
  // A character beyond the first 65,536 also consists of two halves; its bytes are the same.
  return /[\ud800-\udfff]/.test(text) ? toBytesOf(text) : text;
}
