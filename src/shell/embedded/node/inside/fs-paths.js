// The paths and options that fs functions get, and their errors in Node's words.
import { Buffer, toBuffer } from "./buffer.js";
import { codeError, invalidArgType, systemError } from "./errors.js";
import { host } from "./host.js";
import { absolute } from "./process.js";
import { fileURLToPath, URL } from "./url.js";

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

/** Calls the host's file operation. Errors have Node's words, with the path as it was given. */
export function call(syscall, given, operation, ...args) {
  try {
    return host(operation, absolute(given), ...args);
  } catch (error) {
    throw translated(error, syscall, given);
  }
}

export function translated(error, syscall, given, dest) {
  if (typeof error?.code !== "string" || !/^E[A-Z0-9]+$/.test(error.code)) return error;
  const said = /^E[A-Z0-9]+: (.*?)(?:, \w+ '.*)?$/s.exec(error.message)?.[1];
  // Only in these cases is the shell's reason better than Node's words.
  const more = error.code === "EROFS" || error.code === "EAGAIN" || error.code === "ENOSPC" || error.code === "EINVAL" ? said : undefined;
  return systemError(error.code, syscall, given, dest, more);
}

export const rawStat = (path) => {
  const stat = host("fs.stat", absolute(path));
  return stat === null ? null : JSON.parse(stat);
};

/** The error for a path that does not exist. ENOTDIR if it is below a file, or is a file with a trailing slash. */
export function missing(syscall, path) {
  for (let at = absolute(path); at !== "/"; ) {
    at = at.slice(0, at.lastIndexOf("/")) || "/";
    const stat = host("fs.stat", at);
    if (stat !== null) return systemError(JSON.parse(stat).kind === "file" ? "ENOTDIR" : "ENOENT", syscall, path);
  }
  return systemError("ENOENT", syscall, path);
}

export const devices = new Set([
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
export const fdOfDevice = {
  "/dev/stdin": 0,
  "/dev/fd/0": 0,
  "/proc/self/fd/0": 0,
  "/dev/stdout": 1,
  "/dev/fd/1": 1,
  "/dev/stderr": 2,
  "/dev/fd/2": 2,
};

export const optionsOf = (options) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

export function encodingOf(options) {
  const { encoding } = optionsOf(options);
  if (encoding === undefined || encoding === null || encoding === "buffer") return null;
  if (!Buffer.isEncoding(encoding))
    throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'encoding' is invalid encoding. Received '${encoding}'`);
  return encoding;
}

export const modeOf = (mode, fallback) =>
  mode === undefined || mode === null ? fallback : typeof mode === "string" ? Number.parseInt(mode, 8) : mode;
