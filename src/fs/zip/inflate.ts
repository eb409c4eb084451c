import { crc32InPieces } from "./crc32.ts";
import type { ZipItem, ZipRefusal } from "./read.ts";

export type Inflated =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly refusal: ZipRefusal };

/** Bytes that are passed to the decompressor, and checked, in one step. */
const pieceBytes = 64 * 1024;

/**
 * The contents of an entry, if their length and checksum match the archive. Never produces more bytes than the archive says, except for one piece.
 * After `signal` aborts, it rejects with the signal's reason.
 */
export async function inflateEntry(item: ZipItem, signal?: AbortSignal): Promise<Inflated> {
  signal?.throwIfAborted();
  const refuse = (kind: ZipRefusal["kind"], message: string): Inflated => ({ ok: false, refusal: { kind, entry: item.path, message } });
  let bytes: Uint8Array<ArrayBuffer>;
  if (item.deflated) {
    const filled = await inflateRaw(item.packed, item.size, signal);
    if (filled === "broken") return refuse("checksum", "Its contents are damaged and can't be unpacked.");
    if (filled === "longer") return refuse("lies", "Unpacked it is longer than the archive says.");
    if (filled === "shorter") return refuse("lies", "Unpacked it is shorter than the archive says.");
    bytes = filled;
  } else bytes = new Uint8Array(item.packed);
  if ((await crc32InPieces(bytes)) !== item.crc)
    return refuse("checksum", "Its contents are not what their checksum says: it is damaged, or was changed.");
  return { ok: true, bytes };
}

export function inflateRaw(
  packed: Uint8Array,
  size: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | "broken" | "longer" | "shorter"> {
  return inflateTo(packed, size, "deflate-raw", signal);
}

/** Exactly `size` bytes from a compressed stream, or why not. */
export async function inflateTo(
  packed: Uint8Array,
  size: number,
  format: "deflate" | "deflate-raw",
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | "broken" | "longer" | "shorter"> {
  const stream = new DecompressionStream(format);
  const writer = stream.writable.getWriter();
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  // An error here also reaches the reader, which handles it.
  const written = feed(writer, packed).catch(() => undefined);
  const bytes = new Uint8Array(size);
  let at = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      let next: ReadableStreamReadResult<Uint8Array>;
      try {
        next = await reader.read();
      } catch {
        // Any error of the stream means that the bytes are not valid compressed data.
        return "broken";
      }
      if (next.done) return at === size ? bytes : "shorter";
      if (at + next.value.length > size) return "longer";
      bytes.set(next.value, at);
      at += next.value.length;
    }
  } finally {
    // A stream that has ended or failed has nothing left to stop.
    await Promise.allSettled([reader.cancel(), writer.abort()]);
    await written;
  }
}

async function feed(writer: WritableStreamDefaultWriter<BufferSource>, packed: Uint8Array): Promise<void> {
  for (let from = 0; from < packed.length; from += pieceBytes) {
    await writer.ready;
    // A copy: a stream does not accept memory that may be shared.
    await writer.write(new Uint8Array(packed.subarray(from, from + pieceBytes)));
  }
  await writer.close();
}
