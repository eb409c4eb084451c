import { deflateRawSync } from "node:zlib";
import { crc32 } from "../../../src/fs/zip/crc32.ts";
import { readZip, type ZipLimits, type ZipReading } from "../../../src/fs/zip/read.ts";
import { inflateEntry } from "../../../src/fs/zip/inflate.ts";

/** An entry, byte by byte. Fields that are left out are as in a valid archive. */
export interface Made {
  readonly name: string | Uint8Array;
  readonly text?: string | Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  /** For the central directory. The local header has the correct values unless `local` says otherwise. */
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly attributes?: number;
  readonly extra?: Uint8Array;
  readonly at?: number;
  readonly local?: {
    readonly name?: string;
    readonly crc?: number;
    readonly size?: number;
    readonly packedSize?: number;
    readonly flags?: number;
  };
  /** Bytes after the data. */
  readonly descriptor?: Uint8Array;
}

export interface MadeEnd {
  readonly count?: number;
  readonly comment?: string;
  readonly directoryAt?: number;
  readonly disk?: number;
}

const bytesOf = (text: string | Uint8Array) => (typeof text === "string" ? new TextEncoder().encode(text) : text);

export const u32 = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const buffer = Buffer.alloc(4);
      buffer.writeUInt32LE(value >>> 0);
      return buffer;
    }),
  );
const u16 = (...values: number[]) =>
  Buffer.concat(
    values.map((value) => {
      const buffer = Buffer.alloc(2);
      buffer.writeUInt16LE(value);
      return buffer;
    }),
  );

/** A handmade zip. */
export function makeZip(entries: readonly Made[], end: MadeEnd = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const { method = 8, flags = 0x800, attributes = 0, extra = new Uint8Array(), local = {}, descriptor = new Uint8Array() } = entry;
    const name = bytesOf(entry.name);
    const plain = bytesOf(entry.text ?? "");
    const data = method === 8 ? deflateRawSync(plain) : plain;
    const honest = { crc: crc32(plain), size: plain.length, packedSize: data.length };
    const said = { crc: entry.crc ?? honest.crc, size: entry.size ?? honest.size, packedSize: entry.packedSize ?? honest.packedSize };
    const own = { crc: local.crc ?? said.crc, size: local.size ?? said.size, packedSize: local.packedSize ?? said.packedSize };
    const localName = bytesOf(local.name ?? entry.name);
    const record = Buffer.concat([
      u32(0x04034b50),
      u16(20, local.flags ?? flags, method, 0, 0x21),
      u32(own.crc, own.packedSize, own.size),
      u16(localName.length, 0),
      localName,
      data,
      descriptor,
    ]);
    central.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(20, 20, flags, method, 0, 0x21),
        u32(said.crc, said.packedSize, said.size),
        u16(name.length, extra.length, 0, 0, 0),
        u32(attributes, entry.at ?? at),
        name,
        extra,
      ]),
    );
    locals.push(record);
    at += record.length;
  }
  const directory = Buffer.concat(central);
  const count = end.count ?? entries.length;
  const comment = bytesOf(end.comment ?? "");
  return new Uint8Array(
    Buffer.concat([
      ...locals,
      directory,
      u32(0x06054b50),
      u16(end.disk ?? 0, 0, count, count),
      u32(directory.length, end.directoryAt ?? at),
      u16(comment.length),
      comment,
    ]),
  );
}

export const limits: ZipLimits = { entries: 20_000, inflated: 512_000_000, ratio: 200 };

/** The result of reading an entire archive: its files as `name=text`, or the refusal as `kind entry`. */
export async function opened(zip: Uint8Array, of: ZipLimits = limits): Promise<string> {
  const reading: ZipReading = readZip(zip, of);
  if (!reading.ok) return `${reading.refusal.kind} ${reading.refusal.entry ?? "-"}`;
  const files: string[] = [];
  for (const item of reading.entries) {
    const inflated = await inflateEntry(item);
    if (!inflated.ok) return `${inflated.refusal.kind} ${inflated.refusal.entry ?? "-"}`;
    files.push(`${item.path}=${new TextDecoder().decode(inflated.bytes.subarray(0, 20))}`);
  }
  return files.join(" ");
}
