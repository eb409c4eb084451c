// File statistics and folder entries.
import { constants } from "./fs-constants.js";

const custom = Symbol.for("nodejs.util.inspect.custom");

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
