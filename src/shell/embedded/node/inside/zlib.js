// zlib, on top of the host's streams. There is no Brotli here.
import { absent } from "./absent.js";
import { Buffer, toBuffer } from "./buffer.js";
import { codeError, invalidArgType, notHere, outOfRange } from "./errors.js";
import { host } from "./host.js";
import { nextTick, setImmediate } from "./loop.js";
import { callable } from "./net.js";
import { Transform } from "./stream.js";

const z = {
  Z_NO_FLUSH: 0,
  Z_PARTIAL_FLUSH: 1,
  Z_SYNC_FLUSH: 2,
  Z_FULL_FLUSH: 3,
  Z_FINISH: 4,
  Z_BLOCK: 5,
  Z_OK: 0,
  Z_STREAM_END: 1,
  Z_NEED_DICT: 2,
  Z_ERRNO: -1,
  Z_STREAM_ERROR: -2,
  Z_DATA_ERROR: -3,
  Z_MEM_ERROR: -4,
  Z_BUF_ERROR: -5,
  Z_VERSION_ERROR: -6,
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
  Z_FILTERED: 1,
  Z_HUFFMAN_ONLY: 2,
  Z_RLE: 3,
  Z_FIXED: 4,
  Z_DEFAULT_STRATEGY: 0,
  ZLIB_VERNUM: 4880,
  DEFLATE: 1,
  INFLATE: 2,
  GZIP: 3,
  GUNZIP: 4,
  DEFLATERAW: 5,
  INFLATERAW: 6,
  UNZIP: 7,
  BROTLI_DECODE: 8,
  BROTLI_ENCODE: 9,
  Z_MIN_WINDOWBITS: 8,
  Z_MAX_WINDOWBITS: 15,
  Z_DEFAULT_WINDOWBITS: 15,
  Z_MIN_CHUNK: 64,
  Z_MAX_CHUNK: Infinity,
  Z_DEFAULT_CHUNK: 16384,
  Z_MIN_MEMLEVEL: 1,
  Z_MAX_MEMLEVEL: 9,
  Z_DEFAULT_MEMLEVEL: 8,
  Z_MIN_LEVEL: -1,
  Z_MAX_LEVEL: 9,
  Z_DEFAULT_LEVEL: -1,
};
// Programs name these constants before they know whether they need them.
const constants = Object.freeze({
  ...z,
  BROTLI_OPERATION_PROCESS: 0,
  BROTLI_OPERATION_FLUSH: 1,
  BROTLI_OPERATION_FINISH: 2,
  BROTLI_OPERATION_EMIT_METADATA: 3,
  BROTLI_PARAM_MODE: 0,
  BROTLI_MODE_GENERIC: 0,
  BROTLI_MODE_TEXT: 1,
  BROTLI_PARAM_QUALITY: 1,
  BROTLI_MIN_QUALITY: 0,
  BROTLI_MAX_QUALITY: 11,
  BROTLI_DEFAULT_QUALITY: 11,
  BROTLI_PARAM_LGWIN: 2,
  BROTLI_PARAM_SIZE_HINT: 5,
});

const ranges = { level: [-1, 9], windowBits: [8, 15], memLevel: [1, 9], strategy: [0, 4] };

/** The options that the host needs, checked like Node does. */
function checked(kind, options) {
  const found = {};
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value = options[name];
    if (value === undefined || Number.isNaN(value)) continue;
    if (typeof value !== "number") throw invalidArgType(`options.${name}`, "of type number", value);
    // For decompression, 0 means that the header has the value.
    if (name === "windowBits" && value === 0 && /^(?:inflate|gunzip|unzip)$/.test(kind)) continue;
    if (value < least || value > most) throw outOfRange(`options.${name}`, `>= ${least} and <= ${most}`, value);
    found[name] = value;
  }
  return found;
}

function bytesOf(data, name = "buffer") {
  if (typeof data === "string") return Buffer.from(data);
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return toBuffer(data);
  throw invalidArgType(name, "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer", data);
}

function push(id, bytes, flush) {
  try {
    return toBuffer(host("zlib.push", id, bytes, flush));
  } catch (error) {
    if (error.code in z) error.errno = z[error.code];
    throw error;
  }
}

const open = (kind, options) =>
  host(
    "zlib.open",
    kind,
    JSON.stringify(checked(kind, options)),
    options.dictionary === undefined ? null : bytesOf(options.dictionary, "options.dictionary"),
  );

/** How a stream ends; a program may declare that truncated input is not an error. */
const lastFlush = ({ finishFlush = z.Z_FINISH }) => finishFlush;

class Zlib extends Transform {
  #id;
  #options;
  /** The kinds of flushes, by the empty chunks that are written for them. */
  #flushes = new WeakMap();
  constructor(kind, options) {
    super({ ...options, decodeStrings: true });
    this.#options = options ?? {};
    this.#id = open(kind, this.#options);
    this.bytesWritten = 0;
  }
  #give(bytes, flush, callback) {
    let out;
    try {
      if (this.#id === null) throw codeError(Error, "ERR_STREAM_DESTROYED", "zlib binding closed");
      out = push(this.#id, bytes, flush);
    } catch (error) {
      callback(error);
      return;
    }
    this.bytesWritten += bytes.length;
    if (out.length > 0) this.push(out);
    callback();
  }
  _transform(chunk, _encoding, callback) {
    this.#give(chunk, this.#flushes.get(chunk) ?? this.#options.flush ?? z.Z_NO_FLUSH, callback);
  }
  _flush(callback) {
    this.#give(Buffer.alloc(0), lastFlush(this.#options), callback);
  }
  _destroy(error, callback) {
    if (this.#id !== null) host("zlib.close", this.#id);
    this.#id = null;
    callback(error);
  }
  flush(kind, callback) {
    const done = typeof kind === "function" ? kind : callback;
    const how = typeof kind === "number" ? kind : z.Z_FULL_FLUSH;
    if (this.writableFinished || this.readableEnded) {
      if (done) nextTick(done);
    } else if (this.writableEnded) {
      if (done) this.once("end", done);
    } else {
      // A write keeps the flush in order with the data.
      const mark = Buffer.alloc(0);
      this.#flushes.set(mark, how);
      this.write(mark, done);
    }
  }
  params() {
    throw notHere("the level can't be changed while something is packed here (params)");
  }
  reset() {
    throw notHere("a zlib stream can't be reset here (reset)");
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.destroy();
  }
}

function sync(kind, data, options = {}) {
  const bytes = bytesOf(data);
  const id = open(kind, options ?? {});
  try {
    const out = push(id, bytes, lastFlush(options ?? {}));
    const { maxOutputLength = Infinity } = options ?? {};
    if (out.length > maxOutputLength)
      throw codeError(RangeError, "ERR_BUFFER_TOO_LARGE", `Cannot create a Buffer larger than ${maxOutputLength} bytes`);
    return out;
  } finally {
    host("zlib.close", id);
  }
}

const module = {
  constants,
  ...constants,
  codes: Object.freeze(
    Object.fromEntries(
      ["Z_OK", "Z_STREAM_END", "Z_NEED_DICT", "Z_ERRNO", "Z_STREAM_ERROR", "Z_DATA_ERROR", "Z_MEM_ERROR", "Z_BUF_ERROR"].flatMap((name) => [
        [name, z[name]],
        [z[name], name],
      ]),
    ),
  ),
};
for (const kind of ["gzip", "gunzip", "deflate", "inflate", "deflateRaw", "inflateRaw", "unzip"]) {
  const Name = kind[0].toUpperCase() + kind.slice(1);
  const Kind = {
    [Name]: class extends Zlib {
      constructor(options) {
        super(kind, options);
      }
    },
  }[Name];
  module[Name] = callable(Kind);
  module[`create${Name}`] = (options) => new Kind(options);
  module[`${kind}Sync`] = (data, options) => sync(kind, data, options);
  module[kind] = (data, optionsOrCallback, maybeCallback) => {
    const callback = typeof optionsOrCallback === "function" ? optionsOrCallback : maybeCallback;
    if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
    const options = typeof optionsOrCallback === "function" ? {} : optionsOrCallback;
    const bytes = bytesOf(data);
    setImmediate(() => {
      let out;
      try {
        out = sync(kind, bytes, options);
      } catch (error) {
        callback(error);
        return;
      }
      callback(null, out);
    });
  };
}
let table = null;
module.crc32 = (data, value = 0) => {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
  });
  let crc = ~value;
  for (const byte of bytesOf(data, "data")) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
};
Object.assign(
  module,
  absent(
    "there is no Brotli here; use gzip or deflate",
    "brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync createBrotliCompress createBrotliDecompress BrotliCompress BrotliDecompress",
  ),
);

export default module;
