import { host } from "./host.js";
import { codeError, invalidArgType } from "./errors.js";
import { inspect } from "./util.js";
import { legacyFormat, legacyParse, legacyResolve, Url } from "./url-legacy.js";

const custom = Symbol.for("nodejs.util.inspect.custom");
const decodePart = (text) => {
  const plain = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(plain);
  } catch {
    // Not every % begins an escape; the platform decides how to decode it.
    const bytes = [];
    const encoded = host("encode", plain);
    for (let at = 0; at < encoded.length; at++) {
      const hex = encoded[at] === 0x25 ? /^[\da-f]{2}$/i.exec(String.fromCharCode(encoded[at + 1] ?? 0, encoded[at + 2] ?? 0)) : null;
      if (hex) {
        bytes.push(Number.parseInt(hex[0], 16));
        at += 2;
      } else bytes.push(encoded[at]);
    }
    return host("decode", Uint8Array.from(bytes), null, false, true);
  }
};
const encodePart = (text) =>
  encodeURIComponent(String(text).toWellFormed())
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export class URLSearchParams {
  #list = [];
  #changed = null;
  constructor(init) {
    if (init === undefined || init === null || init === "") return;
    if (typeof init === "object" || typeof init === "function") {
      if (typeof init[Symbol.iterator] === "function")
        for (const pair of init) {
          if (pair === null || typeof pair !== "object" || typeof pair[Symbol.iterator] !== "function" || [...pair].length !== 2)
            throw codeError(TypeError, "ERR_INVALID_TUPLE", "Each query pair must be an iterable [name, value] tuple");
          const [name, value] = pair;
          this.#list.push([String(name), String(value)]);
        }
      else for (const [name, value] of Object.entries(init)) this.#list.push([name, String(value)]);
    } else this.#parse(String(init));
  }
  #parse(text) {
    this.#list = [];
    for (const part of (text.startsWith("?") ? text.slice(1) : text).split("&")) {
      if (part === "") continue;
      const equals = part.indexOf("=");
      this.#list.push(equals < 0 ? [decodePart(part), ""] : [decodePart(part.slice(0, equals)), decodePart(part.slice(equals + 1))]);
    }
  }
  /** The parameters of a URL. `changed` is called after each change. */
  static of(text, changed) {
    const params = new URLSearchParams(text);
    params.#changed = changed;
    return params;
  }
  static refill(params, text) {
    params.#parse(text);
  }
  get size() {
    return this.#list.length;
  }
  append(name, value) {
    this.#list.push([String(name), String(value)]);
    this.#changed?.();
  }
  delete(name, value) {
    this.#list = this.#list.filter(([key, entry]) => key !== String(name) || (value !== undefined && entry !== String(value)));
    this.#changed?.();
  }
  get(name) {
    return this.#list.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name, value) {
    return this.#list.some(([key, entry]) => key === String(name) && (value === undefined || entry === String(value)));
  }
  set(name, value) {
    const at = this.#list.findIndex(([key]) => key === String(name));
    if (at < 0) this.#list.push([String(name), String(value)]);
    else {
      this.#list[at][1] = String(value);
      this.#list = this.#list.filter(([key], index) => index <= at || key !== String(name));
    }
    this.#changed?.();
  }
  sort() {
    this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#changed?.();
  }
  forEach(callback, self) {
    for (const [name, value] of this.#list) callback.call(self, value, name, this);
  }
  *entries() {
    for (const [name, value] of this.#list) yield [name, value];
  }
  *keys() {
    for (const [name] of this.#list) yield name;
  }
  *values() {
    for (const [, value] of this.#list) yield value;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  toString() {
    return this.#list.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
  }
  get [Symbol.toStringTag]() {
    return "URLSearchParams";
  }
  [custom](depth, options) {
    if (this.#list.length === 0) return "URLSearchParams {}";
    return `URLSearchParams { ${this.#list.map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`).join(", ")} }`;
  }
}

export class URL {
  #parts;
  #params = null;
  constructor(href, base) {
    const given = String(href);
    const parts = host("url.parse", given, base === undefined ? null : String(base));
    if (parts === null) {
      const error = codeError(TypeError, "ERR_INVALID_URL", "Invalid URL");
      error.input = given;
      if (base !== undefined) error.base = String(base);
      throw error;
    }
    this.#parts = JSON.parse(parts);
  }
  static canParse(href, base) {
    return host("url.parse", String(href), base === undefined ? null : String(base)) !== null;
  }
  static parse(href, base) {
    return URL.canParse(href, base) ? new URL(href, base) : null;
  }
  static get(url, part) {
    return url.#parts[part];
  }
  static set(url, part, value) {
    if (part === "href" && host("url.parse", String(value), null) === null) throw codeError(TypeError, "ERR_INVALID_URL", "Invalid URL");
    url.#parts = JSON.parse(host("url.set", url.#parts.href, part, String(value)));
    if (url.#params && (part === "search" || part === "href")) URLSearchParams.refill(url.#params, url.#parts.search);
  }
  get searchParams() {
    this.#params ??= URLSearchParams.of(this.#parts.search, () => {
      this.#parts = JSON.parse(host("url.set", this.#parts.href, "search", this.#params.toString()));
    });
    return this.#params;
  }
  toString() {
    return this.#parts.href;
  }
  toJSON() {
    return this.#parts.href;
  }
  static createObjectURL() {
    throw codeError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "URL.createObjectURL is not here");
  }
  [custom](depth, options) {
    if (depth < 0) return this.#parts.href;
    const shown = {};
    for (const part of ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search"])
      shown[part] = this.#parts[part];
    shown.searchParams = this.searchParams;
    shown.hash = this.#parts.hash;
    return `URL ${inspect(shown, options)}`;
  }
  get [Symbol.toStringTag]() {
    return "URL";
  }
}
const { get: getPart, set: setPart } = URL;
delete URL.get;
delete URL.set;
for (const part of ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"])
  Object.defineProperty(URL.prototype, part, {
    configurable: true,
    enumerable: true,
    get() {
      return getPart(this, part);
    },
    ...(part === "origin"
      ? {}
      : {
          set(value) {
            setPart(this, part, value);
          },
        }),
  });

export function fileURLToPath(given) {
  if (typeof given !== "string" && !(given instanceof URL)) throw invalidArgType("path", "of type string or an instance of URL", given);
  const url = typeof given === "string" ? new URL(given) : given;
  if (url.protocol !== "file:") throw codeError(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (url.hostname !== "") throw codeError(TypeError, "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on linux');
  if (/%2f/i.test(url.pathname))
    throw codeError(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  return decodeURIComponent(url.pathname);
}

export function pathToFileURL(path) {
  if (typeof path !== "string") throw invalidArgType("path", "of type string", path);
  const trailing = path.endsWith("/") && path !== "/";
  const kept = [];
  for (const part of (path.startsWith("/") ? path : `${process.cwd()}/${path}`).split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return new URL(host("module.url", `/${kept.join("/")}${trailing ? "/" : ""}`));
}

export function urlToHttpOptions(url) {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = url;
  return {
    __proto__: null,
    protocol,
    hostname: hostname?.startsWith("[") ? hostname.slice(1, -1) : hostname,
    hash,
    search,
    pathname,
    path: `${pathname || ""}${search || ""}`,
    href,
    ...(port ? { port: Number(port) } : {}),
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  };
}

const format = (given, options = {}) => {
  if (!(given instanceof URL)) return legacyFormat(given);
  const url = new URL(given.href);
  if (options.fragment === false) url.hash = "";
  if (options.search === false) url.search = "";
  if (options.auth === false) {
    url.username = "";
    url.password = "";
  }
  return url.href;
};

export default {
  Url,
  URL,
  URLSearchParams,
  domainToASCII: (domain) => (URL.canParse(`http://${domain}`) ? new URL(`http://${domain}`).hostname : ""),
  domainToUnicode: (domain) => domain,
  fileURLToPath,
  format,
  parse: legacyParse,
  pathToFileURL,
  resolve: legacyResolve,
  urlToHttpOptions,
};
