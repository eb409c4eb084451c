// Creates errors like Node's.

export const errnos = {
  EPERM: [-1, "operation not permitted"],
  ENOENT: [-2, "no such file or directory"],
  EIO: [-5, "i/o error"],
  EBADF: [-9, "bad file descriptor"],
  EAGAIN: [-11, "resource temporarily unavailable"],
  ENOMEM: [-12, "not enough memory"],
  EACCES: [-13, "permission denied"],
  EBUSY: [-16, "resource busy or locked"],
  EEXIST: [-17, "file already exists"],
  EXDEV: [-18, "cross-device link not permitted"],
  ENOTDIR: [-20, "not a directory"],
  EISDIR: [-21, "illegal operation on a directory"],
  EINVAL: [-22, "invalid argument"],
  EFBIG: [-27, "file too large"],
  ENOSPC: [-28, "no space left on device"],
  EROFS: [-30, "read-only file system"],
  EPIPE: [-32, "broken pipe"],
  ENAMETOOLONG: [-36, "name too long"],
  ENOSYS: [-38, "function not implemented"],
  ENOTEMPTY: [-39, "directory not empty"],
  ELOOP: [-40, "too many symbolic links encountered"],
  ENOTSUP: [-95, "operation not supported on socket"],
  EADDRINUSE: [-98, "address already in use"],
  ECONNRESET: [-104, "connection reset by peer"],
  ETIMEDOUT: [-110, "connection timed out"],
  ECONNREFUSED: [-111, "connection refused"],
};

export const errnoOf = (code) => errnos[code]?.[0] ?? -22;

/** Creates errors such as `ENOENT: no such file or directory, open 'x'`. `more` replaces Node's description. */
export function systemError(code, syscall, path, dest, more) {
  const text = errnos[code]?.[1] ?? "unknown error";
  let message = `${code}: ${more ?? text}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const error = new Error(message);
  error.errno = errnoOf(code);
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = path;
  if (dest !== undefined) error.dest = dest;
  return error;
}

/** An error with one of Node's codes. The code is in the stack's first line but not in the name. */
export function codeError(Base, code, message) {
  const error = new Base(message);
  const { name } = error;
  const { stack } = error;
  if (typeof stack === "string" && stack.startsWith(name))
    Object.defineProperty(error, "stack", { value: `${name} [${code}]${stack.slice(name.length)}`, writable: true, configurable: true });
  Object.defineProperty(error, "toString", {
    value() {
      return `${this.name} [${code}]: ${this.message}`;
    },
    writable: true,
    configurable: true,
  });
  error.code = code;
  return error;
}

/** An error for a missing feature; `what` is a sentence. */
export function notHere(what) {
  return codeError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", what);
}

/** The end of Node's messages, ` Received …`. */
export function described(value) {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === "function") return ` Received function ${value.name}`;
  if (typeof value === "object")
    return value.constructor?.name ? ` Received an instance of ${value.constructor.name}` : " Received an object";
  let text = typeof value === "string" ? `'${value.length > 28 ? `${value.slice(0, 25)}...` : value}'` : String(value);
  if (typeof value === "bigint") text += "n";
  return ` Received type ${typeof value} (${text})`;
}

export function invalidArgType(name, expected, value) {
  const kind = name.includes(".") ? "property" : "argument";
  return codeError(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" ${kind} must be ${expected}.${described(value)}`);
}

export function outOfRange(name, range, value) {
  let text = String(value);
  // Node groups the digits of large numbers.
  if (Number.isInteger(value) ? Math.abs(value) > 2 ** 32 : typeof value === "bigint" && (value > 2n ** 32n || value < -(2n ** 32n)))
    text = text.replaceAll(/\B(?=(\d{3})+$)/g, "_");
  if (typeof value === "bigint") text += "n";
  return codeError(RangeError, "ERR_OUT_OF_RANGE", `The value of "${name}" is out of range. It must be ${range}. Received ${text}`);
}

/** The host calls this to create an error here. */
export function makeError(kind, code, message) {
  const Base = kind === "TypeError" ? TypeError : kind === "RangeError" ? RangeError : kind === "SyntaxError" ? SyntaxError : Error;
  if (code?.startsWith("ERR_")) return codeError(Base, code, message);
  const error = new Base(message);
  if (code) error.code = code;
  return error;
}
