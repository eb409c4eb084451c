import type { Data } from "./files.ts";

const encoder = new TextEncoder();

/** The caller's data as our own bytes, so that the caller can't change what is stored. */
export function toBytes(data: Data): Uint8Array<ArrayBuffer> {
  if (typeof data !== "string") return new Uint8Array(data);
  const at = data.search(/\p{Surrogate}/u);
  if (at >= 0) throw new RangeError(`a text to store has a lone surrogate at ${at} of ${data.length}`);
  return encoder.encode(data);
}

export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let size = 0;
  for (const piece of pieces) size += piece.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}
