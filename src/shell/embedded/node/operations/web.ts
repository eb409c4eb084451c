import { md5, sha1 } from "@noble/hashes/legacy.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { parseEnvFile } from "../env-file.ts";
import { bytes, InsideError, number, type Operations, type Plain, text } from "../plain.ts";

const hashes = { md5, sha1, sha224, sha256, sha384, sha512 };

function hashOf(name: Plain | undefined): (typeof hashes)[keyof typeof hashes] {
  const wanted = text(name).toLowerCase().replace("-", "");
  for (const [known, hash] of Object.entries(hashes)) if (known === wanted) return hash;
  throw new InsideError("ERR_OSSL_EVP_UNSUPPORTED", "Digest method not supported");
}

/** Throws if there is no such encoding. */
function decoderOf(encoding: string, options?: TextDecoderOptions): TextDecoder {
  try {
    return new TextDecoder(encoding, options);
  } catch {
    throw new InsideError("ERR_ENCODING_NOT_SUPPORTED", `The "${encoding}" encoding is not supported`, "RangeError");
  }
}

const urlParts = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const;

function partsOf(url: URL): string {
  return JSON.stringify(Object.fromEntries(urlParts.map((part) => [part, url[part]])));
}

/** Operations that the platform does faster than QuickJS, or that QuickJS lacks. */
export const webOperations: Operations = {
  now: () => performance.now(),
  timeOrigin: () => performance.timeOrigin,
  random: (size) => {
    const filled = new Uint8Array(number(size));
    for (let at = 0; at < filled.length; at += 65_536) crypto.getRandomValues(filled.subarray(at, at + 65_536));
    return filled;
  },
  hash: (name, data) => hashOf(name)(bytes(data)),
  hmac: (name, key, data) => hmac(hashOf(name), bytes(key), bytes(data)),
  hkdf: (name, key, salt, info, length) => hkdf(hashOf(name), bytes(key), bytes(salt), bytes(info), number(length)),
  scrypt: (password, salt, cost, blockSize, parallelization, length) =>
    scrypt(bytes(password), bytes(salt), {
      N: number(cost),
      r: number(blockSize),
      p: number(parallelization),
      dkLen: number(length),
      // Node's own limit was checked before.
      maxmem: 2 ** 40,
    }),
  encode: (given) => new TextEncoder().encode(text(given)),
  /** The standard name of an encoding. */
  "decode.name": (encoding) => decoderOf(text(encoding)).encoding,
  /** Null: the bytes are invalid in that encoding, and `fatal` is set. Unknown encodings throw a RangeError. */
  decode: (data, encoding, fatal, keepMark) => {
    const decoder = decoderOf(encoding === null ? "utf-8" : text(encoding), { fatal: fatal === true, ignoreBOM: keepMark === true });
    try {
      return decoder.decode(bytes(data));
    } catch {
      throw new InsideError(
        "ERR_ENCODING_INVALID_ENCODED_DATA",
        `The encoded data was not valid for encoding ${decoder.encoding}`,
        "TypeError",
      );
    }
  },
  "env.parse": (content) => JSON.stringify(parseEnvFile(text(content))),
  /** Null: not a valid URL. */
  "url.parse": (href, base) => {
    try {
      return partsOf(base === null ? new URL(text(href)) : new URL(text(href), text(base)));
    } catch {
      // Null is the answer.
      return null;
    }
  },
  "url.set": (href, part, value) => {
    const url = new URL(text(href));
    const known = urlParts.find((name) => name === part);
    if (known === undefined || known === "origin") throw new InsideError("ERR_INTERNAL_ASSERTION", `a URL has no part ${text(part)}`);
    url[known] = text(value);
    return partsOf(url);
  },
};
