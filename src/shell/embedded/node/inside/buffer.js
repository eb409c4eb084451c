import library from "buffer/";
import { checkArguments } from "./buffer-methods.js";
import { host } from "./host.js";
import { codeError, described, invalidArgType } from "./errors.js";
import { types } from "./types.js";

export const { Buffer } = library;
const proto = Buffer.prototype;
// Node doesn't have it, and some programs use that to detect Node.
delete Buffer.TYPED_ARRAY_SUPPORT;
const custom = Symbol.for("nodejs.util.inspect.custom");

const isUtf8 = (encoding) => encoding === undefined || encoding === null || /^utf-?8$/i.test(encoding);

const plainIsEncoding = Buffer.isEncoding;
Buffer.isEncoding = (encoding) => typeof encoding === "string" && (plainIsEncoding(encoding) || encoding.toLowerCase() === "base64url");

/** The library's name of an encoding. It reads the letters of base64url as base64. */
function sameEncoding(encoding) {
  if (encoding === undefined || encoding === null || encoding === "") return undefined;
  if (!Buffer.isEncoding(encoding)) throw codeError(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
  return isBase64Url(encoding) ? "base64" : encoding;
}
const isBase64Url = (encoding) => typeof encoding === "string" && encoding.length === 9 && encoding.toLowerCase() === "base64url";
const base64url = (text) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

checkArguments(Buffer, sameEncoding);

// The library decodes and encodes UTF-8 character by character, which is slow in QuickJS, and counts other replacement characters.
const plainToString = proto.toString;
proto.toString = function toString(encoding, start, end) {
  if (!isUtf8(encoding)) {
    const text = plainToString.call(this, sameEncoding(encoding), start, end);
    return isBase64Url(encoding) ? base64url(text) : text;
  }
  if (this.length <= 64) {
    const text = plainToString.call(this, "utf8", start, end);
    if (!text.includes("\uFFFD")) return text;
  }
  const from = Math.max(0, start | 0);
  const to = end === undefined ? this.length : Math.min(this.length, end | 0);
  return to <= from ? "" : host("decode", this.subarray(from, to), null, false, true);
};
proto.toLocaleString = proto.toString;

const isNoSource = (value) =>
  value === null ||
  (typeof value !== "string" && typeof value !== "object") ||
  (!ArrayBuffer.isView(value) &&
    !types.isAnyArrayBuffer(value) &&
    typeof value === "object" &&
    value.length === undefined &&
    value.type !== "Buffer" &&
    value.valueOf?.() === value &&
    value[Symbol.toPrimitive] === undefined);

const plainFrom = Buffer.from;
Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === "string") {
    if (value.length <= 64 || !isUtf8(encodingOrOffset))
      return plainFrom(value, typeof encodingOrOffset === "string" ? sameEncoding(encodingOrOffset) : undefined);
    const bytes = host("encode", value);
    return plainFrom(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  if (isNoSource(value))
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      `The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.${described(value)}`,
    );
  return plainFrom(value, encodingOrOffset, length);
};

const plainByteLength = Buffer.byteLength;
Buffer.byteLength = (value, encoding) => {
  if (typeof value === "string")
    return value.length > 256 && isUtf8(encoding)
      ? host("encode", value).length
      : plainByteLength(value, isBase64Url(encoding) ? "base64" : encoding);
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return value.byteLength;
  throw invalidArgType("string", "of type string or an instance of Buffer or ArrayBuffer", value);
};

proto[custom] = function inspectBuffer() {
  const shown = Math.min(50, this.length);
  let text = plainToString
    .call(this, "hex", 0, shown)
    .replace(/(.{2})/g, "$1 ")
    .trim();
  if (this.length > shown) text += ` ... ${this.length - shown} more byte${this.length - shown > 1 ? "s" : ""}`;
  return `<Buffer ${text}>`;
};

// oxlint-disable-next-line unicorn/no-array-method-this-argument -- it is not an array.
Buffer.copyBytesFrom ??= (view, offset = 0, length = view.length - offset) =>
  Buffer.from(new Uint8Array(view.slice(offset, offset + length).buffer));

export class Blob {
  #bytes;
  #type;
  constructor(parts = [], options = {}) {
    if (parts === null || typeof parts !== "object" || typeof parts[Symbol.iterator] !== "function")
      throw invalidArgType("sources", "a sequence", parts);
    this.#bytes = Buffer.concat([...parts].map((part) => (part instanceof Blob ? part.#bytes : toBuffer(part))));
    this.#type = String(options.type ?? "").toLowerCase();
  }
  get size() {
    return this.#bytes.length;
  }
  get type() {
    return this.#type;
  }
  async text() {
    return this.#bytes.toString();
  }
  async arrayBuffer() {
    return new Uint8Array(this.#bytes).buffer;
  }
  async bytes() {
    return new Uint8Array(this.#bytes);
  }
  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  get [Symbol.toStringTag]() {
    return "Blob";
  }
  [custom](_depth, options, inspect) {
    return `Blob ${inspect({ size: this.size, type: this.type }, options)}`;
  }
}

export class File extends Blob {
  #name;
  #modified;
  constructor(parts, name, options = {}) {
    super(parts, options);
    this.#name = String(name);
    this.#modified = options.lastModified ?? Date.now();
  }
  get name() {
    return this.#name;
  }
  get lastModified() {
    return this.#modified;
  }
  get [Symbol.toStringTag]() {
    return "File";
  }
  [custom](_depth, options, inspect) {
    return `File ${inspect({ size: this.size, type: this.type, name: this.#name, lastModified: this.#modified }, options)}`;
  }
}

export function toBuffer(value, encoding) {
  if (typeof value === "string") return Buffer.from(value, encoding);
  if (Buffer.isBuffer(value)) return value;
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return Buffer.from(String(value));
}

export default {
  Blob,
  Buffer,
  File,
  SlowBuffer: library.SlowBuffer,
  atob: globalThis.atob,
  btoa: globalThis.btoa,
  constants: { MAX_LENGTH: library.kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
  isAscii: (value) => toBuffer(value).every((byte) => byte < 128),
  isUtf8(value) {
    try {
      host("decode", toBuffer(value), null, true, true);
      return true;
    } catch {
      return false;
    }
  },
  kMaxLength: library.kMaxLength,
  kStringMaxLength: 2 ** 29 - 24,
  INSPECT_MAX_BYTES: 50,
  transcode(source, from, to) {
    return Buffer.from(toBuffer(source).toString(from), to);
  },
};
