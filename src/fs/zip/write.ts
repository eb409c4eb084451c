import { Deflate } from "fflate";
import { joinBytes } from "../bytes.ts";
import { crc32InPieces } from "./crc32.ts";
import { centralBytes, centralSignature, endBytes, endSignature, flags, localBytes, localSignature, methods, toDosTime } from "./format.ts";

export interface ZipEntry {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Called when it is this entry's turn. Null: the file no longer exists and is left out. */
  readonly read: () => Promise<Uint8Array | null>;
}

export interface ZipOptions {
  readonly signal?: AbortSignal;
  /** Bytes of contents that are in the zip so far. */
  readonly onProgress?: (bytes: number) => void;
  /** Called when all contents are in the zip. */
  readonly onEnd?: () => void;
  /** The archive's comment, in ASCII. */
  readonly comment?: string;
}

/** The most entries of a zip. */
export const mostEntries = 0xfffe;

/** Bytes compressed per step. Between two steps, other work on this thread gets its turn. */
const pieceBytes = 256 * 1024;

/**
 * An entry that would compress better than this is stored uncompressed: careful programs, including Vibey, refuse archives with extreme compression
 * ratios.
 */
const bestRatio = 100;

/** Already compressed: compressing again costs time and saves nothing. */
const packed = /\.(?:png|jpe?g|gif|webp|avif|mp3|mp4|webm|ogg|woff2?|zip|gz|pdf|pack)$/i;

/**
 * A zip of some files, produced as fast as it is read. One file is in memory at a time.
 *
 * - The same files give the same bytes, in any order, in any time zone and on any machine.
 * - Names are UTF-8. There are only entries for files.
 * - An entry's time has a precision of two seconds and is between 1980 and 2107: the format allows no other.
 * - Two entries with the same path are a programmer's mistake and throw. So do 65,535 entries or 4 GB, for which the format has no numbers.
 * - After `signal` aborts, it fails with the signal's reason.
 */
export function zipStream(entries: readonly ZipEntry[], options: ZipOptions = {}): ReadableStream<Uint8Array> {
  const records = zipRecords(sorted(entries), options);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await records.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await records.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function sorted(entries: readonly ZipEntry[]): ZipEntry[] {
  fits(entries.length, mostEntries);
  const names = new Set<string>();
  for (const { path } of entries) {
    if (names.has(path)) throw new Error(`two entries of a zip are named ${path}`);
    names.add(path);
  }
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function* zipRecords(
  entries: readonly ZipEntry[],
  { signal, onProgress, onEnd, comment = "" }: ZipOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const central: Uint8Array[] = [];
  let at = 0;
  let read = 0;
  let rested = 0;
  for (const { path, mtime, read: content } of entries) {
    signal?.throwIfAborted();
    const bytes = await content();
    if (bytes === null) continue;
    const squeezed = packed.test(path) ? null : await deflate(bytes, signal);
    const isSmaller = squeezed !== null && squeezed.length < bytes.length && squeezed.length * bestRatio >= bytes.length;
    const data = isSmaller ? squeezed : bytes;
    const name = encoder.encode(path);
    const facts = { name, mtime, crc: await crc32InPieces(bytes), size: bytes.length, packedSize: data.length, deflated: isSmaller };
    yield joinBytes([header(facts, null), name]);
    for (let from = 0; from < data.length; from += pieceBytes) yield data.slice(from, from + pieceBytes);
    central.push(joinBytes([header(facts, at), name]));
    at += localBytes + name.length + data.length;
    read += bytes.length;
    onProgress?.(read);
    if (read - rested < pieceBytes) continue;
    rested = read;
    await pause();
  }
  signal?.throwIfAborted();
  onEnd?.();
  yield joinBytes([...central, end(central, at, comment)]);
}

interface Facts {
  readonly name: Uint8Array;
  readonly mtime: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
  readonly deflated: boolean;
}

/** The fixed-length part of an entry's local header or, with `at` (the position of that header), of its record in the central directory. */
function header({ name, mtime, crc, size, packedSize, deflated }: Facts, at: number | null): Uint8Array {
  const bytes = new Uint8Array(at === null ? localBytes : centralBytes);
  const view = new DataView(bytes.buffer);
  const { date, time } = toDosTime(mtime);
  view.setUint32(0, at === null ? localSignature : centralSignature, true);
  // A central record first names its creator. The rest begins like a local header.
  const from = at === null ? 4 : 6;
  if (at !== null) view.setUint16(4, (unix << 8) | version, true);
  view.setUint16(from, version, true);
  view.setUint16(from + 2, flags.utf8, true);
  view.setUint16(from + 4, deflated ? methods.deflated : methods.stored, true);
  view.setUint16(from + 6, time, true);
  view.setUint16(from + 8, date, true);
  view.setUint32(from + 10, crc, true);
  view.setUint32(from + 14, packedSize, true);
  view.setUint32(from + 18, size, true);
  view.setUint16(from + 22, name.length, true);
  if (at !== null) view.setUint32(38, (name.at(-1) === slash ? folder : plainFile) * 0x10000, true);
  if (at !== null) view.setUint32(42, fits(at, 0xfffffffe), true);
  return bytes;
}

function end(central: readonly Uint8Array[], at: number, comment: string): Uint8Array {
  const bytes = new Uint8Array(endBytes + comment.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, endSignature, true);
  view.setUint16(8, central.length, true);
  view.setUint16(10, central.length, true);
  view.setUint32(
    12,
    central.reduce((size, { length }) => size + length, 0),
    true,
  );
  view.setUint32(16, fits(at, 0xfffffffe), true);
  view.setUint16(20, comment.length, true);
  bytes.set(encoder.encode(comment), endBytes);
  return bytes;
}

/** The format version with folders and deflate. */
const version = 20;
/**
 * The creator's system. Info-ZIP reads other systems' names as DOS names, whatever the flag says, and would extract files under names that were not
 * checked.
 */
const unix = 3;
/** Unix modes: readable by all, writable by the owner, and files are not executable. */
const plainFile = 0o100644;
const folder = 0o040755;
const slash = 0x2f;

const encoder = new TextEncoder();

function fits(value: number, most: number): number {
  if (value > most) throw new RangeError(`a zip has no room for more than ${most}`);
  return value;
}

/** In JavaScript instead of the browser's compression, so that the bytes are the same everywhere. */
async function deflate(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const stream = new Deflate({ level: 6 }, (piece) => pieces.push(piece));
  for (let from = 0; from < bytes.length || from === 0; from += pieceBytes) {
    if (from > 0) {
      await pause();
      signal?.throwIfAborted();
    }
    stream.push(bytes.subarray(from, from + pieceBytes), from + pieceBytes >= bytes.length);
  }
  return joinBytes(pieces);
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
