import { fatal } from "../stop.ts";
import { concat, decode, encode } from "../text/bytes.ts";

/** git's framing: the total length as four hexadecimal digits, then the content. */
export function pktLine(content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === "string" ? encode(content) : content;
  return concat([encode((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

export const flush = encode("0000");

export interface PktReader {
  /** The next line's content; null: a flush; undefined: the end. */
  next(): Uint8Array | null | undefined;
  /** The next line as text, without its line feed. */
  text(): string | null | undefined;
}

export function readPktLines(bytes: Uint8Array): PktReader {
  let at = 0;
  const next = (): Uint8Array | null | undefined => {
    if (at >= bytes.length) return undefined;
    const digits = decode(bytes.subarray(at, at + 4));
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : -1;
    if (length < 0 || (length > 0 && length < 4) || at + length > bytes.length) return fatal("protocol error: bad line length");
    at += Math.max(length, 4);
    return length === 0 ? null : bytes.subarray(at - length + 4, at);
  };
  return {
    next,
    text() {
      const line = next();
      return line === null || line === undefined ? line : decode(line).replace(/\n$/, "");
    },
  };
}

/** Splits the three channels of a side band: data, progress messages, and an error that ends it. `first`: a line that was already read. */
export function demultiplex(reader: PktReader, says: (text: string) => void, first = reader.next()): Uint8Array {
  const data: Uint8Array[] = [];
  for (let line = first; line !== undefined && line !== null; line = reader.next()) {
    const rest = line.subarray(1);
    if (line[0] === 1) data.push(rest);
    else if (line[0] === 2) says(decode(rest));
    else if (line[0] === 3) fatal(`remote error: ${decode(rest).trim()}`);
    else if (decode(line).startsWith("ERR ")) fatal(`remote error: ${decode(line).slice(4).trim()}`);
    else fatal("protocol error: bad band");
  }
  return concat(data);
}
