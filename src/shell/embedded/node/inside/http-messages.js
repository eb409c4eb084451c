// http's messages without a network: frameworks build on them and tests pass them around. Output goes to the assigned socket.
import { Buffer } from "./buffer.js";
import { codeError, invalidArgType } from "./errors.js";
import { nextTick } from "./loop.js";
import stream, { Readable } from "./stream.js";

const token = /^[\w!#$%&'*+.^`|~-]+$/;

export function validateHeaderName(name, label = "Header name") {
  if (typeof name !== "string" || !token.test(name))
    throw codeError(TypeError, "ERR_INVALID_HTTP_TOKEN", `${label} must be a valid HTTP token ["${name}"]`);
}

export function validateHeaderValue(name, value) {
  if (value === undefined) throw codeError(TypeError, "ERR_HTTP_INVALID_HEADER_VALUE", `Invalid value "${value}" for header "${name}"`);
  // oxlint-disable-next-line no-control-regex -- a header must not contain these.
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(String(value)))
    throw codeError(TypeError, "ERR_INVALID_CHAR", `Invalid character in header content ["${name}"]`);
}

export class IncomingMessage extends Readable {
  constructor(socket) {
    super();
    Object.assign(this, {
      socket,
      connection: socket,
      httpVersion: null,
      httpVersionMajor: null,
      httpVersionMinor: null,
      complete: false,
      headers: {},
      rawHeaders: [],
      trailers: {},
      rawTrailers: [],
      url: "",
      method: null,
      statusCode: null,
      statusMessage: null,
      aborted: false,
    });
  }
  _read() {}
  /** An unfinished message also ends its connection. Only listeners receive the error. */
  _destroy(error, callback) {
    if (!this.readableEnded || !this.complete) {
      this.aborted = true;
      this.emit("aborted");
      this.socket?.destroy?.();
    }
    nextTick(() => callback(this.listenerCount("error") === 0 ? null : error));
  }
  setTimeout() {
    return this;
  }
}

/** The error for a connection that ended in the middle of a message. */
export const connectionReset = (message = "aborted") => Object.assign(new Error(message), { code: "ECONNRESET" });

const Stream = stream.Stream ?? stream;

/** Whether a server's connection stays open after this response. */
export const keepsAlive = Symbol("keeps alive");

/** The state is stored on `this`, because frameworks insert their own prototypes. */
const state = Symbol("http message");

function stateOf(message) {
  message[state] ??= { headers: new Map(), chunks: [], socket: null, closed: false };
  return message[state];
}

/** Nothing more is sent. */
export function closeMessage(message) {
  stateOf(message).closed = true;
  message.destroyed = true;
  message.emit("close");
}

/* oxlint-disable oxc/no-this-in-exported-function -- a constructor that is called with a `this` created elsewhere. */
function OutgoingMessage() {
  Stream.call(this);
  Object.defineProperty(this, state, { value: { headers: new Map(), chunks: [], socket: null, closed: false }, writable: true });
  Object.assign(this, {
    headersSent: false,
    finished: false,
    writable: true,
    destroyed: false,
    sendDate: true,
    shouldKeepAlive: true,
    chunkedEncoding: false,
    useChunkedEncodingByDefault: true,
    _hasBody: true,
    socket: null,
    connection: null,
  });
}
/* oxlint-enable oxc/no-this-in-exported-function */
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

export { OutgoingMessage };

function beforeHead(message, what) {
  if (message.headersSent) throw codeError(Error, "ERR_HTTP_HEADERS_SENT", `Cannot ${what} headers after they are sent to the client`);
}

const methods = {
  setHeader(name, value) {
    beforeHead(this, "set");
    validateHeaderName(name);
    for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one);
    stateOf(this).headers.set(name.toLowerCase(), [name, value]);
    return this;
  },
  setHeaders(headers) {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  },
  appendHeader(name, value) {
    const there = this.getHeader(name);
    return this.setHeader(name, there === undefined ? value : [there, value].flat());
  },
  getHeader(name) {
    if (typeof name !== "string") throw invalidArgType("name", "of type string", name);
    return stateOf(this).headers.get(name.toLowerCase())?.[1];
  },
  hasHeader(name) {
    return stateOf(this).headers.has(String(name).toLowerCase());
  },
  removeHeader(name) {
    beforeHead(this, "remove");
    stateOf(this).headers.delete(String(name).toLowerCase());
  },
  getHeaderNames() {
    return [...stateOf(this).headers.keys()];
  },
  getRawHeaderNames() {
    return [...stateOf(this).headers.values()].map(([name]) => name);
  },
  getHeaders() {
    return Object.assign(Object.create(null), Object.fromEntries([...stateOf(this).headers].map(([key, [, value]]) => [key, value])));
  },
  flushHeaders() {
    if (!this.headersSent) this._implicitHeader();
  },
  _implicitHeader() {
    throw codeError(Error, "ERR_METHOD_NOT_IMPLEMENTED", "The _implicitHeader() method is not implemented");
  },
  write(chunk, encodingOrCallback, maybeCallback) {
    const callback = typeof encodingOrCallback === "function" ? encodingOrCallback : maybeCallback;
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array))
      throw invalidArgType("chunk", "of type string or an instance of Buffer or Uint8Array", chunk);
    if (this.finished) {
      const error = codeError(Error, "ERR_STREAM_WRITE_AFTER_END", "write after end");
      nextTick(() => {
        this.emit("error", error);
        callback?.(error);
      });
      return false;
    }
    if (this.destroyed) {
      if (callback) nextTick(callback, codeError(Error, "ERR_STREAM_DESTROYED", "Cannot call write after a stream was destroyed"));
      return false;
    }
    if (!this.headersSent) this._implicitHeader();
    const bytes =
      typeof chunk === "string" ? Buffer.from(chunk, typeof encodingOrCallback === "string" ? encodingOrCallback : "utf8") : chunk;
    if (this._hasBody && bytes.length > 0) this._send(this.chunkedEncoding ? chunked(bytes) : bytes);
    if (callback) nextTick(callback);
    return true;
  },
  end(chunk, encoding, maybeCallback) {
    const callback = [chunk, encoding, maybeCallback].find((one) => typeof one === "function");
    if (this.finished) {
      if (callback) nextTick(callback);
      return this;
    }
    if (this.destroyed) {
      this.finished = true;
      return this;
    }
    const last = typeof chunk === "function" ? undefined : chunk;
    if (!this.headersSent) {
      if (!this.hasHeader("content-length") && !this.hasHeader("transfer-encoding"))
        this._contentLength =
          last === undefined || last === null ? 0 : Buffer.byteLength(last, typeof encoding === "string" ? encoding : "utf8");
      this._implicitHeader();
    }
    if (last !== undefined && last !== null) this.write(last, typeof encoding === "string" ? encoding : undefined);
    if (this.chunkedEncoding && this._hasBody) this._send(Buffer.from("0\r\n\r\n"));
    this.finished = true;
    if (callback) this.once("finish", callback);
    nextTick(() => {
      this.emit("prefinish");
      this.emit("finish");
    });
    return this;
  },
  _send(bytes) {
    const own = stateOf(this);
    if (own.socket) own.socket.write(bytes);
    else own.chunks.push(bytes);
  },
  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    const { socket } = stateOf(this);
    if (socket) {
      // The socket ends with the message.
      socket.destroy(error);
      return this;
    }
    nextTick(() => {
      if (error) this.emit("error", error);
      closeMessage(this);
    });
    return this;
  },
  setTimeout(_ms, callback) {
    if (callback) this.once("timeout", callback);
    return this;
  },
  cork() {},
  uncork() {},
  addTrailers() {},
};
Object.assign(OutgoingMessage.prototype, methods);
for (const name of Object.keys(methods)) Object.defineProperty(OutgoingMessage.prototype, name, { enumerable: false });
for (const [name, get] of Object.entries({
  closed() {
    return stateOf(this).closed;
  },
  writableEnded() {
    return this.finished;
  },
  writableFinished() {
    return this.finished;
  },
  writableLength: () => 0,
  writableHighWaterMark: () => 16384,
  writableCorked: () => 0,
  writableObjectMode: () => false,
}))
  Object.defineProperty(OutgoingMessage.prototype, name, { configurable: true, get });

const chunked = (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

/** Sends a response that comes before the final one. */
function writeInterim(response, status, headers, callback) {
  beforeHead(response, "write");
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  response._send(Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`, "latin1"));
  if (callback) nextTick(callback);
}

/** A function rather than a class, because code built on it calls it with its own `this`. */
export function serverResponse(statusCodes) {
  function ServerResponse(request) {
    OutgoingMessage.call(this);
    this.req = request;
    this.statusCode = 200;
    this.statusMessage = undefined;
    this._hasBody = request?.method !== "HEAD";
  }
  Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
  Object.setPrototypeOf(ServerResponse, OutgoingMessage);
  const own = {
    assignSocket(socket) {
      const mine = stateOf(this);
      mine.socket = socket;
      this.socket = socket;
      this.connection = socket;
      for (const bytes of mine.chunks.splice(0)) socket.write(bytes);
      this.emit("socket", socket);
    },
    detachSocket() {
      stateOf(this).socket = null;
      this.socket = null;
      this.connection = null;
    },
    writeContinue(callback) {
      writeInterim(this, "100 Continue", [], callback);
    },
    writeProcessing(callback) {
      writeInterim(this, "102 Processing", [], callback);
    },
    writeEarlyHints({ link, ...more }, callback) {
      const links = [link ?? []].flat();
      if (links.length > 0) writeInterim(this, "103 Early Hints", [["Link", links.join(", ")], ...Object.entries(more)], callback);
    },
    _implicitHeader() {
      this.writeHead(this.statusCode);
    },
    writeHead(status, reasonOrHeaders, maybeHeaders) {
      beforeHead(this, "write");
      const code = status | 0;
      if (code < 100 || code > 999) throw codeError(RangeError, "ERR_HTTP_INVALID_STATUS_CODE", `Invalid status code: ${status}`);
      const headers = typeof reasonOrHeaders === "string" ? maybeHeaders : (maybeHeaders ?? reasonOrHeaders);
      if (typeof reasonOrHeaders === "string") this.statusMessage = reasonOrHeaders;
      this.statusMessage ??= statusCodes[code] ?? "unknown";
      this.statusCode = code;
      if (Array.isArray(headers)) {
        const flat = headers.flat();
        for (let at = 0; at < flat.length; at += 2) this.setHeader(flat[at], flat[at + 1]);
      } else for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) this.setHeader(name, value);
      if (code === 204 || code === 304 || code < 200) this._hasBody = false;
      if (this.sendDate && !this.hasHeader("date")) this.setHeader("Date", new Date().toUTCString());
      if (!this.hasHeader("connection")) {
        this.setHeader("Connection", this[keepsAlive] ? "keep-alive" : "close");
        const seconds = Math.floor((this.socket?.server?.keepAliveTimeout ?? 5000) / 1000);
        if (this[keepsAlive] && seconds > 0) this.setHeader("Keep-Alive", `timeout=${seconds}`);
      }
      if (!this.hasHeader("content-length") && !this.hasHeader("transfer-encoding") && this._hasBody) {
        if (this._contentLength !== undefined) this.setHeader("Content-Length", String(this._contentLength));
        else {
          this.setHeader("Transfer-Encoding", "chunked");
          this.chunkedEncoding = true;
        }
      }
      const lines = [...stateOf(this).headers.values()].flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`));
      this.headersSent = true;
      this._header = `HTTP/1.1 ${code} ${this.statusMessage}\r\n${lines.join("")}\r\n`;
      this._send(Buffer.from(this._header, "latin1"));
      return this;
    },
  };
  Object.assign(ServerResponse.prototype, own);
  for (const name of Object.keys(own)) Object.defineProperty(ServerResponse.prototype, name, { enumerable: false });
  return ServerResponse;
}
