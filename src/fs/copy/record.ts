import { sha256 } from "@noble/hashes/sha2.js";
import { joinBytes } from "../bytes.ts";
import { type Path, parsePath } from "../path.ts";
import { sizeOf } from "./pieces.ts";
import type { LogFile } from "./backup-location.ts";

/**
 * A record of a log: its head, and for `file` the bytes that follow it.
 *
 * - `begin` is the first record of a log.
 * - `file`: the content of file `id` is the first `keep` bytes of its previous content, then the record's bytes. It is at `path`, and no other file
 *   is. Its first `stable` bytes will never change.
 * - `gone`: the file no longer exists.
 * - `mark`: the records before it contain everything that was committed up to `version`. A log without a mark is incomplete.
 */
export type Head =
  | { readonly op: "begin"; readonly format: 1; readonly project: string; readonly generation: number }
  | {
      readonly op: "file";
      readonly id: number;
      readonly path: Path;
      /** Milliseconds since 1970. */
      readonly mtime: number;
      readonly version: number;
      readonly keep: number;
      readonly stable: number;
    }
  | { readonly op: "gone"; readonly id: number }
  | {
      readonly op: "mark";
      readonly version: number;
      /** Milliseconds since 1970. */
      readonly at: number;
      /** Together with `version` the revision. Null if a program without a chain made the commit. */
      readonly opening: string | null;
    };

export interface Placed {
  readonly head: Head;
  /** The position of its bytes in the log. */
  readonly at: number;
  readonly length: number;
  /** Where the next record begins. */
  readonly next: number;
}

/** "vbc1", bytes of the head, bytes of the data, the first half of the SHA-256 of both. Little-endian, 4 bytes per number. */
const frameBytes = 12 + 16;
const magic = 0x31636276;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes that are hashed, read or written per step. Between two steps, other work on this thread gets its turn. */
export const strideBytes = 1_000_000;

/** The bytes before a record's data. The data are not copied, so a large file is never in memory twice. */
export async function recordStart(head: Head, data: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = encoder.encode(JSON.stringify(head));
  const start = new Uint8Array(frameBytes + text.length);
  const view = new DataView(start.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, text.length, true);
  view.setUint32(8, sizeOf(data), true);
  start.set(text, frameBytes);
  start.set(await checksum([text, ...data]), 12);
  return start;
}

/**
 * The record that begins at byte `at`. Null if there is no complete one: the trustworthy part of the log ends there. Without `verify` its bytes are
 * not checked.
 */
export async function readRecord(file: LogFile, at: number, end: number, verify: boolean): Promise<Placed | null> {
  if (at + frameBytes > end) return null;
  const frame = bytesAt(file, at, frameBytes);
  if (!frame) return null;
  const view = new DataView(frame.buffer);
  const [headBytes, dataBytes] = [view.getUint32(4, true), view.getUint32(8, true)];
  const next = at + frameBytes + headBytes + dataBytes;
  if (view.getUint32(0, true) !== magic || next > end) return null;
  const text = bytesAt(file, at + frameBytes, headBytes);
  if (!text) return null;
  if (verify) {
    const sum = await checksum(bodyOf(file, at + frameBytes, headBytes + dataBytes));
    if (sum.some((byte, n) => byte !== frame[12 + n])) return null;
  }
  const head = parseHead(text);
  return head && { head, at: next - dataBytes, length: dataBytes, next };
}

/** Null if the file has fewer bytes. */
function bytesAt(file: LogFile, at: number, length: number): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(length);
  return length === 0 || file.read(bytes, { at }) === length ? bytes : null;
}

/** Returns fewer bytes than expected if the disk has lost some: the checksum then differs. */
function* bodyOf(file: LogFile, from: number, length: number): Generator<Uint8Array> {
  for (let at = 0; at < length; at += strideBytes) yield bytesAt(file, from + at, Math.min(strideBytes, length - at)) ?? new Uint8Array();
}

/** The first half of the SHA-256. The browser's own hash can't take bytes in pieces. It is still used for short data, because it is faster. */
async function checksum(pieces: Iterable<Uint8Array>): Promise<Uint8Array> {
  let short: Uint8Array[] = [];
  let size = 0;
  let long: ReturnType<typeof sha256.create> | null = null;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += strideBytes) {
      const part = piece.subarray(at, at + strideBytes);
      size += part.length;
      if (long === null && size <= strideBytes) {
        short.push(part);
        continue;
      }
      if (long === null) {
        long = sha256.create();
        for (const each of short) long.update(each);
        short = [];
      }
      long.update(part);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const sum = long === null ? new Uint8Array(await crypto.subtle.digest("SHA-256", joinBytes(short))) : long.digest();
  return sum.subarray(0, 16);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function parseHead(bytes: Uint8Array): Head | null {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
  if (typeof value !== "object" || value === null) return null;
  const { op, project, generation, id, path, mtime, version, keep, stable, at, opening } = value;
  switch (op) {
    case "begin":
      if (value["format"] !== 1 || typeof project !== "string" || !isCount(generation)) return null;
      return { op, format: 1, project, generation };
    case "file": {
      const parsed = typeof path === "string" ? parsePath(path) : null;
      if (!parsed?.ok || !isCount(id) || !isCount(version) || !isCount(keep) || !isCount(stable) || typeof mtime !== "number") return null;
      return { op, id, path: parsed.path, mtime, version, keep, stable };
    }
    case "gone":
      return isCount(id) ? { op, id } : null;
    case "mark":
      if (!isCount(version) || typeof at !== "number") return null;
      return { op, version, at, opening: typeof opening === "string" ? opening : null };
    default:
      return null;
  }
}
