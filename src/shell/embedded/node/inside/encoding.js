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
  constructor(encoding = "utf-8", options = {}) {
    // Throws if there is no such encoding.
    host("decode", new Uint8Array(), encoding, false, false);
    this.#encoding = /^(utf-?8|unicode-1-1-utf-8)$/i.test(encoding) ? "utf-8" : String(encoding).toLowerCase();
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
    if (options?.stream && this.#encoding === "utf-8") {
      const end = wholeUntil(bytes);
      this.#left = bytes.slice(end);
      bytes = bytes.subarray(0, end);
    }
    return host("decode", bytes, this.#encoding, this.#fatal, this.#ignoreBOM);
  }
}

/** The position of a trailing incomplete character. */
function wholeUntil(bytes) {
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
