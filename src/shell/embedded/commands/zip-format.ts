import { joinBytes } from "../../../fs/bytes.ts";
import { fromBytes, toBytes } from "../encoding.ts";
import { compress, decompress } from "./deflate.ts";

export interface ZipMember {
  /** A folder's name ends in a slash. */
  readonly name: string;
  readonly mtime: Date;
  readonly mode: number;
  readonly size: number;
  readonly packed: Uint8Array;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly crc: number;
}

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

export async function packMember(name: string, bytes: Uint8Array, mtime: Date, mode: number, store: boolean): Promise<ZipMember> {
  const deflated = store || bytes.length === 0 ? bytes : await compress(bytes, "deflate-raw");
  const stored = deflated.length >= bytes.length;
  return { name, mtime, mode, size: bytes.length, packed: stored ? bytes : deflated, method: stored ? 0 : 8, crc: crc32(bytes) };
}

/** Null: damaged, larger than stated, or packed by an unknown method. */
export async function unpackMember(member: ZipMember): Promise<Uint8Array | null> {
  if (member.method !== 0 && member.method !== 8) return null;
  try {
    const bytes = member.method === 0 ? member.packed : await decompress(member.packed, "deflate-raw", member.size);
    return crc32(bytes) === member.crc ? bytes : null;
  } catch {
    // The stream reports that it is damaged, but not how.
    return null;
  }
}

function dosTime(time: Date): readonly [time: number, date: number] {
  const year = Math.max(0, time.getUTCFullYear() - 1980);
  return [
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1),
    (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(),
  ];
}

function record(fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

export function packZip(members: readonly ZipMember[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { name, mtime, mode, size, packed, method, crc } of members) {
    const bytes = toBytes(name, undefined);
    const [time, date] = dosTime(mtime);
    // Bit 11 says that names are UTF-8.
    const common = [
      [2, 20],
      [2, 0x800],
      [2, method],
      [2, time],
      [2, date],
      [4, crc],
      [4, packed.length],
      [4, size],
      [2, bytes.length],
      [2, 0],
    ] as const;
    const local = joinBytes([record([[4, 0x04034b50], ...common]), bytes, packed]);
    const folder = name.endsWith("/");
    const attributes = (((folder ? 0o40000 : 0o100000) | (mode & 0o7777)) * 65536 + (folder ? 16 : 0)) >>> 0;
    directory.push(record([[4, 0x02014b50], [2, 0x031e], ...common, [2, 0], [2, 0], [2, 0], [4, attributes], [4, at]]), bytes);
    pieces.push(local);
    at += local.length;
  }
  const entries = joinBytes(directory);
  pieces.push(
    entries,
    record([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, members.length],
      [2, members.length],
      [4, entries.length],
      [4, at],
      [2, 0],
    ]),
  );
  return joinBytes(pieces);
}

/** Null: not a zip archive. */
export function unpackZip(bytes: Uint8Array): readonly ZipMember[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) return null;
  const members: ZipMember[] = [];
  let at = view.getUint32(end + 16, true);
  try {
    for (let count = view.getUint16(end + 10, true); count > 0; count--) {
      if (view.getUint32(at, true) !== 0x02014b50) return null;
      const nameLength = view.getUint16(at + 28, true);
      const local = view.getUint32(at + 42, true);
      const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const time = view.getUint16(at + 12, true);
      const date = view.getUint16(at + 14, true);
      members.push({
        name: fromBytes(bytes.subarray(at + 46, at + 46 + nameLength), undefined),
        mtime: new Date(Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2)),
        mode: view.getUint16(at + 40, true) & 0o777,
        size: view.getUint32(at + 24, true),
        packed: bytes.subarray(data, data + view.getUint32(at + 20, true)),
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
      });
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  } catch (error) {
    // An offset leads out of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return members;
}
