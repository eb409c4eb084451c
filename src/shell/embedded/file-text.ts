import type { BufferEncoding } from "just-bash/browser";
import { fromBytes, toBytes } from "./encoding.ts";
import { toBytesOf, toText } from "./stray-bytes.ts";

/** How just-bash names the encoding of a file's text. */
export type Encoding = { readonly encoding?: BufferEncoding | null } | BufferEncoding | null;

/** The bytes of what a command writes. Text may have stray bytes. */
export function bytesOf(data: string | Uint8Array, options: Encoding | undefined): Uint8Array {
  return typeof data === "string" && isUtf8(options) ? toBytesOf(data) : toBytes(data, encodingOf(options));
}

/** A file's text, in which bytes that are not UTF-8 stay as stray bytes. */
export function textOf(bytes: Uint8Array, options: Encoding | undefined): string {
  return isUtf8(options) ? toText(bytes) : fromBytes(bytes, encodingOf(options));
}

function isUtf8(options: Encoding | undefined): boolean {
  return /^utf-?8$/.test(encodingOf(options) ?? "utf8");
}

function encodingOf(options: Encoding | undefined): string | undefined {
  return (typeof options === "string" ? options : options?.encoding) ?? undefined;
}
