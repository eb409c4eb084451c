// fetch. A body is sent and received as a whole; its stream has a single chunk.
import { isOwnHost } from "../../loopback/own-host.ts";
import { Blob, Buffer, toBuffer } from "./buffer.js";
import { codeError, notHere } from "./errors.js";
import { boundaryOf, FormData, multipart, readMultipart } from "./form-data.js";
import { host } from "./host.js";
import { ask } from "./loop.js";
import { URL, URLSearchParams } from "./url.js";
import { ReadableStream } from "./web-streams.js";
import zlib from "./zlib.js";

export { FormData };

const token = /^[\w!#$%&'*+.^`|~-]+$/;

export class Headers {
  #map = new Map();
  /** Each cookie stays a separate header. */
  #cookies = [];
  constructor(init) {
    if (init === undefined || init === null) return;
    const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const [name, value] of pairs) this.append(name, value);
  }
  #key(name) {
    if (!token.test(String(name))) throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `Headers: ${name} is an invalid header name.`);
    return String(name).toLowerCase();
  }
  append(name, value) {
    const key = this.#key(name);
    const text = String(value).trim();
    if (key === "set-cookie") this.#cookies.push(text);
    this.#map.set(key, this.#map.has(key) ? `${this.#map.get(key)}, ${text}` : text);
  }
  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }
  get(name) {
    return this.#map.get(this.#key(name)) ?? null;
  }
  has(name) {
    return this.#map.has(this.#key(name));
  }
  delete(name) {
    const key = this.#key(name);
    this.#map.delete(key);
    if (key === "set-cookie") this.#cookies = [];
  }
  getSetCookie() {
    return [...this.#cookies];
  }
  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries() {
    for (const [name, value] of [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (name === "set-cookie") for (const cookie of this.#cookies) yield [name, cookie];
      else yield [name, value];
  }
  *keys() {
    for (const [name] of this.entries()) yield name;
  }
  *values() {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  get [Symbol.toStringTag]() {
    return "Headers";
  }
}

/** The default content type of a body. */
function typeOf(body) {
  if (typeof body === "string") return "text/plain;charset=UTF-8";
  if (body instanceof URLSearchParams) return "application/x-www-form-urlencoded;charset=UTF-8";
  if (body instanceof Blob) return body.type || null;
  if (body instanceof FormData) return `multipart/form-data; boundary=${boundaryOf(body)}`;
  const isOther =
    body === undefined ||
    body === null ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    typeof body[Symbol.asyncIterator] === "function";
  return isOther ? null : "text/plain;charset=UTF-8";
}

async function bytesOf(body) {
  if (body === undefined || body === null) return null;
  if (body instanceof Blob) return Buffer.from(await body.arrayBuffer());
  if (body instanceof FormData) return multipart(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return toBuffer(body);
  if (typeof body !== "string" && typeof body[Symbol.asyncIterator] === "function") {
    const chunks = [];
    for await (const chunk of body) chunks.push(toBuffer(chunk));
    return Buffer.concat(chunks);
  }
  return Buffer.from(String(body));
}

class Body {
  #given;
  #used = false;
  #stream = null;
  constructor(given) {
    this.#given = given;
  }
  get bodyUsed() {
    return this.#used;
  }
  get body() {
    if (this.#given === undefined || this.#given === null) return null;
    this.#stream ??=
      this.#given instanceof ReadableStream
        ? this.#given
        : new ReadableStream(
            {
              pull: async (controller) => {
                const bytes = await this.#take();
                if (bytes.length > 0) controller.enqueue(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
                controller.close();
              },
            },
            { highWaterMark: 0 },
          );
    return this.#stream;
  }
  async #take() {
    if (this.#used || (this.#stream?.locked === true && this.#given === this.#stream))
      throw new TypeError("Body is unusable: Body has already been read");
    this.#used = true;
    return (await bytesOf(this.#given)) ?? Buffer.alloc(0);
  }
  async text() {
    return (await this.#take()).toString();
  }
  async json() {
    return JSON.parse((await this.#take()).toString());
  }
  async arrayBuffer() {
    return new Uint8Array(await this.#take()).buffer;
  }
  async bytes() {
    return new Uint8Array(await this.#take());
  }
  async blob() {
    return new Blob([await this.#take()], { type: this.headers.get("content-type") ?? "" });
  }
  async formData() {
    const type = this.headers.get("content-type") ?? "";
    if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
      const form = new FormData();
      for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value);
      return form;
    }
    if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
      throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
    return readMultipart(type, await this.#take());
  }
  /** Returns the unread body for a copy. */
  static given(body) {
    if (body.#used) throw new TypeError("Body has already been consumed.");
    return body.#given;
  }
}
const { given: givenOf } = Body;

export class Request extends Body {
  constructor(input, init = {}) {
    const from = input instanceof Request ? input : null;
    super(init.body ?? (from ? givenOf(from) : undefined));
    this.url = from ? from.url : new URL(String(input)).href;
    this.method = String(init.method ?? from?.method ?? "GET").toUpperCase();
    this.headers = new Headers(init.headers ?? from?.headers);
    const type = typeOf(init.body);
    if (type !== null && !this.headers.has("content-type")) this.headers.set("content-type", type);
    this.redirect = init.redirect ?? from?.redirect ?? "follow";
    this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
    if ((this.method === "GET" || this.method === "HEAD") && init.body !== undefined && init.body !== null)
      throw new TypeError("Request with GET/HEAD method cannot have body.");
  }
  clone() {
    return new Request(this, { body: givenOf(this) ?? undefined });
  }
}

export class Response extends Body {
  constructor(body, init = {}) {
    super(body);
    const { status = 200, statusText = "", headers } = init ?? {};
    if (status < 200 || status > 599) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    this.status = status;
    this.statusText = statusText;
    this.headers = new Headers(headers);
    const type = typeOf(body);
    if (type !== null && !this.headers.has("content-type")) this.headers.set("content-type", type);
    this.type = "default";
    this.url = "";
    this.redirected = false;
  }
  get ok() {
    return this.status >= 200 && this.status < 300;
  }
  clone() {
    const copy = new Response(givenOf(this), { status: this.status, statusText: this.statusText, headers: this.headers });
    copy.url = this.url;
    return copy;
  }
  static json(value, init = {}) {
    const response = new Response(JSON.stringify(value), init);
    if (!new Headers(init.headers).has("content-type")) response.headers.set("content-type", "application/json");
    return response;
  }
  static error() {
    throw notHere("Response.error() is not here");
  }
  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: String(url) } });
  }
}

const failed = (why, code) => new TypeError("fetch failed", { cause: Object.assign(new Error(why), code === undefined ? {} : { code }) });

/** The headers that Node itself sends to servers. For other hosts the browser decides. */
const saidToServers = [
  ["accept-language", "*"],
  ["sec-fetch-mode", "cors"],
  ["user-agent", "node"],
  ["accept-encoding", "gzip, deflate"],
];

const isOwn = (url) => {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && isOwnHost(hostname);
};

/** Decodes the answer of one of the dialog's servers, which does not go through the browser. */
function decoded(bytes, encodings) {
  let plain = toBuffer(bytes);
  for (const encoding of encodings
    .toLowerCase()
    .split(",")
    .map((one) => one.trim())
    .toReversed())
    if (encoding === "gzip" || encoding === "x-gzip") plain = zlib.gunzipSync(plain);
    else if (encoding === "deflate") plain = (plain[0] & 15) === 8 ? zlib.inflateSync(plain) : zlib.inflateRawSync(plain);
    else break;
  return plain;
}

export async function fetch(input, init) {
  let request;
  try {
    request = new Request(input, init);
  } catch (error) {
    if (error.code === "ERR_INVALID_URL") throw Object.assign(new TypeError(`Failed to parse URL from ${String(input)}`, { cause: error }));
    throw error;
  }
  const { protocol } = new URL(request.url);
  if (protocol === "data:") return dataResponse(request.url);
  if (protocol !== "http:" && protocol !== "https:") throw failed("unknown scheme", "ERR_INVALID_URL_SCHEME");
  const { signal } = request;
  if (signal.aborted) throw signal.reason;
  const bytes = await bytesOf(givenOf(request));
  const headers = [...request.headers];
  if (isOwn(request.url)) headers.push(...saidToServers.filter(([name]) => !request.headers.has(name)));
  return new Promise((resolve, reject) => {
    let id = 0;
    const abort = () => {
      if (id !== 0) host("fetch.abort", id);
      reject(signal.reason);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener("abort", abort, { once: true });
    id = ask(
      "fetch",
      (answer, body) => {
        signal.removeEventListener("abort", abort);
        try {
          resolve(responseOf(request, answer, body));
        } catch (error) {
          reject(error);
        }
      },
      request.url,
      request.method,
      JSON.stringify(headers),
      bytes,
      request.redirect === "follow",
    );
  });
}

const redirects = new Set([301, 302, 303, 307, 308]);

function responseOf(request, answer, body) {
  if (answer.isEmpty) throw failed("other side closed", "UND_ERR_SOCKET");
  if (answer.kind !== "answer") throw failed(answer.why, answer.kind === "refused" && !isOwn(request.url) ? "EACCES" : "ECONNREFUSED");
  if (request.redirect === "error" && redirects.has(answer.status)) throw failed("unexpected redirect");
  const encodings = answer.headers.find(([name]) => name === "content-encoding")?.[1];
  const empty = answer.status === 204 || answer.status === 304;
  let plain = body;
  if (encodings !== undefined && body.length > 0 && isOwn(answer.url))
    try {
      plain = decoded(body, encodings);
    } catch (cause) {
      throw new TypeError("terminated", { cause });
    }
  const response = new Response(empty ? null : toBuffer(plain), {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  });
  response.url = answer.url;
  response.redirected = answer.url !== request.url;
  response.type = "basic";
  return response;
}

function dataResponse(url) {
  const match = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url);
  if (!match) throw failed("invalid data URL");
  const body = match[2] ? Buffer.from(decodeURIComponent(match[3]), "base64") : Buffer.from(decodeURIComponent(match[3]));
  return new Response(body, { headers: { "content-type": match[1] || "text/plain;charset=US-ASCII" } });
}
