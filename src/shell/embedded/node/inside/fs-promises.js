import { watchEach } from "./fs-watch.js";
import * as core from "./fs-core.js";
import EventEmitter from "./events.js";
import { calledBack } from "./loop.js";

/** Wraps a synchronous function in a promise that settles in a turn of its own. */
const later =
  (sync) =>
  (...args) =>
    new Promise((resolve, reject) => {
      let settle;
      try {
        const value = sync(...args);
        settle = () => resolve(value);
      } catch (error) {
        settle = () => reject(error);
      }
      calledBack(settle);
    });

const fdOf = (given) => (given instanceof FileHandle ? given.fd : given);

export class FileHandle extends EventEmitter {
  #fd;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() {
    return this.#fd;
  }
  close = later(() => {
    if (this.#fd !== -1) core.closeSync(this.#fd);
    this.#fd = -1;
    this.emit("close");
  });
  readFile = later((options) => core.readFileSync(this.#fd, options));
  writeFile = later((data, options) => core.writeFileSync(this.#fd, data, options));
  appendFile = later((data, options) => core.writeFileSync(this.#fd, data, options));
  stat = later((options) => core.fstatSync(this.#fd, options));
  truncate = later((length) => core.ftruncateSync(this.#fd, length));
  sync = later(() => core.fsyncSync(this.#fd));
  datasync = later(() => core.fdatasyncSync(this.#fd));
  chmod = later((mode) => core.fchmodSync(this.#fd, mode));
  chown = later(() => core.fchownSync(this.#fd));
  utimes = later((atime, mtime) => core.futimesSync(this.#fd, atime, mtime));
  read = later((buffer, ...rest) => {
    const target = ArrayBuffer.isView(buffer) ? buffer : (buffer?.buffer ?? globalThis.Buffer.alloc(16_384));
    const args = ArrayBuffer.isView(buffer) ? rest : [buffer ?? {}];
    return { bytesRead: core.readSync(this.#fd, target, ...args), buffer: target };
  });
  write = later((data, ...rest) => ({ bytesWritten: core.writeSync(this.#fd, data, ...rest), buffer: data }));
  writev = later((views, position) => ({ bytesWritten: core.writevSync(this.#fd, views, position), buffers: views }));
  readv = later((views, position) => ({ bytesRead: core.readvSync(this.#fd, views, position), buffers: views }));
  async *readLines(options) {
    const text = await this.readFile({ encoding: "utf8", ...options });
    if (text !== "") yield* text.replace(/\n$/, "").split(/\r?\n/);
  }
  createReadStream(options) {
    return new (globalThis[Symbol.for("vibey.node")].builtin("fs").ReadStream)(null, { ...options, fd: this });
  }
  createWriteStream(options) {
    return new (globalThis[Symbol.for("vibey.node")].builtin("fs").WriteStream)(null, { ...options, fd: this });
  }
  async [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    await this.close();
  }
}

const promises = { constants: core.constants };
for (const name of "access appendFile chmod chown copyFile cp lstat mkdir mkdtemp readdir readlink realpath rename rm rmdir stat statfs symlink link truncate unlink utimes opendir".split(
  " ",
)) {
  promises[name] = later(core[`${name}Sync`]);
}
promises.lchown = promises.chown;
promises.lutimes = promises.utimes;
promises.open = later((path, flags, mode) => new FileHandle(core.openSync(path, flags, mode)));
promises.readFile = (path, options) => {
  if (options?.signal?.aborted) return Promise.reject(options.signal.reason);
  return later(core.readFileSync)(fdOf(path), options);
};
promises.writeFile = async (path, data, options) => {
  if (options?.signal?.aborted) throw options.signal.reason;
  if (typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && (Symbol.asyncIterator in data || Symbol.iterator in data)) {
    const chunks = [];
    for await (const chunk of data) chunks.push(globalThis.Buffer.from(chunk));
    return later(core.writeFileSync)(fdOf(path), globalThis.Buffer.concat(chunks), options);
  }
  return later(core.writeFileSync)(fdOf(path), data, options);
};
promises.appendFile = (path, data, options) => later(core.appendFileSync)(fdOf(path), data, options);
promises.watch = watchEach;

export default promises;
