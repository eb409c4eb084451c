import { joinBytes } from "../bytes.ts";

/** Bytes compressed per step. Between two steps, other work on this thread gets its turn. */
const pieceBytes = 256 * 1024;

/** The bytes in zlib's format, as git compresses its objects. */
export function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(new CompressionStream("deflate"), bytes);
}

/** Rejects if the bytes are not in that format, or incomplete. */
export function inflate(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return through(new DecompressionStream("deflate"), bytes);
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const [pieces] = await Promise.all([readAll(stream.readable), writeAll(stream.writable, bytes)]);
  return joinBytes(pieces);
}

async function readAll(readable: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    pieces.push(value);
  }
}

async function writeAll(writable: WritableStream<BufferSource>, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (at > 0) await pause();
    // A copy: a stream does not accept memory that may be shared.
    await writer.write(new Uint8Array(bytes.subarray(at, at + pieceBytes)));
  }
  await writer.close();
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
