// Open files.
import { Buffer } from "./buffer.js";
import { codeError, invalidArgType, systemError } from "./errors.js";
import { truncateSync } from "./fs-content.js";
import { chmodSync, utimesSync } from "./fs-names.js";
import { call, devices, fdOfDevice, missing, modeOf, pathOf, rawStat } from "./fs-paths.js";
import { Stats } from "./fs-stats.js";
import { host } from "./host.js";
import { absolute } from "./process.js";
import { givenStdin, takeAllStdin, takeStdin } from "./standard-input.js";

export const opened = new Map([
  [0, { device: "stdin" }],
  [1, { device: "stdout" }],
  [2, { device: "stderr" }],
]);
let nextFd = 17;

export const flagsOf = (flags = "r") => {
  if (typeof flags === "number") {
    const way = flags & 3;
    return {
      read: way !== 1,
      write: way !== 0,
      create: (flags & 64) !== 0,
      exclusive: (flags & 128) !== 0,
      truncate: (flags & 512) !== 0,
      append: (flags & 1024) !== 0,
    };
  }
  const match = /^(?:(r)(s?)(\+?)(s?)|([wa])(x?)(\+?)(x?)|(a)(s)(x?)(\+?))$/.exec(flags);
  if (!match) throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'flags' is invalid. Received '${flags}'`);
  const plus = flags.includes("+");
  const append = flags.startsWith("a");
  return {
    read: flags.startsWith("r") || plus,
    write: !flags.startsWith("r") || plus,
    create: !flags.startsWith("r"),
    exclusive: flags.includes("x"),
    truncate: flags.startsWith("w"),
    append,
  };
};

export function fileOf(fd, syscall) {
  if (typeof fd !== "number") throw invalidArgType("fd", "of type number", fd);
  const file = opened.get(fd);
  if (!file) throw systemError("EBADF", syscall);
  return file;
}

export const isStdin = (fd) => opened.get(fd)?.device === "stdin";

export function openSync(given, flags, mode) {
  const path = pathOf(given);
  const wanted = flagsOf(flags);
  const at = absolute(path);
  const fd = nextFd++;
  if (devices.has(at)) {
    const device = at in fdOfDevice ? ["stdin", "stdout", "stderr"][fdOfDevice[at]] : at.slice(5);
    opened.set(fd, { device });
    return fd;
  }
  const stat = rawStat(path);
  if (stat === null) {
    if (!wanted.create) throw missing("open", path);
    call("open", path, "fs.write", new Uint8Array());
    const bits = modeOf(mode, 0o666);
    if (bits !== 0o666) call("open", path, "fs.setMode", bits & ~process.umask());
  } else if (wanted.exclusive && wanted.create) throw systemError("EEXIST", "open", path);
  else if (stat.kind === "folder") {
    if (wanted.write) throw systemError("EISDIR", "open", path);
  } else if (wanted.truncate && wanted.write) call("open", path, "fs.write", new Uint8Array());
  opened.set(fd, { path: at, given: path, position: 0, folder: stat?.kind === "folder", ...wanted });
  return fd;
}

export function closeSync(fd) {
  fileOf(fd, "close");
  opened.delete(fd);
}

/** All that can still be read from stdin, the null device and similar devices. */
export const deviceBytes = (file) => (file.device === "stdin" ? takeAllStdin() : Buffer.alloc(0));

export function readSync(fd, buffer, offsetOrOptions, length, position) {
  const options =
    typeof offsetOrOptions === "object" && offsetOrOptions !== null ? offsetOrOptions : { offset: offsetOrOptions, length, position };
  if (!ArrayBuffer.isView(buffer)) throw invalidArgType("buffer", "an instance of Buffer, TypedArray, or DataView", buffer);
  const offset = options.offset ?? 0;
  const wanted = options.length ?? buffer.byteLength - offset;
  if (offset < 0 || wanted < 0 || offset + wanted > buffer.byteLength)
    throw codeError(
      RangeError,
      "ERR_OUT_OF_RANGE",
      `The value of "length" is out of range. It must be <= ${buffer.byteLength - offset}. Received ${wanted}`,
    );
  const file = fileOf(fd, "read");
  const target = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, wanted);
  if (file.device === "zero") {
    target.fill(0);
    return wanted;
  }
  if (file.device) {
    const piece = file.device === "stdin" && wanted > 0 ? takeStdin(wanted) : Buffer.alloc(0);
    target.set(piece);
    return piece.length;
  }
  if (!file.read) throw systemError("EBADF", "read");
  if (file.folder) throw systemError("EISDIR", "read");
  const at = options.position === undefined || options.position === null || options.position === -1 ? null : Number(options.position);
  const piece = call("read", file.path, "fs.readPart", at ?? file.position, wanted);
  target.set(piece);
  if (at === null) file.position += piece.length;
  return piece.length;
}

export function writeSync(fd, content, offsetOrPosition, lengthOrEncoding, position) {
  const file = fileOf(fd, "write");
  let bytes;
  let at;
  if (typeof content === "string") {
    bytes = Buffer.from(content, typeof lengthOrEncoding === "string" ? lengthOrEncoding : "utf8");
    at = offsetOrPosition;
  } else {
    if (!ArrayBuffer.isView(content))
      throw invalidArgType("buffer", "of type string or an instance of Buffer, TypedArray, or DataView", content);
    const options =
      typeof offsetOrPosition === "object" && offsetOrPosition !== null
        ? offsetOrPosition
        : { offset: offsetOrPosition, length: lengthOrEncoding, position };
    const offset = options.offset ?? 0;
    bytes = new Uint8Array(content.buffer, content.byteOffset + offset, options.length ?? content.byteLength - offset);
    at = options.position;
  }
  return writeTo(file, bytes, at);
}

/** Writes to an open file, which may have been closed since. `at`: the position; otherwise writes where the last write ended. */
export function writeTo(file, bytes, at) {
  if (file.device) {
    if (file.device === "stdout" || file.device === "stderr") host("print", file.device === "stdout" ? 1 : 2, bytes);
    return bytes.length;
  }
  if (!file.write) throw systemError("EBADF", "write");
  const size = rawStat(file.path)?.size ?? 0;
  const from = file.append ? size : typeof at === "number" ? at : file.position;
  if (from === size) call("write", file.path, size === 0 ? "fs.write" : "fs.append", bytes);
  else {
    const before = call("write", file.path, "fs.read");
    const after = new Uint8Array(Math.max(before.length, from + bytes.length));
    after.set(before);
    after.set(bytes, from);
    call("write", file.path, "fs.write", after);
  }
  if (typeof at !== "number") file.position = from + bytes.length;
  return bytes.length;
}

/** The unread rest of an open file. What has arrived on stdin stays readable for the program, too. */
export function restOf(file) {
  if (file.device) return file.device === "stdin" ? givenStdin() : Buffer.alloc(0);
  if (!file.read || file.folder) return Buffer.alloc(0);
  const rest = call("read", file.path, "fs.read").subarray(file.position);
  file.position += rest.length;
  return rest;
}

export const readvSync = (fd, views, position) =>
  views.reduce(
    (sum, view) => sum + readSync(fd, view, 0, view.byteLength, position === undefined || position === null ? null : position + sum),
    0,
  );
export const writevSync = (fd, views, position) =>
  views.reduce(
    (sum, view) => sum + writeSync(fd, view, 0, view.byteLength, position === undefined || position === null ? null : position + sum),
    0,
  );

export function fstatSync(fd, options) {
  const file = fileOf(fd, "fstat");
  if (file.device) return new Stats({ kind: "device", size: 0, mtime: Date.now(), mode: 0o620, id: fd }, options?.bigint);
  const stat = rawStat(file.path);
  if (stat === null) throw systemError("EBADF", "fstat");
  return new Stats(stat, options?.bigint);
}

export function ftruncateSync(fd, length = 0) {
  const file = fileOf(fd, "ftruncate");
  if (!file.write) throw systemError("EINVAL", "ftruncate");
  truncateSync(file.path, length);
}
export const fsyncSync = (fd) => void fileOf(fd, "fsync");
export const fdatasyncSync = (fd) => void fileOf(fd, "fdatasync");
export const fchmodSync = (fd, mode) => chmodSync(fileOf(fd, "fchmod").path, mode);
export const fchownSync = (fd) => void fileOf(fd, "fchown");
export const futimesSync = (fd, atime, mtime) => utimesSync(fileOf(fd, "futime").path, atime, mtime);
