import { closeSync, openSync, pathOf, readSync, writeSync } from "./fs-core.js";
import { Buffer } from "./buffer.js";
import { setImmediate } from "./loop.js";
import { Readable, Writable } from "./stream.js";

const optionsOf = (options) => (typeof options === "string" ? { encoding: options } : { ...options });

function open(stream, flags, mode, callback) {
  try {
    if (stream.fd === null) stream.fd = openSync(stream.path, flags, mode);
  } catch (error) {
    setImmediate(() => callback(error));
    return;
  }
  setImmediate(() => {
    callback();
    stream.emit("open", stream.fd);
    stream.emit("ready");
  });
}

function close(stream, error, callback) {
  try {
    if (stream.fd !== null && stream.fd > 2 && stream.closes) closeSync(stream.fd);
    stream.fd = null;
  } catch (failure) {
    callback(error ?? failure);
    return;
  }
  callback(error);
}

export class ReadStream extends Readable {
  constructor(path, given) {
    const options = optionsOf(given);
    super({ highWaterMark: 65_536, autoDestroy: options.autoClose ?? true, emitClose: true, ...options, fd: undefined });
    this.path = path === null ? undefined : pathOf(path);
    this.fd = options.fd?.fd ?? options.fd ?? null;
    this.flags = options.flags ?? "r";
    this.mode = options.mode ?? 0o666;
    this.start = options.start;
    this.end = options.end ?? Infinity;
    this.pos = options.start;
    this.bytesRead = 0;
    this.closes = options.autoClose ?? true;
    if (options.encoding) this.setEncoding(options.encoding);
  }
  _construct(callback) {
    open(this, this.flags, this.mode, callback);
  }
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
  }
  _destroy(error, callback) {
    close(this, error, callback);
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.destroy();
  }
}

export class WriteStream extends Writable {
  constructor(path, given) {
    const options = optionsOf(given);
    super({ decodeStrings: true, autoDestroy: options.autoClose ?? true, emitClose: true, ...options, fd: undefined });
    this.path = path === null ? undefined : pathOf(path);
    this.fd = options.fd?.fd ?? options.fd ?? null;
    this.flags = options.flags ?? "w";
    this.mode = options.mode ?? 0o666;
    this.pos = options.start;
    this.bytesWritten = 0;
    this.closes = options.autoClose ?? true;
    if (options.encoding) this.setDefaultEncoding(options.encoding);
  }
  _construct(callback) {
    open(this, this.flags, this.mode, callback);
  }
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
  }
  _destroy(error, callback) {
    close(this, error, callback);
  }
  close(callback) {
    if (callback) this.once("close", callback);
    this.end();
  }
}
