// The file calls as Node has them, each done at once. fs.js and fs-promises.js say the same with callbacks and promises.
import { Buffer, toBuffer } from "./buffer.js";
import { host } from "./host.js";
import { codeError, invalidArgType, notHere, systemError } from "./errors.js";
import { absolute } from "./process.js";
import { takeStdin } from "./standard-streams.js";
import { fileURLToPath, URL } from "./url.js";

const custom = Symbol.for("nodejs.util.inspect.custom");

export const constants = {
  UV_FS_SYMLINK_DIR: 1,
  UV_FS_SYMLINK_JUNCTION: 2,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  S_IFMT: 61440,
  S_IFREG: 32768,
  S_IFDIR: 16384,
  S_IFCHR: 8192,
  S_IFBLK: 24576,
  S_IFIFO: 4096,
  S_IFLNK: 40960,
  S_IFSOCK: 49152,
  O_CREAT: 64,
  O_EXCL: 128,
  UV_FS_O_FILEMAP: 0,
  O_NOCTTY: 256,
  O_TRUNC: 512,
  O_APPEND: 1024,
  O_DIRECTORY: 65536,
  O_NOATIME: 262144,
  O_NOFOLLOW: 131072,
  O_SYNC: 1052672,
  O_DSYNC: 4096,
  O_DIRECT: 16384,
  O_NONBLOCK: 2048,
  S_IRWXU: 448,
  S_IRUSR: 256,
  S_IWUSR: 128,
  S_IXUSR: 64,
  S_IRWXG: 56,
  S_IRGRP: 32,
  S_IWGRP: 16,
  S_IXGRP: 8,
  S_IRWXO: 7,
  S_IROTH: 4,
  S_IWOTH: 2,
  S_IXOTH: 1,
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  UV_FS_COPYFILE_EXCL: 1,
  COPYFILE_EXCL: 1,
  UV_FS_COPYFILE_FICLONE: 2,
  COPYFILE_FICLONE: 2,
  UV_FS_COPYFILE_FICLONE_FORCE: 4,
  COPYFILE_FICLONE_FORCE: 4,
};

export function pathOf(given, name = "path") {
  if (
    given instanceof URL ||
    (typeof given === "object" && given !== null && typeof given.href === "string" && typeof given.protocol === "string")
  )
    return fileURLToPath(given instanceof URL ? given : new URL(given.href));
  if (given instanceof Uint8Array) return toBuffer(given).toString();
  if (typeof given !== "string") throw invalidArgType(name, "of type string or an instance of Buffer or URL", given);
  if (given.includes("\0"))
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      `The argument '${name}' must be a string, Uint8Array, or URL without null bytes. Received ${JSON.stringify(given)}`,
    );
  return given;
}

/** Asks for the file, and says what failed as Node does, with the path as it was given. */
function call(syscall, given, operation, ...args) {
  try {
    return host(operation, absolute(given), ...args);
  } catch (error) {
    throw translated(error, syscall, given);
  }
}

function translated(error, syscall, given, dest) {
  if (typeof error?.code !== "string" || !/^E[A-Z0-9]+$/.test(error.code)) return error;
  const said = /^E[A-Z0-9]+: (.*?)(?:, \w+ '.*)?$/s.exec(error.message)?.[1];
  // Only where the shell has a reason of its own is it better than Node's words.
  const more = error.code === "EROFS" || error.code === "EAGAIN" || error.code === "ENOSPC" || error.code === "EINVAL" ? said : undefined;
  return systemError(error.code, syscall, given, dest, more);
}

const rawStat = (path) => {
  const stat = host("fs.stat", absolute(path));
  return stat === null ? null : JSON.parse(stat);
};

/** A path below a file, and one that ends in a slash and is a file, are no folders. */
function missing(syscall, path) {
  for (let at = absolute(path); at !== "/"; ) {
    at = at.slice(0, at.lastIndexOf("/")) || "/";
    const stat = host("fs.stat", at);
    if (stat !== null) return systemError(JSON.parse(stat).kind === "file" ? "ENOTDIR" : "ENOENT", syscall, path);
  }
  return systemError("ENOENT", syscall, path);
}

const devices = new Set([
  "/dev/null",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/zero",
  "/dev/fd/0",
  "/dev/fd/1",
  "/dev/fd/2",
  "/proc/self/fd/0",
]);
const fdOfDevice = {
  "/dev/stdin": 0,
  "/dev/fd/0": 0,
  "/proc/self/fd/0": 0,
  "/dev/stdout": 1,
  "/dev/fd/1": 1,
  "/dev/stderr": 2,
  "/dev/fd/2": 2,
};

export class Stats {
  constructor({ kind, size, mtime, mode, id }, big = false) {
    const n = big ? BigInt : Number;
    const type = kind === "folder" ? constants.S_IFDIR : kind === "device" ? constants.S_IFCHR : constants.S_IFREG;
    this.dev = n(1);
    this.mode = n((mode & 0o7777) | type);
    this.nlink = n(1);
    this.uid = n(1000);
    this.gid = n(1000);
    this.rdev = n(0);
    this.blksize = n(4096);
    this.ino = n(id);
    this.size = n(kind === "folder" ? 4096 : size);
    this.blocks = n(Math.ceil((kind === "folder" ? 4096 : size) / 512));
    for (const name of ["atime", "mtime", "ctime", "birthtime"]) this[`${name}Ms`] = big ? BigInt(Math.trunc(mtime)) : mtime;
    if (big) for (const name of ["atime", "mtime", "ctime", "birthtime"]) this[`${name}Ns`] = BigInt(Math.round(mtime * 1e6));
    for (const name of ["atime", "mtime", "ctime", "birthtime"]) this[name] = new Date(mtime);
  }
  #is(type) {
    return (Number(this.mode) & constants.S_IFMT) === type;
  }
  isFile() {
    return this.#is(constants.S_IFREG);
  }
  isDirectory() {
    return this.#is(constants.S_IFDIR);
  }
  isSymbolicLink() {
    return false;
  }
  isBlockDevice() {
    return false;
  }
  isCharacterDevice() {
    return this.#is(constants.S_IFCHR);
  }
  isFIFO() {
    return false;
  }
  isSocket() {
    return false;
  }
}

export class Dirent {
  #kind;
  constructor(name, folder, kind) {
    this.name = name;
    this.parentPath = folder;
    this.path = folder;
    this.#kind = kind;
  }
  isFile() {
    return this.#kind === "file";
  }
  isDirectory() {
    return this.#kind === "folder";
  }
  isSymbolicLink() {
    return false;
  }
  isBlockDevice() {
    return false;
  }
  isCharacterDevice() {
    return false;
  }
  isFIFO() {
    return false;
  }
  isSocket() {
    return false;
  }
  [custom](depth, options, inspect) {
    return `Dirent ${inspect({ name: this.name, parentPath: this.parentPath, path: this.path, [Symbol("type")]: this.#kind === "file" ? 1 : 2 }, options)}`;
  }
}

const optionsOf = (options) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

function encodingOf(options) {
  const { encoding } = optionsOf(options);
  if (encoding === undefined || encoding === null || encoding === "buffer") return null;
  if (!Buffer.isEncoding(encoding))
    throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'encoding' is invalid encoding. Received '${encoding}'`);
  return encoding;
}

const modeOf = (mode, fallback) =>
  mode === undefined || mode === null ? fallback : typeof mode === "string" ? Number.parseInt(mode, 8) : mode;

// ---- open files

const opened = new Map([
  [0, { device: "stdin", left: null }],
  [1, { device: "stdout" }],
  [2, { device: "stderr" }],
]);
let nextFd = 17;

const flagsOf = (flags = "r") => {
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

function fileOf(fd, syscall) {
  if (typeof fd !== "number") throw invalidArgType("fd", "of type number", fd);
  const file = opened.get(fd);
  if (!file) throw systemError("EBADF", syscall);
  return file;
}

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

/** All that can still be read of stdin, the null device and such. */
function deviceBytes(file) {
  if (file.device === "stdin") {
    const input = opened.get(0);
    if (input) {
      input.left ??= takeStdin();
      return input.left;
    }
    return takeStdin();
  }
  return Buffer.alloc(0);
}

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
    const left = deviceBytes(file);
    const piece = left.subarray(0, wanted);
    target.set(piece);
    if (file.device === "stdin" && opened.get(0)) opened.get(0).left = left.subarray(piece.length);
    return piece.length;
  }
  if (!file.read) throw systemError("EBADF", "read");
  if (file.folder) throw systemError("EISDIR", "read");
  const at = options.position === undefined || options.position === null || options.position === -1 ? null : Number(options.position);
  const bytes = call("read", file.path, "fs.read");
  const piece = bytes.subarray(at ?? file.position, (at ?? file.position) + wanted);
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

// ---- whole files

export function readFileSync(given, options) {
  const encoding = encodingOf(options);
  const decoded = (bytes) => (encoding === null ? toBuffer(bytes) : toBuffer(bytes).toString(encoding));
  if (typeof given === "number") {
    const file = fileOf(given, "fstat");
    if (file.device) {
      const all = deviceBytes(file);
      if (file.device === "stdin" && opened.get(0)) opened.get(0).left = Buffer.alloc(0);
      return decoded(all);
    }
    const bytes = call("read", file.path, "fs.read").subarray(file.position);
    file.position += bytes.length;
    return decoded(bytes);
  }
  const path = pathOf(given);
  const at = absolute(path);
  if (devices.has(at)) return decoded(at in fdOfDevice ? readFileSync(fdOfDevice[at]) : Buffer.alloc(0));
  const stat = rawStat(path);
  if (stat === null) throw missing("open", path);
  if (stat.kind === "folder") throw systemError("EISDIR", "read");
  if (encoding !== null && /^utf-?8$/i.test(encoding)) return call("open", path, "fs.readText");
  return decoded(call("open", path, "fs.read"));
}

const contentOf = (data, options) => {
  if (typeof data === "string") {
    const encoding = encodingOf(options) ?? "utf8";
    return /^utf-?8$/i.test(encoding) ? data : Buffer.from(data, encoding);
  }
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw invalidArgType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
};

export function writeFileSync(given, data, options) {
  const content = contentOf(data, options);
  const { flag = "w", mode } = optionsOf(options);
  if (typeof given === "number") {
    writeSync(given, typeof content === "string" ? Buffer.from(content) : content);
    return;
  }
  const path = pathOf(given);
  const at = absolute(path);
  if (devices.has(at)) {
    if (at in fdOfDevice && fdOfDevice[at] > 0) host("print", fdOfDevice[at], content);
    return;
  }
  const wanted = flagsOf(flag);
  const stat = rawStat(path);
  if (stat?.kind === "folder" || (path.endsWith("/") && stat === null)) throw systemError("EISDIR", "open", path);
  if (stat !== null && wanted.exclusive) throw systemError("EEXIST", "open", path);
  if (stat === null && !wanted.create) throw missing("open", path);
  if (stat === null) {
    const above = rawStat(`${at}/..`);
    if (above?.kind !== "folder") throw missing("open", path);
  }
  if (!wanted.write) throw systemError("EBADF", "write");
  if (wanted.append && stat !== null) call("open", path, "fs.append", content);
  else call("open", path, "fs.write", content);
  if (stat === null && mode !== undefined && mode !== null) call("open", path, "fs.setMode", modeOf(mode, 0o666) & ~process.umask());
}

export const appendFileSync = (given, data, options) => writeFileSync(given, data, { flag: "a", ...optionsOf(options) });

// ---- names

export function existsSync(given) {
  try {
    const path = pathOf(given);
    return path !== "" && (devices.has(absolute(path)) || rawStat(path) !== null);
  } catch {
    // Node answers false too.
    return false;
  }
}

export function accessSync(given, mode = 0) {
  const path = pathOf(given);
  if (devices.has(absolute(path))) return;
  const stat = rawStat(path);
  if (stat === null) throw missing("access", path);
  if ((mode & 1) !== 0 && stat.kind === "file" && (stat.mode & 0o111) === 0) throw systemError("EACCES", "access", path);
}

function statWith(syscall) {
  return (given, options = {}) => {
    const path = pathOf(given);
    if (devices.has(absolute(path))) return new Stats({ kind: "device", size: 0, mtime: Date.now(), mode: 0o666, id: 1 }, options?.bigint);
    const stat = path === "" ? null : rawStat(path);
    if (stat === null || (path.endsWith("/") && stat.kind === "file")) {
      const error = stat === null ? missing(syscall, path) : systemError("ENOTDIR", syscall, path);
      if (options?.throwIfNoEntry === false && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
      throw error;
    }
    return new Stats(stat, options?.bigint);
  };
}
export const statSync = statWith("stat");
export const lstatSync = statWith("lstat");
export const statfsSync = () => ({ type: 61267, bsize: 4096, blocks: 262144, bfree: 131072, bavail: 131072, files: 65536, ffree: 32768 });

export function readdirSync(given, options) {
  const path = pathOf(given);
  const { withFileTypes = false, recursive = false, encoding } = optionsOf(options);
  const stat = rawStat(path);
  if (stat === null) throw missing("scandir", path);
  if (stat.kind === "file") throw systemError("ENOTDIR", "scandir", path);
  const found = [];
  const list = (folder, prefix) => {
    const entries = JSON.parse(call("scandir", folder, "fs.list"));
    for (const { name, kind } of entries) found.push(withFileTypes ? new Dirent(name, folder, kind) : prefix + name);
    if (recursive)
      for (const { name, kind } of entries) if (kind === "folder") list(`${folder.replace(/\/$/, "")}/${name}`, `${prefix}${name}/`);
  };
  list(path, "");
  return encoding === "buffer" && !withFileTypes ? found.map((name) => Buffer.from(name)) : found;
}

export function mkdirSync(given, options) {
  const path = pathOf(given);
  const { recursive = false, mode } = typeof options === "object" && options !== null ? options : { mode: options };
  const stat = rawStat(path);
  if (stat !== null) {
    if (recursive && stat.kind === "folder") return undefined;
    throw systemError("EEXIST", "mkdir", path);
  }
  const at = absolute(path);
  let first = at;
  for (let up = at.slice(0, at.lastIndexOf("/")) || "/"; up !== "/"; up = up.slice(0, up.lastIndexOf("/")) || "/") {
    const above = rawStat(up);
    if (above?.kind === "file") throw systemError("ENOTDIR", "mkdir", path);
    if (above !== null) break;
    first = up;
    if (!recursive) throw systemError("ENOENT", "mkdir", path);
  }
  call("mkdir", path, "fs.makeFolder", Boolean(recursive));
  if (mode !== undefined && mode !== null) call("mkdir", path, "fs.setMode", modeOf(mode, 0o777) & ~process.umask());
  return recursive ? first : undefined;
}

export function mkdtempSync(given, options) {
  const prefix = pathOf(given, "prefix");
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (;;) {
    const path = prefix + Array.from(host("random", 6), (byte) => letters[byte % letters.length]).join("");
    if (rawStat(path) !== null) continue;
    try {
      mkdirSync(path, 0o700);
    } catch (error) {
      throw error.code === "ENOENT" || error.code === "ENOTDIR" ? systemError(error.code, "mkdtemp", `${prefix}XXXXXX`) : error;
    }
    return encodingOf(options) === null && optionsOf(options).encoding === "buffer" ? Buffer.from(path) : path;
  }
}

export function unlinkSync(given) {
  const path = pathOf(given);
  const stat = rawStat(path);
  if (stat === null) throw missing("unlink", path);
  if (stat.kind === "folder") throw systemError("EISDIR", "unlink", path);
  call("unlink", path, "fs.unlink");
}

export function rmdirSync(given, options) {
  const path = pathOf(given);
  const stat = rawStat(path);
  if (options?.recursive) {
    if (stat === null) throw missing("rmdir", path);
    return rmSync(path, { recursive: true });
  }
  if (stat === null) throw missing("rmdir", path);
  if (stat.kind === "file") throw systemError("ENOTDIR", "rmdir", path);
  call("rmdir", path, "fs.removeFolder", false);
  return undefined;
}

export function rmSync(given, options = {}) {
  const path = pathOf(given);
  const stat = rawStat(path);
  if (stat === null) {
    if (options?.force) return;
    throw systemError("ENOENT", "lstat", path);
  }
  if (stat.kind === "folder") {
    if (!options?.recursive) {
      const error = codeError(Error, "ERR_FS_EISDIR", `Path is a directory: rm returned EISDIR (is a directory) ${path}`);
      error.name = "SystemError";
      Object.assign(error, { errno: 21, syscall: "rm", path });
      throw error;
    }
    call("rm", path, "fs.removeFolder", true);
  } else call("rm", path, "fs.unlink");
}

export function renameSync(from, to) {
  const old = pathOf(from, "oldPath");
  const fresh = pathOf(to, "newPath");
  if (rawStat(old) === null) throw systemError("ENOENT", "rename", old, fresh);
  try {
    host("fs.rename", absolute(old), absolute(fresh));
  } catch (error) {
    throw translated(error, "rename", old, fresh);
  }
}

export function copyFileSync(from, to, mode = 0) {
  const source = pathOf(from, "src");
  const target = pathOf(to, "dest");
  const stat = rawStat(source);
  if (stat === null) throw systemError("ENOENT", "copyfile", source, target);
  if (stat.kind === "folder") throw systemError("EISDIR", "copyfile", source, target);
  const there = rawStat(target);
  if (there !== null && (mode & 1) !== 0) throw systemError("EEXIST", "copyfile", source, target);
  if (there?.kind === "folder") throw systemError("EISDIR", "copyfile", source, target);
  try {
    host("fs.write", absolute(target), host("fs.read", absolute(source)));
  } catch (error) {
    throw translated(error, "copyfile", source, target);
  }
}

export function cpSync(from, to, options = {}) {
  const source = pathOf(from, "src");
  const target = pathOf(to, "dest");
  const { recursive = false, force = true, errorOnExist = false, filter, preserveTimestamps = false } = options ?? {};
  const stat = rawStat(source);
  if (stat === null) throw systemError("ENOENT", "cp", source, target);
  if (stat.kind === "folder" && !recursive)
    throw codeError(
      Error,
      "ERR_FS_EISDIR",
      `Recursive option not enabled, cannot copy a directory: cp returned EISDIR (${source} is a directory (not copied)) ${source}`,
    );
  if (`${absolute(target)}/`.startsWith(`${absolute(source)}/`))
    throw codeError(
      Error,
      "ERR_FS_CP_EINVAL",
      `Invalid src or dest: cp returned EINVAL (cannot copy ${source} to a subdirectory of self ${target}) ${target}`,
    );
  const copy = (one, other) => {
    if (filter) {
      const wanted = filter(one, other);
      if (typeof wanted?.then === "function")
        throw codeError(TypeError, "ERR_INVALID_RETURN_VALUE", 'Expected boolean to be returned from the "filter" function');
      if (!wanted) return;
    }
    const kind = rawStat(one);
    if (kind.kind === "folder") {
      mkdirSync(other, { recursive: true });
      for (const { name } of JSON.parse(call("scandir", one, "fs.list"))) copy(`${one}/${name}`, `${other}/${name}`);
      return;
    }
    if (rawStat(other) !== null && !force) {
      if (errorOnExist)
        throw codeError(Error, "ERR_FS_CP_EEXIST", `Target already exists: cp returned EEXIST (${other} already exists) ${other}`);
      return;
    }
    const slash = other.lastIndexOf("/");
    if (slash > 0) mkdirSync(other.slice(0, slash), { recursive: true });
    copyFileSync(one, other);
    if (preserveTimestamps) call("utime", other, "fs.setTime", kind.mtime);
  };
  copy(source, target);
}

export function truncateSync(given, length = 0) {
  const path = pathOf(given);
  const before = toBuffer(call("open", path, "fs.read"));
  const after = new Uint8Array(length);
  after.set(before.subarray(0, length));
  call("open", path, "fs.write", after);
}

export function chmodSync(given, mode) {
  const path = pathOf(given);
  if (rawStat(path) === null) throw missing("chmod", path);
  call("chmod", path, "fs.setMode", modeOf(mode, 0o644));
}
export function chownSync(given) {
  const path = pathOf(given);
  if (rawStat(path) === null) throw missing("chown", path);
}
export function utimesSync(given, atime, mtime) {
  const path = pathOf(given);
  if (rawStat(path) === null) throw missing("utime", path);
  call("utime", path, "fs.setTime", mtime instanceof Date ? mtime.getTime() : Number(mtime) * 1000);
}

export function realpathSync(given) {
  const path = pathOf(given);
  if (rawStat(path) === null) throw missing("lstat", path);
  return absolute(path);
}
realpathSync.native = realpathSync;

export function readlinkSync(given) {
  const path = pathOf(given);
  if (rawStat(path) === null) throw missing("readlink", path);
  throw systemError("EINVAL", "readlink", path);
}

const noLinks = (syscall) => (from, to) => {
  throw systemError("ENOTSUP", syscall, pathOf(from), pathOf(to), "links are not supported here; copy the file instead");
};
export const symlinkSync = noLinks("symlink");
export const linkSync = noLinks("link");

export class Dir {
  #entries;
  constructor(path, options) {
    this.path = path;
    this.#entries = readdirSync(path, { ...options, withFileTypes: true });
  }
  readSync() {
    return this.#entries.shift() ?? null;
  }
  async read() {
    return this.readSync();
  }
  closeSync() {}
  async close() {}
  async *[Symbol.asyncIterator]() {
    for (let entry = this.readSync(); entry !== null; entry = this.readSync()) yield entry;
  }
}
export const opendirSync = (path, options) => new Dir(pathOf(path), options);

export const noWatching = () => {
  throw notHere("files can't be watched here: nothing changes them while a program runs but the program itself");
};
