const table = Int32Array.from({ length: 256 }, (_, at) => {
  let value = at;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of zip and git. `before`: the CRC of the preceding bytes. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (let at = 0; at < bytes.length; at++) value = (table[(value ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

/** Bytes per step. Between two steps, other work on this thread gets its turn. */
const pieceBytes = 1024 * 1024;

/** The same for contents that may be large. */
export async function crc32InPieces(bytes: Uint8Array): Promise<number> {
  let value = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (at > 0) await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    value = crc32(bytes.subarray(at, at + pieceBytes), value);
  }
  return value;
}
