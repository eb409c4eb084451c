import { absent } from "./absent.js";
import { Buffer, toBuffer } from "./buffer.js";
import { derivations } from "./key-derivation.js";
import { host } from "./host.js";
import { codeError, invalidArgType, notHere, outOfRange } from "./errors.js";
import { Transform } from "./stream.js";

const names = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
const shown = (bytes, encoding) => (encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding));
const known = (name) => {
  if (!names.includes(String(name).toLowerCase().replace("-", ""))) {
    const error = codeError(Error, "ERR_OSSL_EVP_UNSUPPORTED", "Digest method not supported");
    delete error.code;
    throw error;
  }
  return String(name);
};

/** A secret key, as far as possible without ciphers. */
class KeyObject {
  #bytes;
  constructor(type, bytes) {
    if (type !== "secret") throw notHere("crypto.KeyObject is here for secret keys alone");
    this.#bytes = Buffer.from(bytes);
  }
  get type() {
    return "secret";
  }
  get symmetricKeySize() {
    return this.#bytes.length;
  }
  export(options) {
    if (options?.format === "jwk") return { kty: "oct", k: this.#bytes.toString("base64url") };
    return Buffer.from(this.#bytes);
  }
  equals(other) {
    return other instanceof KeyObject && this.#bytes.equals(other.#bytes);
  }
}

function createSecretKey(key, encoding) {
  if (typeof key !== "string" && !(key instanceof ArrayBuffer) && !ArrayBuffer.isView(key))
    throw invalidArgType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView", key);
  return new KeyObject("secret", typeof key === "string" ? Buffer.from(key, encoding) : toBuffer(key));
}

class Digest extends Transform {
  #chunks = [];
  #done = false;
  update(data, encoding) {
    if (this.#done) throw codeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    if (typeof data !== "string" && !ArrayBuffer.isView(data))
      throw invalidArgType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
    this.#chunks.push(Buffer.from(toBuffer(data, encoding)));
    return this;
  }
  take() {
    return Buffer.concat(this.#chunks);
  }
  digest(encoding) {
    if (this.#done) throw codeError(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    this.#done = true;
    return shown(toBuffer(this.compute(this.take())), encoding);
  }
  _transform(chunk, encoding, callback) {
    this.update(chunk, encoding);
    callback();
  }
  _flush(callback) {
    this.push(this.digest());
    callback();
  }
}

class Hash extends Digest {
  #name;
  constructor(name, options) {
    super(options);
    this.#name = known(name);
  }
  compute(bytes) {
    return host("hash", this.#name, bytes);
  }
  copy() {
    const other = new Hash(this.#name);
    other.update(this.take());
    return other;
  }
}

class Hmac extends Digest {
  #name;
  #key;
  constructor(name, key, options) {
    super(options);
    this.#name = known(name);
    this.#key = toBuffer(key);
  }
  compute(bytes) {
    return host("hmac", this.#name, this.#key, bytes);
  }
}

function randomFillSync(target, offset = 0, size = target.byteLength - offset) {
  new Uint8Array(target.buffer ?? target, target.byteOffset ?? 0).subarray(offset, offset + size).set(host("random", size));
  return target;
}

function randomBytes(size, callback) {
  if (typeof size !== "number") throw invalidArgType("size", "of type number", size);
  if (!(size >= 0 && size <= 2 ** 31 - 1)) throw outOfRange("size", ">= 0 && <= 2147483647", size);
  const bytes = toBuffer(host("random", size));
  if (callback === undefined) return bytes;
  globalThis.setImmediate(() => callback(null, bytes));
  return undefined;
}

function randomInt(min, max, callback) {
  if (max === undefined || typeof max === "function") return randomInt(0, min, max);
  if (!Number.isSafeInteger(min)) throw invalidArgType("min", "a safe integer", min);
  if (!Number.isSafeInteger(max)) throw invalidArgType("max", "a safe integer", max);
  if (max <= min)
    throw codeError(
      RangeError,
      "ERR_OUT_OF_RANGE",
      `The value of "max" is out of range. It must be greater than the value of "min" (${min}). Received ${max}`,
    );
  const range = max - min;
  const limit = 2 ** 48 - (2 ** 48 % range);
  let value;
  do {
    value = toBuffer(host("random", 6)).readUIntBE(0, 6);
  } while (value >= limit);
  value = min + (value % range);
  if (callback) globalThis.setImmediate(() => callback(null, value));
  return callback ? undefined : value;
}

function randomUUID() {
  const bytes = toBuffer(host("random", 16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function timingSafeEqual(a, b) {
  if (a.byteLength !== b.byteLength)
    throw codeError(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
  return toBuffer(a).equals(toBuffer(b));
}

function pbkdf2Sync(password, salt, iterations, length, digest) {
  known(digest);
  const key = toBuffer(password);
  const blocks = [];
  for (let block = 1, total = 0; total < length; block++) {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(block);
    let u = toBuffer(host("hmac", digest, key, Buffer.concat([toBuffer(salt), index])));
    const sum = Buffer.from(u);
    for (let round = 1; round < iterations; round++) {
      u = toBuffer(host("hmac", digest, key, u));
      for (let at = 0; at < sum.length; at++) sum[at] ^= u[at];
    }
    blocks.push(sum);
    total += sum.length;
  }
  return Buffer.concat(blocks).subarray(0, length);
}

const webDigests = new Map([
  ["SHA-1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA-384", "sha384"],
  ["SHA-512", "sha512"],
]);

const subtle = {
  async digest(algorithm, data) {
    const name = String(algorithm?.name ?? algorithm).toUpperCase();
    if (!webDigests.has(name)) throw new DOMException("Unrecognized algorithm name", "NotSupportedError");
    return new Uint8Array(host("hash", webDigests.get(name), toBuffer(data))).buffer;
  },
};
for (const name of [
  "decrypt",
  "deriveBits",
  "deriveKey",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "unwrapKey",
  "verify",
  "wrapKey",
])
  subtle[name] = async () => {
    throw notHere(`crypto.subtle.${name} is not here; there is only digest`);
  };

export const crypto = {
  subtle,
  randomUUID,
  getRandomValues(view) {
    if (view.byteLength > 65_536) throw new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError");
    return randomFillSync(view);
  },
  [Symbol.toStringTag]: "Crypto",
};

const module = {
  createHash: (name, options) => new Hash(name, options),
  createHmac: (name, key, options) => new Hmac(name, key, options),
  hash: (name, data, encoding = "hex") => new Hash(name).update(data).digest(encoding),
  getHashes: () => ["RSA-MD5", "RSA-SHA1", ...names],
  getCiphers: () => [],
  getCurves: () => [],
  getRandomValues: crypto.getRandomValues,
  pbkdf2Sync,
  pbkdf2(...args) {
    const callback = args.pop();
    const key = pbkdf2Sync(...args);
    globalThis.setImmediate(() => callback(null, key));
  },
  ...derivations,
  randomBytes,
  pseudoRandomBytes: randomBytes,
  randomFillSync,
  randomFill(target, ...args) {
    const callback = args.pop();
    randomFillSync(target, ...args);
    globalThis.setImmediate(() => callback(null, target));
  },
  randomInt,
  randomUUID,
  timingSafeEqual,
  subtle,
  webcrypto: crypto,
  constants: {},
  Hash,
  Hmac,
  KeyObject,
  createSecretKey,
};
for (const name of "createCipheriv createDecipheriv createSign createVerify createDiffieHellman createECDH createPrivateKey createPublicKey generateKey generateKeySync generateKeyPair generateKeyPairSync sign verify publicEncrypt privateDecrypt checkPrime checkPrimeSync generatePrime generatePrimeSync diffieHellman".split(
  " ",
))
  module[name] = () => {
    throw notHere(`crypto.${name} is not here; there are hashes, hmac, pbkdf2, scrypt, hkdf and random values`);
  };
Object.assign(
  module,
  absent(
    "keys, ciphers and signatures are not here",
    "Certificate Cipher Cipheriv Decipher Decipheriv DiffieHellman DiffieHellmanGroup ECDH Sign Verify X509Certificate",
  ),
);

export default module;
