import { joinBytes } from "../../fs/bytes.ts";
import { fromBytes, toBytes } from "./encoding.ts";

/** A byte that is no UTF-8 becomes U+DC00 and its value, which no text has. */
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

/** How many bytes make a character there; 0: they make none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

const stray = /[\ud800-\udbff][\udc00-\udfff]|[\udc00-\udcff]/g;

/** The bytes of such a text. */
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

/** A command's output: text where it is one. */
export function toOutput(text: string): string | Uint8Array {
  // A character beyond the first 65,536 is two halves, too; its bytes are the same.
  return /[\ud800-\udfff]/.test(text) ? toBytesOf(text) : text;
}
