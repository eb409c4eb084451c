// Reads values in the format of V8's serializer.
import { Buffer } from "./buffer.js";
import { codeError } from "./errors.js";
import { errorKinds, hostViews, regexpFlags, tag, version, viewKinds } from "./v8-format.js";

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

export function deserialize(buffer) {
  const deserializer = new DefaultDeserializer(buffer);
  deserializer.readHeader();
  return deserializer.readValue();
}
