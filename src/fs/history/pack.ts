import { sha1 } from "@noble/hashes/legacy.js";
import { Zlib } from "fflate";
import { fromHex, joinBytes, toHex } from "../bytes.ts";
import { crc32InPieces } from "../zip/crc32.ts";
import { inflateTo } from "../zip/inflate.ts";
import { type NamedObject, nameObject, type ObjectType, type Oid } from "./object.ts";

/** git's numbers for the object types in a pack. Other types are differences from another object, which this code neither writes nor reads. */
const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };
const types: ReadonlyMap<number, ObjectType> = new Map([
  [1, "commit"],
  [2, "tree"],
  [3, "blob"],
]);

const indexMagic = 0xff744f63;

/** Bytes compressed per step. Between two steps, other work on this thread gets its turn. */
const pieceBytes = 256 * 1024;

/** The length of the SHA-1 at the end of a pack. */
const sumBytes = 20;

/** Objects that are read: each costs some time and memory, however small. */
const maxObjects = 1_000_000;

/** Bytes before an object's data: type and size. */
const maxHeaderLength = 10;

export interface Pack {
  /** `pack-<40 hexadecimal digits>`: git's name for the two files. */
  readonly name: string;
  readonly pack: Uint8Array;
  readonly index: Uint8Array;
}

/** A pack object before it is packed. */
export interface PlainObject {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

/**
 * Packs objects into one file, in git's format, with its index. The same objects in the same order give the same bytes on any machine. At most 2 GB.
 */
export async function writePack(objects: AsyncIterable<PlainObject>): Promise<Pack> {
  const pieces: Uint8Array[] = [new Uint8Array(12)];
  const places: { readonly oid: Oid; readonly at: number; readonly crc: number }[] = [];
  let at = 12;
  for await (const { oid, type, bytes } of objects) {
    const entry = joinBytes([entryHeader(typeNumbers[type], bytes.length), await compress(bytes)]);
    places.push({ oid, at, crc: await crc32InPieces(entry) });
    pieces.push(entry);
    at += entry.length;
  }
  if (at > 0x7fffffff) throw new RangeError("a pack has no room for more than 2 GB");
  const head = new DataView(pieces[0]?.buffer ?? new ArrayBuffer(12));
  head.setUint32(0, 0x5041434b);
  head.setUint32(4, 2);
  head.setUint32(8, places.length);
  const pack = joinBytes([...pieces, new Uint8Array(sumBytes)]);
  // Not on this thread, where other work waits: it may be hundreds of megabytes.
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-1", pack.subarray(0, -sumBytes)));
  pack.set(sum, pack.length - sumBytes);
  return { name: `pack-${toHex(sum)}`, pack, index: indexOf(places, sum) };
}

function entryHeader(type: number, size: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  bytes.push(byte);
  return Uint8Array.from(bytes);
}

function indexOf(places: readonly { readonly oid: Oid; readonly at: number; readonly crc: number }[], sum: Uint8Array): Uint8Array {
  const sorted = places.toSorted((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = sorted.length;
  const bytes = new Uint8Array(8 + 1024 + count * 28);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, indexMagic);
  view.setUint32(4, 2);
  for (const [nth, { oid, at, crc }] of sorted.entries()) {
    const name = fromHex(oid);
    for (let first = name[0] ?? 0; first < 256; first++) view.setUint32(8 + 4 * first, nth + 1);
    bytes.set(name, 1032 + 20 * nth);
    view.setUint32(1032 + 20 * count + 4 * nth, crc);
    view.setUint32(1032 + 24 * count + 4 * nth, at);
  }
  const all = joinBytes([bytes, sum]);
  return joinBytes([all, sha1(all)]);
}

export type ReadPack =
  | { readonly ok: true; readonly objects: AsyncGenerator<UnpackedObject> }
  | { readonly ok: false; readonly why: string };

export interface UnpackedObject {
  readonly type: ObjectType;
  readonly object: NamedObject;
}

/** Thrown while reading a pack that is damaged. */
export class PackError extends Error {}

/**
 * The objects of a pack, one after the other, each named by the hash of its bytes. The iteration rejects with a `PackError` if an object doesn't
 * match the index. `most`: the maximum bytes of all objects together.
 */
export function readPack(pack: Uint8Array, index: Uint8Array, most: number, signal?: AbortSignal): ReadPack {
  if (index.length > 1072 + 28 * maxObjects) return { ok: false, why: "it is too large" };
  const places = readIndex(index, pack.length);
  if (places === null) return { ok: false, why: "its index is damaged" };
  let total = 0;
  const entries: { readonly type: ObjectType; readonly size: number; readonly oid: Oid; readonly from: number; readonly to: number }[] = [];
  for (const [nth, { oid, at }] of places.entries()) {
    const end = places[nth + 1]?.at ?? pack.length - 20;
    const head = readHeader(pack, at);
    const type = head && types.get(head.type);
    if (!head || !type) return { ok: false, why: "another program repacked it" };
    total += head.size;
    if (total > most) return { ok: false, why: "it is too large" };
    if (head.from > end) return { ok: false, why: "its index is damaged" };
    entries.push({ type, size: head.size, oid, from: head.from, to: end });
  }
  return { ok: true, objects: unpack() };

  async function* unpack(): AsyncGenerator<UnpackedObject> {
    for (const { type, size, oid, from, to } of entries) {
      const bytes = await inflateTo(pack.subarray(from, to), size, "deflate", signal);
      if (typeof bytes === "string") throw new PackError(`object ${oid} is damaged`);
      const object = await nameObject(type, bytes);
      if (object.oid !== oid) throw new PackError(`object ${oid} is not what its name says`);
      yield { type, object };
    }
  }
}

/** The positions of the objects, in the order of the pack. Null if this is not the index of a pack of this length. */
function readIndex(index: Uint8Array, length: number): { readonly oid: Oid; readonly at: number }[] | null {
  if (index.length < 1032 + 40) return null;
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  const count = view.getUint32(8 + 4 * 255);
  if (view.getUint32(0) !== indexMagic || view.getUint32(4) !== 2 || index.length !== 1032 + 28 * count + 40) return null;
  const places = Array.from({ length: count }, (_, nth) => ({
    oid: toHex(index.subarray(1032 + 20 * nth, 1052 + 20 * nth)),
    at: view.getUint32(1032 + 24 * count + 4 * nth),
  })).toSorted((a, b) => a.at - b.at);
  let before = 11;
  for (const { at } of places) {
    if (at <= before || at >= length - 20) return null;
    before = at;
  }
  return places;
}

function readHeader(pack: Uint8Array, at: number): { readonly type: number; readonly size: number; readonly from: number } | null {
  let byte = pack[at] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  let scale = 16;
  let from = at + 1;
  while (byte & 0x80) {
    byte = pack[from] ?? 0;
    size += (byte & 0x7f) * scale;
    scale *= 128;
    from += 1;
    if (from - at > maxHeaderLength) return null;
  }
  return { type, size, from };
}

/** In JavaScript, so that the bytes are the same everywhere. */
async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const stream = new Zlib({ level: 6 }, (piece) => pieces.push(piece));
  for (let from = 0; from < bytes.length || from === 0; from += pieceBytes) {
    if (from > 0) await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    stream.push(bytes.subarray(from, from + pieceBytes), from + pieceBytes >= bytes.length);
  }
  return joinBytes(pieces);
}
