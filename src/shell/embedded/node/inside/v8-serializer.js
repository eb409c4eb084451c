// Writes values in the format of V8's serializer.
import { Buffer } from "./buffer.js";
import { codeError } from "./errors.js";
import { errorKinds, hostViews, regexpFlags, tag, version, viewKinds } from "./v8-format.js";

const isIndex = (key) => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
const cloneError = (text) => new Error(`${text} could not be cloned.`);

export class Serializer {
  #bytes = new Uint8Array(256);
  #length = 0;
  #known = new Map();
  #transferred = new Map();
  #viewsToHost = false;

  #grow(more) {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
  #byte(value) {
    this.#grow(1);
    this.#bytes[this.#length++] = value;
  }
  #varint(value) {
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 128)) this.#byte((left % 128) | 0x80);
    this.#byte(left);
  }
  #raw(bytes) {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }
  #double(value) {
    this.#grow(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }
  #string(text) {
    let wide = false;
    for (let i = 0; i < text.length && !wide; i++) wide = text.charCodeAt(i) > 255;
    if (!wide) {
      this.#byte(tag.latin1);
      this.#varint(text.length);
      this.#grow(text.length);
      for (let i = 0; i < text.length; i++) this.#bytes[this.#length++] = text.charCodeAt(i);
      return;
    }
    const size = text.length * 2;
    let sizeOfSize = 1;
    for (let left = size; left >= 0x80; left = Math.floor(left / 128)) sizeOfSize++;
    // The data that follows is aligned to an even position.
    if ((this.#length + 1 + sizeOfSize) % 2 === 1) this.#byte(tag.padding);
    this.#byte(tag.utf16);
    this.#varint(size);
    this.#grow(size);
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      this.#bytes[this.#length++] = unit & 255;
      this.#bytes[this.#length++] = unit >> 8;
    }
  }
  #number(value) {
    if (Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 && !Object.is(value, -0)) {
      this.#byte(tag.int32);
      this.#varint(((value << 1) ^ (value >> 31)) >>> 0);
    } else {
      this.#byte(tag.double);
      this.#double(value);
    }
  }
  #bigint(value) {
    const negative = value < 0n;
    const digits = [];
    for (let left = negative ? -value : value; left > 0n; left >>= 64n) digits.push(left & 0xffff_ffff_ffff_ffffn);
    this.#varint(digits.length * 16 + (negative ? 1 : 0));
    for (const digit of digits) for (let i = 0n; i < 64n; i += 8n) this.#byte(Number((digit >> i) & 255n));
  }
  #properties(value, keys) {
    let count = 0;
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      if (isIndex(key)) this.#number(Number(key));
      else this.#string(key);
      this.writeValue(value[key]);
      count++;
    }
    return count;
  }
  #array(value) {
    const { length } = value;
    const keys = Object.keys(value);
    let holes = false;
    for (let i = 0; i < length && !holes; i++) holes = !Object.hasOwn(value, i);
    this.#byte(holes ? tag.sparse : tag.dense);
    this.#varint(length);
    if (!holes) for (let i = 0; i < length; i++) this.writeValue(value[i]);
    const count = this.#properties(value, holes ? keys : keys.slice(length));
    this.#byte(holes ? tag.sparseEnd : tag.denseEnd);
    this.#varint(count);
    this.#varint(length);
  }
  #error(error) {
    const kind = errorKinds[error.name];
    this.#byte(tag.error);
    if (kind !== undefined) this.#byte(kind.charCodeAt(0));
    if (Object.hasOwn(error, "message")) {
      this.#byte("m".charCodeAt(0));
      this.#string(String(error.message));
    }
    if (typeof error.stack === "string") {
      this.#byte("s".charCodeAt(0));
      this.#string(error.stack);
    }
    this.#byte(".".charCodeAt(0));
  }
  #view(view) {
    this.#byte(tag.view);
    this.#byte(viewKinds[view[Symbol.toStringTag] ?? "DataView"].charCodeAt(0));
    this.#varint(view.byteOffset);
    this.#varint(view.byteLength);
    this.#varint(0);
  }
  #object(value) {
    const isView = ArrayBuffer.isView(value);
    if (isView && !this.#viewsToHost && !this.#known.has(value)) {
      // The underlying buffer comes first.
      if (!this.#known.has(value.buffer)) this.#object(value.buffer);
    }
    const known = this.#known.get(value);
    if (known !== undefined) {
      this.#byte(tag.reference);
      return this.#varint(known);
    }
    this.#known.set(value, this.#known.size);
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (isView) {
      if (!this.#viewsToHost) return this.#view(value);
      this.#byte(tag.host);
      return this._writeHostObject(value);
    }
    if (Array.isArray(value)) return this.#array(value);
    if (value instanceof Date) {
      this.#byte(tag.date);
      return this.#double(value.getTime());
    }
    if (value instanceof Map) {
      const entries = [...value];
      this.#byte(tag.map);
      for (const [key, each] of entries) {
        this.writeValue(key);
        this.writeValue(each);
      }
      this.#byte(tag.mapEnd);
      return this.#varint(entries.length * 2);
    }
    if (value instanceof Set) {
      const entries = [...value];
      this.#byte(tag.set);
      for (const each of entries) this.writeValue(each);
      this.#byte(tag.setEnd);
      return this.#varint(entries.length);
    }
    if (value instanceof RegExp) {
      this.#byte(tag.regexp);
      this.#string(value.source);
      let flags = 0;
      for (const [bit, flag] of regexpFlags.entries()) if (flag !== "" && value.flags.includes(flag)) flags += 2 ** bit;
      return this.#varint(flags);
    }
    if (value instanceof ArrayBuffer) {
      const transferred = this.#transferred.get(value);
      this.#byte(transferred === undefined ? tag.buffer : tag.transferred);
      this.#varint(transferred ?? value.byteLength);
      if (transferred === undefined) this.#raw(new Uint8Array(value));
      return undefined;
    }
    if (value instanceof Error) return this.#error(value);
    if (value instanceof Boolean) return this.#byte(value.valueOf() ? tag.trueObject : tag.falseObject);
    if (value instanceof Number) {
      this.#byte(tag.numberObject);
      return this.#double(value.valueOf());
    }
    if (value instanceof String) {
      this.#byte(tag.stringObject);
      return this.#string(value.valueOf());
    }
    if (value instanceof BigInt) {
      this.#byte(tag.bigintObject);
      return this.#bigint(value.valueOf());
    }
    if (["Promise", "WeakMap", "WeakSet", "WeakRef", "Generator"].includes(kind)) throw this._getDataCloneError(`#<${kind}>`);
    this.#byte(tag.object);
    const count = this.#properties(value, Object.keys(value));
    this.#byte(tag.objectEnd);
    return this.#varint(count);
  }

  writeHeader() {
    this.#byte(0xff);
    this.#byte(version);
  }
  writeValue(value) {
    switch (typeof value) {
      case "undefined":
        this.#byte(tag.undefined);
        break;
      case "boolean":
        this.#byte(value ? tag.true : tag.false);
        break;
      case "number":
        this.#number(value);
        break;
      case "bigint":
        this.#byte(tag.bigint);
        this.#bigint(value);
        break;
      case "string":
        this.#string(value);
        break;
      case "object":
        if (value === null) this.#byte(tag.null);
        else this.#object(value);
        break;
      default:
        throw this._getDataCloneError(typeof value === "symbol" ? value.toString() : String(value));
    }
    return true;
  }
  _getDataCloneError(text) {
    return cloneError(text);
  }
  _writeHostObject() {
    throw codeError(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _writeHostObject() method is not implemented");
  }
  _setTreatArrayBufferViewsAsHostObjects(on) {
    this.#viewsToHost = Boolean(on);
  }
  transferArrayBuffer(id, buffer) {
    this.#transferred.set(buffer, id);
  }
  writeUint32(value) {
    this.#varint(value >>> 0);
  }
  writeUint64(high, low) {
    let left = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    for (; left >= 0x80n; left >>= 7n) this.#byte(Number(left & 127n) | 0x80);
    this.#byte(Number(left));
  }
  writeDouble(value) {
    this.#double(value);
  }
  writeRawBytes(source) {
    this.#raw(ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source));
  }
  releaseBuffer() {
    const bytes = Buffer.from(this.#bytes.buffer, 0, this.#length);
    this.#bytes = new Uint8Array(256);
    this.#length = 0;
    return bytes;
  }
}

export class DefaultSerializer extends Serializer {
  constructor() {
    super();
    this._setTreatArrayBufferViewsAsHostObjects(true);
  }
  _writeHostObject(view) {
    const found = Buffer.isBuffer(view)
      ? hostViews.indexOf(Buffer)
      : hostViews.findIndex((View) => View !== Buffer && view instanceof View);
    if (found < 0) throw this._getDataCloneError("#<Object>");
    this.writeUint32(found);
    this.writeUint32(view.byteLength);
    this.writeRawBytes(view);
  }
}

export function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}
