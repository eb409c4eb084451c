// Values as bytes, in the form of V8's own serializer (version 15), so that what Node has written can be read here, and the other way around.
import { Buffer } from "./buffer.js";
import { codeError } from "./errors.js";

const version = 15;
const tag = Object.fromEntries(
  Object.entries({
    padding: "\0",
    hole: "-",
    undefined: "_",
    null: "0",
    true: "T",
    false: "F",
    int32: "I",
    uint32: "U",
    double: "N",
    bigint: "Z",
    utf8: "S",
    latin1: '"',
    utf16: "c",
    reference: "^",
    object: "o",
    objectEnd: "{",
    dense: "A",
    denseEnd: "$",
    sparse: "a",
    sparseEnd: "@",
    date: "D",
    trueObject: "y",
    falseObject: "x",
    numberObject: "n",
    bigintObject: "z",
    stringObject: "s",
    regexp: "R",
    map: ";",
    mapEnd: ":",
    set: "'",
    setEnd: ",",
    buffer: "B",
    view: "V",
    error: "r",
    host: "\\",
    transferred: "t",
  }).map(([name, letter]) => [name, letter.charCodeAt(0)]),
);
const errorKinds = { EvalError: "E", RangeError: "R", ReferenceError: "F", SyntaxError: "S", TypeError: "T", URIError: "U" };
const regexpFlags = ["g", "i", "m", "y", "u", "s", "d", "", "v"];
const viewKinds = {
  Int8Array: "b",
  Uint8Array: "B",
  Uint8ClampedArray: "C",
  Int16Array: "w",
  Uint16Array: "W",
  Int32Array: "d",
  Uint32Array: "D",
  Float32Array: "f",
  Float64Array: "F",
  BigInt64Array: "q",
  BigUint64Array: "Q",
  DataView: "?",
};
/** The kinds of views by the numbers that Node writes for them. */
const hostViews = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  DataView,
  Buffer,
  BigInt64Array,
  BigUint64Array,
];

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
    // What follows lies at an even place.
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
      // The memory below comes first.
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

const broken = () => new Error("Unable to deserialize cloned data.");

export class Deserializer {
  #bytes;
  #at = 0;
  #version = version;
  #known = [];
  #transferred = new Map();

  constructor(buffer) {
    if (!ArrayBuffer.isView(buffer)) throw codeError(TypeError, "ERR_INVALID_ARG_TYPE", "buffer must be a TypedArray or a DataView");
    this.#bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    this.buffer = buffer;
  }
  #byte() {
    if (this.#at >= this.#bytes.length) throw broken();
    return this.#bytes[this.#at++];
  }
  #tag() {
    let found = this.#byte();
    while (found === tag.padding) found = this.#byte();
    return found;
  }
  #peek() {
    const before = this.#at;
    const found = this.#tag();
    this.#at = before;
    return found;
  }
  #varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 0x80) return value;
    }
  }
  #raw(length) {
    if (this.#at + length > this.#bytes.length) throw broken();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  #double() {
    const bytes = this.#raw(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }
  #text(kind) {
    const bytes = this.#raw(this.#varint());
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
      kind === tag.latin1 ? "latin1" : kind === tag.utf16 ? "utf16le" : "utf8",
    );
  }
  #string() {
    const kind = this.#tag();
    if (kind !== tag.latin1 && kind !== tag.utf16 && kind !== tag.utf8) throw broken();
    return this.#text(kind);
  }
  #bigint() {
    const bits = this.#varint();
    let value = 0n;
    for (const byte of this.#raw(Math.floor(bits / 2)).toReversed()) value = (value << 8n) | BigInt(byte);
    return bits % 2 === 1 ? -value : value;
  }
  #keep(value) {
    this.#known.push(value);
    return value;
  }
  #properties(value, end) {
    while (this.#peek() !== end) {
      const key = this.readValue();
      Object.defineProperty(value, key, { value: this.readValue(), writable: true, enumerable: true, configurable: true });
    }
    this.#tag();
    this.#varint();
  }
  #error() {
    const id = this.#known.push(undefined) - 1;
    let Kind = Error;
    let message;
    let stack;
    for (let part = String.fromCharCode(this.#byte()); part !== "."; part = String.fromCharCode(this.#byte())) {
      if (part === "m") message = this.#string();
      else if (part === "s") stack = this.#string();
      else {
        const name = Object.keys(errorKinds).find((each) => errorKinds[each] === part);
        if (name === undefined) throw broken();
        Kind = globalThis[name];
      }
    }
    const error = new Kind(message);
    if (stack !== undefined) Object.defineProperty(error, "stack", { value: stack, writable: true, configurable: true });
    this.#known[id] = error;
    return error;
  }
  #view(buffer) {
    const kind = String.fromCharCode(this.#byte());
    const name = Object.keys(viewKinds).find((each) => viewKinds[each] === kind);
    if (name === undefined) throw broken();
    const [offset, length] = [this.#varint(), this.#varint()];
    if (this.#version >= 14) this.#varint();
    const View = globalThis[name];
    return this.#keep(new View(buffer, offset, length / (View.BYTES_PER_ELEMENT ?? 1)));
  }
  #object(kind) {
    switch (kind) {
      case tag.object: {
        const value = this.#keep({});
        this.#properties(value, tag.objectEnd);
        return value;
      }
      case tag.dense: {
        const length = this.#varint();
        const value = this.#keep([]);
        value.length = length;
        for (let i = 0; i < length; i++)
          if (this.#peek() === tag.hole) this.#tag();
          else value[i] = this.readValue();
        this.#properties(value, tag.denseEnd);
        this.#varint();
        return value;
      }
      case tag.sparse: {
        const value = this.#keep([]);
        value.length = this.#varint();
        this.#properties(value, tag.sparseEnd);
        this.#varint();
        return value;
      }
      case tag.date:
        return this.#keep(new Date(this.#double()));
      case tag.trueObject:
      case tag.falseObject:
        return this.#keep(Object(kind === tag.trueObject));
      case tag.numberObject:
        return this.#keep(Object(this.#double()));
      case tag.bigintObject:
        return this.#keep(Object(this.#bigint()));
      case tag.stringObject:
        return this.#keep(Object(this.#string()));
      case tag.regexp: {
        const source = this.#string();
        const flags = this.#varint();
        return this.#keep(new RegExp(source, regexpFlags.filter((_, bit) => Math.floor(flags / 2 ** bit) % 2 === 1).join("")));
      }
      case tag.map: {
        const value = this.#keep(new Map());
        while (this.#peek() !== tag.mapEnd) {
          const key = this.readValue();
          value.set(key, this.readValue());
        }
        this.#tag();
        this.#varint();
        return value;
      }
      case tag.set: {
        const value = this.#keep(new Set());
        while (this.#peek() !== tag.setEnd) value.add(this.readValue());
        this.#tag();
        this.#varint();
        return value;
      }
      case tag.buffer: {
        const buffer = this.#keep(this.#raw(this.#varint()).slice().buffer);
        if (this.#at >= this.#bytes.length || this.#peek() !== tag.view) return buffer;
        this.#tag();
        return this.#view(buffer);
      }
      case tag.transferred: {
        const buffer = this.#transferred.get(this.#varint());
        if (buffer === undefined) throw broken();
        return this.#keep(buffer);
      }
      case tag.error:
        return this.#error();
      case tag.host: {
        const id = this.#known.push(undefined) - 1;
        this.#known[id] = this._readHostObject();
        return this.#known[id];
      }
      default:
        throw broken();
    }
  }

  readHeader() {
    if (this.#byte() !== 0xff) throw new Error("Unable to deserialize cloned data due to invalid or unsupported version.");
    this.#version = this.#varint();
    if (this.#version > version) throw new Error("Unable to deserialize cloned data due to invalid or unsupported version.");
    return true;
  }
  readValue() {
    const kind = this.#tag();
    switch (kind) {
      case tag.undefined:
        return undefined;
      case tag.null:
        return null;
      case tag.true:
        return true;
      case tag.false:
        return false;
      case tag.int32: {
        const bits = this.#varint();
        return (bits >>> 1) ^ -(bits & 1);
      }
      case tag.uint32:
        return this.#varint();
      case tag.double:
        return this.#double();
      case tag.bigint:
        return this.#bigint();
      case tag.latin1:
      case tag.utf16:
      case tag.utf8:
        return this.#text(kind);
      case tag.reference: {
        const id = this.#varint();
        if (id >= this.#known.length) throw broken();
        return this.#known[id];
      }
      default:
        return this.#object(kind);
    }
  }
  _readHostObject() {
    throw codeError(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _readHostObject() method is not implemented");
  }
  getWireFormatVersion() {
    return this.#version;
  }
  transferArrayBuffer(id, buffer) {
    this.#transferred.set(id, buffer);
  }
  readUint32() {
    return this.#varint() >>> 0;
  }
  readUint64() {
    let value = 0n;
    for (let bits = 0n; ; bits += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << bits;
      if (byte < 0x80) return [Number((value >> 32n) & 0xffff_ffffn), Number(value & 0xffff_ffffn)];
    }
  }
  readDouble() {
    return this.#double();
  }
  readRawBytes(length) {
    const bytes = this.#raw(length);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
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

export class DefaultDeserializer extends Deserializer {
  _readHostObject() {
    const View = hostViews[this.readUint32()];
    if (View === undefined) throw broken();
    const bytes = this.readRawBytes(this.readUint32());
    if (View === Buffer) return Buffer.from(bytes);
    const { buffer } = Uint8Array.from(bytes);
    return new View(buffer, 0, buffer.byteLength / (View.BYTES_PER_ELEMENT ?? 1));
  }
}

export function serialize(value) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

export function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}
