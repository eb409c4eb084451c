import { Deflate } from "fflate";
import { joinBytes } from "../bytes.ts";
import { crc32InPieces } from "./crc32.ts";
import { centralBytes, centralSignature, endBytes, endSignature, flags, localBytes, localSignature, methods, toDosTime } from "./format.ts";

export interface ZipEntry {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Asked for when its turn has come; null: it is gone meanwhile, and left out. */
  readonly read: () => Promise<Uint8Array | null>;
}

export interface ZipOptions {
  readonly signal?: AbortSignal;
  /** Bytes of contents that are in the zip by now. */
  readonly onProgress?: (bytes: number) => void;
  /** Called when all contents are in the zip. */
  readonly onEnd?: () => void;
  /** What the archive says of itself: ASCII. */
  readonly comment?: string;
}

/** Entries that a zip has room for. */
export const mostEntries = 0xfffe;

/** Bytes that are packed in one go; between two such pieces anything else that waits for this thread has its turn. */
const pieceBytes = 256 * 1024;

/**
 * An entry that packs better than this is stored as it is: archives in which little is said at great length are refused by anyone who
 * opens them with care, Vibey included.
 */
const bestRatio = 100;

/** What is compressed already: packing it again costs time and saves nothing. */
const packed = /\.(?:png|jpe?g|gif|webp|avif|mp3|mp4|webm|ogg|woff2?|zip|gz|pdf|pack)$/i;

/**
 * A zip of some files, made as fast as it is read; one file is in memory at a time.
 *
 * - The same files give the same bytes, in whatever order they come, in any time zone and on any machine.
 * - Names are UTF-8, and there is no entry but the files.
 * - An entry's time has two seconds' precision, and lies between 1980 and 2107: the format knows no other.
 * - Two entries with one path are a programmer's mistake and throw; so are 65,535 entries or 4 GB, for which the format has no numbers.
 * - After `signal` aborts it fails with the signal's reason.
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

/** The part that is of one length of an entry's local header, or (`at`: where that one is) of its record in the central directory. */
function header({ name, mtime, crc, size, packedSize, deflated }: Facts, at: number | null): Uint8Array {
  const bytes = new Uint8Array(at === null ? localBytes : centralBytes);
  const view = new DataView(bytes.buffer);
  const { date, time } = toDosTime(mtime);
  view.setUint32(0, at === null ? localSignature : centralSignature, true);
  // A record of the central directory says who made it, and otherwise begins as the local one.
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

/** Of the format that knows folders and deflate. */
const version = 20;
/** Of who made it. From others Info-ZIP takes names for those of DOS, whatever the flag says, and gives files other names than were checked. */
const unix = 3;
/** Of Unix: all may read it, its owner may write it, and a file none may run. */
const plainFile = 0o100644;
const folder = 0o040755;
const slash = 0x2f;

const encoder = new TextEncoder();

function fits(value: number, most: number): number {
  if (value > most) throw new RangeError(`a zip has no room for more than ${most}`);
  return value;
}

/** By JavaScript, not by the browser: only so the bytes are the same everywhere. */
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
