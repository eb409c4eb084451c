// Whole files.
import { Buffer, toBuffer } from "./buffer.js";
import { invalidArgType, systemError } from "./errors.js";
import { deviceBytes, fileOf, flagsOf, writeSync } from "./fs-open.js";
import { call, devices, encodingOf, fdOfDevice, missing, modeOf, optionsOf, pathOf, rawStat } from "./fs-paths.js";
import { host } from "./host.js";
import { absolute } from "./process.js";

export function readFileSync(given, options) {
  const encoding = encodingOf(options);
  const decoded = (bytes) => (encoding === null ? toBuffer(bytes) : toBuffer(bytes).toString(encoding));
  if (typeof given === "number") {
    const file = fileOf(given, "fstat");
    if (file.device) return decoded(deviceBytes(file));
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

export function truncateSync(given, length = 0) {
  const path = pathOf(given);
  const before = toBuffer(call("open", path, "fs.read"));
  const after = new Uint8Array(length);
  after.set(before.subarray(0, length));
  call("open", path, "fs.write", after);
}
