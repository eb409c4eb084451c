// Derives keys from passwords and from other keys.
import { toBuffer } from "./buffer.js";
import { codeError, invalidArgType } from "./errors.js";
import { host } from "./host.js";

function bytesOf(name, value) {
  if (typeof value !== "string" && !(value instanceof ArrayBuffer) && !ArrayBuffer.isView(value) && typeof value?.export !== "function")
    throw invalidArgType(name, "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView", value);
  return toBuffer(typeof value.export === "function" ? value.export() : value);
}

function scryptSync(password, salt, length, options = {}) {
  const [key, mixed] = [bytesOf("password", password), bytesOf("salt", salt)];
  const cost = options.cost ?? options.N ?? 16_384;
  const blockSize = options.blockSize ?? options.r ?? 8;
  const parallelization = options.parallelization ?? options.p ?? 1;
  const wrong = (why) => codeError(RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", `Invalid scrypt params${why}`);
  if (!(cost > 1) || (cost & (cost - 1)) !== 0) throw wrong("");
  if (128 * cost * blockSize > (options.maxmem ?? 32 * 1024 * 1024))
    throw wrong(": error:030000AC:digital envelope routines::memory limit exceeded");
  return length === 0 ? toBuffer("") : toBuffer(host("scrypt", key, mixed, cost, blockSize, parallelization, length));
}

const sizes = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

function hkdfSync(digest, key, salt, info, length) {
  const size = sizes[String(digest).toLowerCase().replace("-", "")];
  if (size === undefined) throw codeError(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${digest}`);
  const given = [bytesOf("ikm", key), bytesOf("salt", salt), bytesOf("info", info)];
  if (length > 255 * size) throw codeError(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  return new Uint8Array(length === 0 ? 0 : host("hkdf", digest, ...given, length)).buffer;
}

/** Wraps a function with a callback. Invalid arguments throw. */
const later =
  (run) =>
  (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
    const key = run(...args);
    globalThis.setImmediate(() => callback(null, key));
  };

export const derivations = { scryptSync, scrypt: later(scryptSync), hkdfSync, hkdf: later(hkdfSync) };
