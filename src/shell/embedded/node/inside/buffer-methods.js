// Node's argument checks for the methods of the `buffer` package, and the values of a `Uint8Array` where the package takes only a `Buffer`.
import { codeError, invalidArgType, outOfRange } from "./errors.js";

/** Node's limit. What the package takes at most is less. */
const maxLength = 2 ** 32;
const isBytes = (value) => value instanceof Uint8Array;
const bytesOf = (Buffer, value) => (Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength));

function checkBytes(value, name) {
  if (!isBytes(value)) throw invalidArgType(name, "an instance of Buffer or Uint8Array", value);
}

/** Throws unless `value` is an integer from 0 to `max`. `and` is how Node's message joins the limits. */
function checkInteger(value, name, max, and = "&&") {
  if (typeof value !== "number") throw invalidArgType(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < 0 || value > max) throw outOfRange(name, `>= 0 ${and} <= ${max}`, value);
}

function checkAccess(buffer, offset, size) {
  if (buffer.length < size && Number.isInteger(offset))
    throw codeError(RangeError, "ERR_BUFFER_OUT_OF_BOUNDS", "Attempt to access memory outside buffer bounds");
  checkInteger(offset, "offset", buffer.length - size, "and");
}

function checkByteLength(length) {
  if (typeof length !== "number") throw invalidArgType("byteLength", "of type number", length);
  if (!Number.isInteger(length)) throw outOfRange("byteLength", "an integer", length);
  if (length < 1 || length > 6) throw outOfRange("byteLength", ">= 1 and <= 6", length);
}

function checkValue(value, bits, signed) {
  const min = signed ? -(2 ** (bits - 1)) : 0;
  const max = 2 ** (signed ? bits - 1 : bits) - 1;
  if (!(value < min || value > max)) return;
  const range =
    bits <= 32 ? `>= ${min} and <= ${max}` : signed ? `>= -(2 ** ${bits - 1}) and < 2 ** ${bits - 1}` : `>= 0 and < 2 ** ${bits}`;
  throw outOfRange("value", range, value);
}

const fixedSizes = { Int8: 1, Int16: 2, Int32: 4, UInt8: 1, UInt16: 2, UInt32: 4, Float: 4, Double: 8, BigInt64: 8, BigUInt64: 8 };

/** Reading and writing numbers: each check happens here, so the package is told to skip its own. */
function checkNumbers(proto) {
  for (const [kind, size] of Object.entries(fixedSizes))
    for (const order of size === 1 ? [""] : ["LE", "BE"]) {
      const isInteger = kind.includes("Int") && !kind.startsWith("Big");
      const [read, write] = [proto[`read${kind}${order}`], proto[`write${kind}${order}`]];
      const methods = {
        read(offset = 0) {
          checkAccess(this, offset, size);
          return read.call(this, offset, true);
        },
        write(value, offset = 0) {
          if (isInteger) checkValue(+value, size * 8, kind.startsWith("I"));
          checkAccess(this, offset, size);
          return write.call(this, value, offset, true);
        },
      };
      setNumberMethods(proto, `${kind}${order}`, methods);
    }
  for (const kind of ["UInt", "Int"])
    for (const order of ["LE", "BE"]) {
      const [read, write] = [proto[`read${kind}${order}`], proto[`write${kind}${order}`]];
      setNumberMethods(proto, `${kind}${order}`, {
        read(offset, length) {
          if (offset === undefined) throw invalidArgType("offset", "of type number", offset);
          checkByteLength(length);
          checkAccess(this, offset, length);
          return read.call(this, offset, length, true);
        },
        write(value, offset, length) {
          checkByteLength(length);
          checkValue(+value, length * 8, kind === "Int");
          checkAccess(this, offset, length);
          return write.call(this, value, offset, length, true);
        },
      });
    }
}

/** `readUInt8` is also named `readUint8`. */
function setNumberMethods(proto, name, { read, write }) {
  for (const alias of new Set([name, name.replace("UInt", "Uint")])) {
    proto[`read${alias}`] = read;
    proto[`write${alias}`] = write;
  }
}

/** The position where Node finds an empty value; -1 if there is none. */
function emptyAt(length, given, last) {
  let at = typeof given === "string" || given === undefined ? NaN : Number(given);
  if (Number.isNaN(at)) at = last ? length : 0;
  at = Math.trunc(at);
  if (at < 0) at += length;
  if (at < 0) return last ? -1 : 0;
  return Math.min(at, length);
}

function checkSearches(Buffer, proto) {
  for (const name of ["indexOf", "lastIndexOf"]) {
    const plain = proto[name];
    proto[name] = {
      [name](value, from, encoding) {
        if (typeof value !== "number" && typeof value !== "string" && !isBytes(value))
          throw invalidArgType("value", "one of type number or string or an instance of Buffer or Uint8Array", value);
        if (value.length === 0) return emptyAt(this.length, from, name === "lastIndexOf");
        return plain.call(this, isBytes(value) ? bytesOf(Buffer, value) : value, from, encoding);
      },
    }[name];
  }
}

function checkComparisons(Buffer, proto) {
  const { compare: compareTwo } = Buffer;
  const { compare } = proto;
  Buffer.compare = (first, second) => {
    checkBytes(first, "buf1");
    checkBytes(second, "buf2");
    return compareTwo(first, second);
  };
  proto.compare = function (target, targetStart = 0, targetEnd = target?.length, start = 0, end = this.length) {
    checkBytes(target, "target");
    checkInteger(targetStart, "targetStart", Number.MAX_SAFE_INTEGER);
    checkInteger(targetEnd, "targetEnd", target.length);
    checkInteger(start, "sourceStart", Number.MAX_SAFE_INTEGER);
    checkInteger(end, "sourceEnd", this.length);
    if (start >= end) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return compare.call(this, target, targetStart, targetEnd, start, end);
  };
  proto.equals = function equals(other) {
    checkBytes(other, "otherBuffer");
    return this === other || (this.length === other.length && compareTwo(this, other) === 0);
  };
}

function checkCopies(Buffer, proto) {
  const integer = (value, fallback) => (Number.isNaN(+value) ? fallback : Math.trunc(+value));
  proto.copy = function copy(target, targetStart = 0, sourceStart = 0, sourceEnd = this.length) {
    checkBytes(target, "target");
    const [at, from, to] = [integer(targetStart, 0), integer(sourceStart, 0), integer(sourceEnd, 0)];
    if (at < 0) throw outOfRange("targetStart", ">= 0", at);
    if (from < 0 || from > this.length) throw outOfRange("sourceStart", `>= 0 && <= ${this.length}`, from);
    if (to < 0) throw outOfRange("sourceEnd", ">= 0", to);
    if (at >= target.length || from >= to) return 0;
    const bytes = this.subarray(from, Math.min(to, from + target.length - at));
    Uint8Array.prototype.set.call(target, bytes, at);
    return bytes.length;
  };
  const { concat } = Buffer;
  Buffer.concat = (list, length) => {
    if (!Array.isArray(list)) throw invalidArgType("list", "an instance of Array", list);
    for (const [at, one] of list.entries()) checkBytes(one, `list[${at}]`);
    if (length !== undefined) checkInteger(length, "length", maxLength);
    return concat(list, length);
  };
}

/** `write` and `latin1Write`, `hexSlice` and others, which some packages call. */
function checkWrites(Buffer, proto, sameEncoding) {
  const plain = proto.write;
  proto.write = function write(text, offset, length, encoding) {
    if (typeof text !== "string") throw codeError(TypeError, "ERR_INVALID_ARG_TYPE", "argument must be a string");
    if (typeof offset === "string") return this.write(text, 0, this.length, offset);
    if (typeof length === "string") return this.write(text, offset, undefined, length);
    if (offset === undefined) return plain.call(this, text, 0, this.length, sameEncoding(encoding));
    checkInteger(offset, "offset", this.length);
    if (length !== undefined) checkInteger(length, "length", this.length);
    // The package would write a part of a character at the end.
    const room = this.subarray(offset, Math.min(this.length, offset + (length ?? this.length)));
    return plain.call(room, text, 0, room.length, sameEncoding(encoding));
  };
  for (const encoding of ["ascii", "base64", "base64url", "hex", "latin1", "ucs2", "utf8"]) {
    proto[`${encoding}Slice`] = function (start, end) {
      return this.toString(encoding, start, end);
    };
    proto[`${encoding}Write`] = function (text, offset = 0, length = this.length - offset) {
      return this.write(text, offset, length, encoding);
    };
  }
}

function checkSizes(Buffer) {
  for (const name of ["alloc", "allocUnsafe", "allocUnsafeSlow"]) {
    const plain = Buffer[name];
    Buffer[name] = {
      [name](size, fill, encoding) {
        if (typeof size !== "number") throw invalidArgType("size", "of type number", size);
        if (!(size >= 0 && size <= maxLength)) throw outOfRange("size", `>= 0 && <= ${maxLength}`, size);
        return name === "alloc" && fill !== undefined ? plain(size).fill(fill, encoding) : plain(size);
      },
    }[name];
  }
}

function checkFill(proto, sameEncoding) {
  const plain = proto.fill;
  proto.fill = function fill(value, start, end, encoding) {
    if (typeof start === "string") return this.fill(value, 0, this.length, start);
    if (typeof end === "string") return this.fill(value, start, this.length, end);
    if (start !== undefined) checkInteger(start, "offset", Number.MAX_SAFE_INTEGER);
    if (end !== undefined) checkInteger(end, "end", this.length);
    return plain.call(this, value, start, end, sameEncoding(encoding));
  };
}

/** `sameEncoding`: the package's name of an encoding. Throws if it is unknown. */
export function checkArguments(Buffer, sameEncoding) {
  const proto = Buffer.prototype;
  checkNumbers(proto);
  checkSearches(Buffer, proto);
  checkComparisons(Buffer, proto);
  checkCopies(Buffer, proto);
  checkWrites(Buffer, proto, sameEncoding);
  checkFill(proto, sameEncoding);
  checkSizes(Buffer);
}
