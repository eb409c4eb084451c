import { type Path, parsePath } from "../path.ts";
import type { LogFile } from "./place.ts";

/**
 * A record of a log: what it says, and for `file` the bytes that follow it.
 *
 * - `begin` is the first one of a log.
 * - `file`: the content of the file `id` is its first `keep` bytes as they were, then the record's bytes; it is at `path`, and no other
 *   file is. Its first `stable` bytes will never change.
 * - `gone`: there is no such file any more.
 * - `mark`: all that was committed up to `version` is in the records before it. A log without one is not whole.
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
  | { readonly op: "mark"; readonly version: number /** Milliseconds since 1970. */; readonly at: number };

export interface Placed {
  readonly head: Head;
  /** Where its bytes are in the log. */
  readonly at: number;
  readonly length: number;
  /** Where the next record begins. */
  readonly next: number;
}

/** "vbc1", bytes of the head, bytes of the data, the first half of the SHA-256 of both: little-endian, 4 bytes a number. */
const frameBytes = 12 + 16;
const magic = 0x31636276;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export async function encodeRecord(head: Head, data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const text = encoder.encode(JSON.stringify(head));
  const record = new Uint8Array(frameBytes + text.length + data.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, text.length, true);
  view.setUint32(8, data.length, true);
  record.set(text, frameBytes);
  record.set(data, frameBytes + text.length);
  record.set(await checksum(record.subarray(frameBytes)), 12);
  return record;
}

/**
 * The record that begins at the byte `at`; null when none that is whole does: the log ends there, as far as it can be believed. Without
 * `verify` its bytes are not looked at.
 */
export async function readRecord(file: LogFile, at: number, end: number, verify: boolean): Promise<Placed | null> {
  if (at + frameBytes > end) return null;
  const frame = bytesAt(file, at, frameBytes);
  if (!frame) return null;
  const view = new DataView(frame.buffer);
  const [headBytes, dataBytes] = [view.getUint32(4, true), view.getUint32(8, true)];
  const next = at + frameBytes + headBytes + dataBytes;
  if (view.getUint32(0, true) !== magic || next > end) return null;
  const body = bytesAt(file, at + frameBytes, verify ? headBytes + dataBytes : headBytes);
  if (!body) return null;
  if (verify) {
    const sum = await checksum(body);
    if (sum.some((byte, n) => byte !== frame[12 + n])) return null;
  }
  const head = parseHead(body.subarray(0, headBytes));
  return head && { head, at: next - dataBytes, length: dataBytes, next };
}

/** Null when the file has fewer. */
export function bytesAt(file: LogFile, at: number, length: number): Uint8Array<ArrayBuffer> | null {
  const bytes = new Uint8Array(length);
  return length === 0 || file.read(bytes, { at }) === length ? bytes : null;
}

async function checksum(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).subarray(0, 16);
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
  const { op, project, generation, id, path, mtime, version, keep, stable, at } = value;
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
      return isCount(version) && typeof at === "number" ? { op, version, at } : null;
    default:
      return null;
  }
}
