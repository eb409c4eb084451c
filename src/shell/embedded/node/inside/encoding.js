import { host } from "./host.js";

export class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(text = "") {
    return host("encode", String(text));
  }
  encodeInto(text, target) {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = host("encode", character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

export class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #left = new Uint8Array();
  /** Whether earlier chunks of a stream were decoded: only the first chunk can begin with a byte order mark. */
  #isLater = false;
  constructor(encoding = "utf-8", options = {}) {
    // Throws if there is no such encoding.
    this.#encoding = host("decode.name", String(encoding));
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }
  get encoding() {
    return this.#encoding;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#ignoreBOM;
  }
  decode(input, options = {}) {
    let bytes =
      input === undefined
        ? new Uint8Array()
        : ArrayBuffer.isView(input)
          ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
          : new Uint8Array(input);
    if (this.#left.length > 0) {
      const joined = new Uint8Array(this.#left.length + bytes.length);
      joined.set(this.#left);
      joined.set(bytes, this.#left.length);
      bytes = joined;
      this.#left = new Uint8Array();
    }
    const isLater = this.#isLater;
    this.#isLater = false;
    if (options?.stream) {
      const end = wholeUntil[this.#encoding]?.(bytes) ?? bytes.length;
      this.#left = bytes.slice(end);
      bytes = bytes.subarray(0, end);
      this.#isLater = isLater || end > 0;
    }
    return host("decode", bytes, this.#encoding, this.#fatal, this.#ignoreBOM || isLater);
  }
}

/** The position of a trailing incomplete character, by encoding. */
const wholeUntil = { "utf-8": utf8Until, "utf-16le": (bytes) => utf16Until(bytes, 1), "utf-16be": (bytes) => utf16Until(bytes, 0) };

/** `high`: the position of the more significant byte in each pair. */
function utf16Until(bytes, high) {
  const end = bytes.length - (bytes.length % 2);
  return end > 0 && (bytes[end - 2 + high] & 0xfc) === 0xd8 ? end - 2 : end;
}

function utf8Until(bytes) {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back];
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? bytes.length - back : bytes.length;
    }
    if (byte < 0x80) break;
  }
  return bytes.length;
}
