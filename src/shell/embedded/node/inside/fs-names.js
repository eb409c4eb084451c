// Operations on names: existence, folders, moving, copying, removing.
import { Buffer } from "./buffer.js";
import { codeError, notHere, systemError } from "./errors.js";
import { call, devices, encodingOf, missing, modeOf, optionsOf, pathOf, rawStat, translated } from "./fs-paths.js";
import { Dirent, Stats } from "./fs-stats.js";
import { host } from "./host.js";
import { absolute } from "./process.js";

export function existsSync(given) {
  try {
    const path = pathOf(given);
    return path !== "" && (devices.has(absolute(path)) || rawStat(path) !== null);
  } catch {
    // Node also returns false.
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
  throw notHere("files are watched in the browser's own engine only, which a person turns on under Settings → Sandbox");
};
