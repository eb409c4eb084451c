// fetch. A body is sent and comes as a whole; its stream has one piece.
import { Blob, Buffer, toBuffer } from "./buffer.js";
import { codeError, notHere } from "./errors.js";
import { ask } from "./loop.js";
import { URL, URLSearchParams } from "./url.js";
import { ReadableStream } from "./web-streams.js";

const token = /^[\w!#$%&'*+.^`|~-]+$/;

export class Headers {
  #map = new Map();
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
    this.#map.set(key, this.#map.has(key) ? `${this.#map.get(key)}, ${text}` : text);
  }
  set(name, value) {
    this.#map.set(this.#key(name), String(value).trim());
  }
  get(name) {
    return this.#map.get(this.#key(name)) ?? null;
  }
  has(name) {
    return this.#map.has(this.#key(name));
  }
  delete(name) {
    this.#map.delete(this.#key(name));
  }
  getSetCookie() {
    return this.#map.has("set-cookie") ? [this.#map.get("set-cookie")] : [];
  }
  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries() {
    yield* [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1));
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

export class FormData {
  #list = [];
  append(name, value) {
    this.#list.push([String(name), value instanceof Blob ? value : String(value)]);
  }
  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }
  delete(name) {
    this.#list = this.#list.filter(([key]) => key !== String(name));
  }
  get(name) {
    return this.#list.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#list.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name) {
    return this.#list.some(([key]) => key === String(name));
  }
  entries() {
    return this.#list.values();
  }
  [Symbol.iterator]() {
    return this.entries();
  }
}

async function bytesOf(body) {
  if (body === undefined || body === null) return { bytes: null, type: null };
  if (typeof body === "string") return { bytes: Buffer.from(body), type: "text/plain;charset=UTF-8" };
  if (body instanceof URLSearchParams)
    return { bytes: Buffer.from(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (body instanceof Blob) return { bytes: Buffer.from(await body.arrayBuffer()), type: body.type || null };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return { bytes: toBuffer(body), type: null };
  if (body instanceof FormData) {
    const boundary = `----formdata-${Math.random().toString(36).slice(2)}`;
    const parts = [];
    for (const [name, value] of body) {
      const file = value instanceof Blob;
      parts.push(
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${value.name ?? "blob"}"\r\nContent-Type: ${value.type || "application/octet-stream"}` : ""}\r\n\r\n`,
        ),
      );
      parts.push(file ? Buffer.from(await value.arrayBuffer()) : Buffer.from(value), Buffer.from("\r\n"));
    }
    parts.push(Buffer.from(`--${boundary}--\r\n`));
    return { bytes: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
  }
  if (typeof body[Symbol.asyncIterator] === "function") {
    const chunks = [];
    for await (const chunk of body) chunks.push(toBuffer(chunk));
    return { bytes: Buffer.concat(chunks), type: null };
  }
  return { bytes: Buffer.from(String(body)), type: "text/plain;charset=UTF-8" };
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
    return (await bytesOf(this.#given)).bytes ?? Buffer.alloc(0);
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
    throw notHere("formData() of a body is not here");
  }
  /** For a copy. */
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
    if (typeof body === "string" && !this.headers.has("content-type")) this.headers.set("content-type", "text/plain;charset=UTF-8");
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

const failed = (why, code) => new TypeError("fetch failed", { cause: Object.assign(new Error(why), { code }) });

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
  const { bytes, type } = await bytesOf(givenOf(request));
  if (type !== null && !request.headers.has("content-type")) request.headers.set("content-type", type);
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    ask(
      "fetch",
      (answer, body) => {
        if (answer.kind !== "answer") {
          reject(failed(answer.why, answer.kind === "refused" ? "EACCES" : "ECONNREFUSED"));
          return;
        }
        const redirected = answer.url !== request.url;
        if (redirected && request.redirect === "error") {
          reject(failed("unexpected redirect"));
          return;
        }
        const empty = answer.status === 204 || answer.status === 304;
        const response = new Response(empty ? null : toBuffer(body), {
          status: answer.status,
          statusText: answer.statusText,
          headers: answer.headers,
        });
        response.url = answer.url;
        response.redirected = redirected;
        response.type = "basic";
        resolve(response);
      },
      request.url,
      request.method,
      JSON.stringify([...request.headers]),
      bytes,
    );
  });
}

function dataResponse(url) {
  const match = /^data:([^,]*?)(;base64)?,(.*)$/s.exec(url);
  if (!match) throw failed("invalid data URL");
  const body = match[2] ? Buffer.from(decodeURIComponent(match[3]), "base64") : Buffer.from(decodeURIComponent(match[3]));
  return new Response(body, { headers: { "content-type": match[1] || "text/plain;charset=US-ASCII" } });
}
