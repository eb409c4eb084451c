import library from "buffer/";
import { host } from "./host.js";
import { codeError, described, invalidArgType } from "./errors.js";

export const { Buffer } = library;
const proto = Buffer.prototype;
// Node doesn't have it, and some programs use that to detect Node.
delete Buffer.TYPED_ARRAY_SUPPORT;
const custom = Symbol.for("nodejs.util.inspect.custom");

const isUtf8 = (encoding) => encoding === undefined || encoding === null || /^utf-?8$/i.test(encoding);

// The library decodes and encodes UTF-8 character by character, which is slow in QuickJS.
const slowToString = proto.toString;
proto.toString = function toString(encoding, start, end) {
  if (this.length > 64 && isUtf8(encoding)) {
    const from = Math.max(0, start | 0);
    const to = end === undefined ? this.length : Math.min(this.length, end | 0);
    return to <= from ? "" : host("decode", this.subarray(from, to), null, false, true);
  }
  return slowToString.apply(this, arguments);
};
proto.toLocaleString = proto.toString;

const slowFrom = Buffer.from;
Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === "string" && value.length > 64 && isUtf8(encodingOrOffset)) {
    const bytes = host("encode", value);
    return slowFrom(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_TYPE",
      `The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object.${described(value)}`,
    );
  return slowFrom(value, encodingOrOffset, length);
};

const slowByteLength = Buffer.byteLength;
Buffer.byteLength = (value, encoding) =>
  typeof value === "string" && value.length > 256 && isUtf8(encoding) ? host("encode", value).length : slowByteLength(value, encoding);

const base64url = (text) => text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const plainToString = proto.toString;
proto.toString = function toString(encoding, start, end) {
  return typeof encoding === "string" && encoding.toLowerCase() === "base64url"
    ? base64url(plainToString.call(this, "base64", start, end))
    : plainToString.apply(this, arguments);
};
const plainFrom = Buffer.from;
Buffer.from = function from(value, encoding, length) {
  if (typeof value === "string" && typeof encoding === "string" && encoding.toLowerCase() === "base64url")
    return plainFrom(value, "base64");
  return plainFrom(value, encoding, length);
};
const plainIsEncoding = Buffer.isEncoding;
Buffer.isEncoding = (encoding) => plainIsEncoding(encoding) || String(encoding).toLowerCase() === "base64url";

proto[custom] = function inspectBuffer() {
  const shown = Math.min(50, this.length);
  let text = slowToString
    .call(this, "hex", 0, shown)
    .replace(/(.{2})/g, "$1 ")
    .trim();
  if (this.length > shown) text += ` ... ${this.length - shown} more byte${this.length - shown > 1 ? "s" : ""}`;
  return `<Buffer${text ? ` ${text}` : ""}>`;
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
