import { closeSync, openSync, pathOf, readSync, writeSync } from "./fs-core.js";
import { Buffer } from "./buffer.js";
import { codeError, invalidArgType, outOfRange } from "./errors.js";
import { setImmediate } from "./loop.js";
import { Readable, Writable } from "./stream.js";

/** The file handle that a stream reads or writes, and closes. */
const handle = Symbol("kHandle");

/** Sets a stream's file: none yet, a number, or a handle. */
function useFile(stream, given) {
  const isHandle = typeof given === "object" && given !== null;
  stream[handle] = isHandle ? given : undefined;
  stream.fd = isHandle ? given.fd : (given ?? null);
}

function optionsOf(given) {
  if (given !== undefined && given !== null && typeof given !== "string" && typeof given !== "object")
    throw invalidArgType("options", "one of type string or object", given);
  const options = typeof given === "string" ? { encoding: given } : { ...given };
  const { encoding } = options;
  if (encoding && encoding !== "buffer" && !Buffer.isEncoding(encoding))
    throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'encoding' is invalid encoding. Received '${encoding}'`);
  return options;
}

function checkPosition(value, name) {
  if (typeof value !== "number") throw invalidArgType(name, "of type number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < 0) throw outOfRange(name, `>= 0 && <= ${Number.MAX_SAFE_INTEGER}`, value);
}

/** Opens the file of a stream. */
function construct(callback) {
  if (typeof this.fd === "number") {
    callback();
    return;
  }
  if (this.open !== open) {
    openByProgram(this, callback);
    return;
  }
  let failure = null;
  try {
    this.fd = openSync(this.path, this.flags, this.mode);
  } catch (error) {
    failure = error;
  }
  setImmediate(() => {
    callback(failure);
    if (failure !== null) return;
    this.emit("open", this.fd);
    this.emit("ready");
  });
}

/** graceful-fs and others replace `open`. It reports the result as an event, before which nothing is read or written. */
function openByProgram(stream, callback) {
  const { emit } = stream;
  stream.emit = function (name, ...args) {
    if (name !== "open" && name !== "error") return Reflect.apply(emit, this, [name, ...args]);
    this.emit = emit;
    callback(name === "error" ? args[0] : null);
    return name === "error" || Reflect.apply(emit, this, [name, ...args]);
  };
  stream.open();
}

/** Does nothing, as in Node: the file is opened by `construct`. */
function open() {}

async function closeHandle(owner, error, callback) {
  let failure = error;
  try {
    await owner.close();
  } catch (thrown) {
    failure ??= thrown;
  }
  callback(failure);
}

function destroy(error, callback) {
  const owner = this[handle];
  if (owner !== undefined) {
    this.fd = null;
    void closeHandle(owner, error, callback);
    return;
  }
  try {
    if (this.fd !== null && this.fd > 2) closeSync(this.fd);
    this.fd = null;
  } catch (failure) {
    callback(error ?? failure);
    return;
  }
  callback(error);
}

/** Properties of both kinds of streams. `state` is the name of the stream's own state. */
const shared = (state) => ({
  autoClose: {
    get() {
      return this[state].autoDestroy;
    },
    set(value) {
      this[state].autoDestroy = value;
    },
    configurable: true,
  },
  pending: {
    get() {
      return this.fd === null;
    },
    configurable: true,
  },
});

// Functions, because programs call these constructors without `new`.
/* oxlint-disable oxc/no-this-in-exported-function -- constructors */
export function ReadStream(path, given) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, given);
  const options = optionsOf(given);
  const { start, end = Infinity } = options;
  if (start !== undefined) checkPosition(start, "start");
  if (end !== Infinity) checkPosition(end, "end");
  if (start > end) throw outOfRange("start", `<= "end" (here: ${end})`, start);
  this.path = path === null ? undefined : pathOf(path);
  useFile(this, options.fd);
  this.flags = options.flags ?? "r";
  this.mode = options.mode ?? 0o666;
  this.start = start;
  this.end = end;
  this.pos = start;
  this.bytesRead = 0;
  Readable.call(this, { highWaterMark: 65_536, autoDestroy: options.autoClose ?? true, emitClose: true, ...options, fd: undefined });
}
Object.setPrototypeOf(ReadStream, Readable);
ReadStream.prototype = Object.create(Readable.prototype, {
  constructor: { value: ReadStream, writable: true, configurable: true },
  ...shared("_readableState"),
});
Object.assign(ReadStream.prototype, {
  open,
  _construct: construct,
  _read(size) {
    const wanted = Math.min(size, this.pos === undefined ? this.end - this.bytesRead + 1 : this.end - this.pos + 1);
    if (wanted <= 0) {
      this.push(null);
      return;
    }
    const chunk = Buffer.alloc(wanted);
    try {
      const count = readSync(this.fd, chunk, 0, wanted, this.pos ?? null);
      if (this.pos !== undefined) this.pos += count;
      this.bytesRead += count;
      setImmediate(() => this.push(count > 0 ? chunk.subarray(0, count) : null));
    } catch (error) {
      this.destroy(error);
    }
  },
  _destroy: destroy,
  close(callback) {
    this.destroy(null, callback);
  },
});

export function WriteStream(path, given) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, given);
  const options = optionsOf(given);
  if (options.start !== undefined) checkPosition(options.start, "start");
  this.path = path === null ? undefined : pathOf(path);
  useFile(this, options.fd);
  this.flags = options.flags ?? "w";
  this.mode = options.mode ?? 0o666;
  this.start = options.start;
  this.pos = options.start;
  this.bytesWritten = 0;
  Writable.call(this, { decodeStrings: true, autoDestroy: options.autoClose ?? true, emitClose: true, ...options, fd: undefined });
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream, Writable);
WriteStream.prototype = Object.create(Writable.prototype, {
  constructor: { value: WriteStream, writable: true, configurable: true },
  ...shared("_writableState"),
});
Object.assign(WriteStream.prototype, {
  open,
  _construct: construct,
  _write(chunk, _encoding, callback) {
    try {
      const count = writeSync(this.fd, chunk, 0, chunk.length, this.pos ?? null);
      this.bytesWritten += count;
      if (this.pos !== undefined) this.pos += count;
    } catch (error) {
      callback(error);
      return;
    }
    setImmediate(callback);
  },
  _destroy: destroy,
  close(callback) {
    if (callback && this.closed) {
      process.nextTick(callback);
      return;
    }
    if (callback) this.on("close", callback);
    if (!this.autoClose) this.on("finish", this.destroy);
    this.end();
  },
  destroySoon: Writable.prototype.end,
});
