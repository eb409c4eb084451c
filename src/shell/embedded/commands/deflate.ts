import { joinBytes } from "../../../fs/bytes.ts";

type Format = "gzip" | "deflate" | "deflate-raw";

export function compress(bytes: Uint8Array, format: Format): Promise<Uint8Array> {
  return through(bytes, new CompressionStream(format));
}

/** Rejects if the bytes are not such a stream, or if the result exceeds `limit` bytes. */
export function decompress(bytes: Uint8Array, format: Format, limit = Infinity): Promise<Uint8Array> {
  return through(bytes, new DecompressionStream(format), limit);
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, limit = Infinity): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // A failure also reaches the reader, which handles it.
  const written = Promise.allSettled([writer.write(bytes.slice()), writer.close()]);
  const pieces: Uint8Array[] = [];
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError(`it comes to more than ${limit} bytes`);
    }
    pieces.push(next.value);
  }
  await written;
  return joinBytes(pieces);
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
