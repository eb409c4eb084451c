// Requests of http and https: to a port of the dialog over a socket, to other machines with fetch.
import { httpParser } from "../../loopback/http-parser.ts";
import { isOwnHost } from "../../loopback/own-host.ts";
import { Buffer, toBuffer } from "./buffer.js";
import { codeError } from "./errors.js";
import EventEmitter from "./events.js";
import { closeMessage, connectionReset, IncomingMessage, OutgoingMessage } from "./http-messages.js";
import { takeHeaders } from "./http-server.js";
import { ask, nextTick } from "./loop.js";
import { Socket } from "./net.js";
import { URL } from "./url.js";

export class Agent extends EventEmitter {
  constructor(options = {}) {
    super();
    Object.assign(
      this,
      { options, maxSockets: Infinity, maxFreeSockets: 256, keepAlive: false, sockets: {}, freeSockets: {}, requests: {} },
      options,
    );
    this.defaultPort = 80;
    this.protocol = "http:";
  }
  destroy() {}
  getName({ host = "localhost", port = "" } = {}) {
    return `${host}:${port}:`;
  }
}

export class HttpsAgent extends Agent {
  constructor(options) {
    super(options);
    this.defaultPort = 443;
    this.protocol = "https:";
  }
}

function optionsOf(protocol, [first, second, third]) {
  const callback = [first, second, third].find((each) => typeof each === "function");
  const isAddress = typeof first === "string" || isUrl(first);
  const own = (isAddress ? second : first) ?? {};
  const options = typeof own === "function" ? {} : { ...own };
  if (!isAddress) return { protocol, ...withoutUndefined(options), callback };
  const url = new URL(String(first.href ?? first));
  return {
    // Properties that the program added to the object.
    ...(typeof first === "object" && first),
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
    ...(url.username !== "" && { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` }),
    ...withoutUndefined(options),
    callback,
  };
}

/** A WHATWG URL, of this or another library. The result of `url.parse` is not one: it is used as the options. */
const isUrl = (given) => Boolean(given?.href && given.protocol) && given.auth === undefined && given.path === undefined;

const withoutUndefined = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/* oxlint-disable oxc/no-this-in-exported-function -- a constructor, like OutgoingMessage. */
function ClientRequest(protocol, given) {
  OutgoingMessage.call(this);
  const options = optionsOf(protocol, given);
  if (options.protocol !== protocol)
    throw codeError(TypeError, "ERR_INVALID_PROTOCOL", `Protocol "${options.protocol}" not supported. Expected "${protocol}"`);
  const hostname = options.hostname ?? String(options.host ?? "localhost").replace(/:\d+$/, "");
  const port = Number(options.port ?? options.defaultPort ?? (protocol === "https:" ? 443 : 80));
  const path = options.path || "/";
  if (/[^\u0021-\u00ff]/.test(path)) throw codeError(TypeError, "ERR_UNESCAPED_CHARACTERS", "Request path contains unescaped characters");
  Object.assign(this, {
    method: String(options.method || "GET").toUpperCase(),
    path,
    host: hostname,
    protocol,
    agent: options.agent ?? null,
    aborted: false,
    reusedSocket: false,
    res: null,
    sendDate: false,
    timeoutMs: options.timeout ?? 0,
  });
  if (Array.isArray(options.headers)) {
    const flat = options.headers.flat();
    for (let at = 0; at < flat.length; at += 2) this.setHeader(flat[at], flat[at + 1]);
  } else for (const [name, value] of Object.entries(options.headers ?? {})) if (value !== undefined) this.setHeader(name, value);
  const usual = port === (protocol === "https:" ? 443 : 80);
  if (!this.hasHeader("host") && options.setHost !== false)
    this.setHeader("Host", `${hostname.includes(":") ? `[${hostname}]` : hostname}${usual ? "" : `:${port}`}`);
  if (options.auth !== undefined && options.auth !== null && !this.hasHeader("authorization"))
    this.setHeader("Authorization", `Basic ${Buffer.from(options.auth).toString("base64")}`);
  if (options.callback) this.once("response", options.callback);
  const own = protocol === "http:" && isOwnHost(hostname);
  this.way = own ? overSocket(this, port, hostname, options) : overFetch(this, protocol, hostname, usual ? "" : `:${port}`);
  if (this.timeoutMs > 0) this.setTimeout(this.timeoutMs);
  options.signal?.addEventListener(
    "abort",
    () => this.destroy(Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" })),
    {
      once: true,
    },
  );
} /* oxlint-enable oxc/no-this-in-exported-function */

export { ClientRequest };
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

/** Whether the program has been told the request's socket. Before that, `abort` causes no error. */
const assigned = Symbol("assigned");
const bodyless = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

Object.assign(ClientRequest.prototype, {
  _implicitHeader() {
    if (this.way.plain) {
      this.headersSent = true;
      return;
    }
    if (!this.hasHeader("content-length") && !this.hasHeader("transfer-encoding")) {
      if (this._contentLength === undefined) {
        if (!bodyless.has(this.method) || !this.finished) {
          this.setHeader("Transfer-Encoding", "chunked");
          this.chunkedEncoding = true;
        }
      } else if (this._contentLength > 0 || !bodyless.has(this.method)) this.setHeader("Content-Length", String(this._contentLength));
    } else if (/chunked/i.test(String(this.getHeader("transfer-encoding") ?? ""))) this.chunkedEncoding = true;
    if (!this.hasHeader("connection")) this.setHeader("Connection", "keep-alive");
    this.headersSent = true;
    const lines = Object.entries(this.getHeaders()).flatMap(([key, value]) => {
      const name = this.getRawHeaderNames().find((each) => each.toLowerCase() === key) ?? key;
      return [value].flat().map((one) => `${name}: ${one}\r\n`);
    });
    this._header = `${this.method} ${this.path} HTTP/1.1\r\n${lines.join("")}\r\n`;
    this._send(Buffer.from(this._header, "latin1"));
  },
  _send(bytes) {
    this.way.send(bytes);
  },
  end(...given) {
    if (this.finished) return this;
    OutgoingMessage.prototype.end.apply(this, given);
    this.way.end();
    return this;
  },
  abort() {
    this.aborted = true;
    nextTick(() => this.emit("abort"));
    this.destroy();
  },
  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    globalThis.clearTimeout(this.timer);
    this.way.stop();
    if (this.res && !this.res.complete) this.res.destroy(connectionReset());
    const quiet = this.aborted && !this[assigned];
    nextTick(() => {
      if (error || (this.res === null && !quiet)) this.emit("error", error ?? connectionReset("socket hang up"));
      closeMessage(this);
    });
    return this;
  },
  setTimeout(ms, callback) {
    if (callback) this.once("timeout", callback);
    globalThis.clearTimeout(this.timer);
    if (ms > 0) this.timer = globalThis.setTimeout(() => this.emit("timeout"), ms).unref();
    return this;
  },
  setNoDelay() {},
  setSocketKeepAlive() {},
  onSocket() {},
});

const statusOf = ({ status, statusText, version }) => ({
  statusCode: status,
  statusMessage: statusText,
  httpVersion: version,
  httpVersionMajor: Number(version[0]),
  httpVersionMinor: Number(version.slice(2)),
});

/** The value of an `information` event. */
function headOf(head) {
  const information = { ...statusOf(head), headers: {}, rawHeaders: [] };
  takeHeaders(information, head.headers);
  return information;
}

/** The response has arrived; its body follows by `push`. */
function respond(request, head, socket) {
  const response = new IncomingMessage(socket);
  Object.assign(response, { ...statusOf(head), req: request });
  takeHeaders(response, head.headers);
  request.res = response;
  globalThis.clearTimeout(request.timer);
  return response;
}

function complete(request, response) {
  response.complete = true;
  response.push(null);
  response.once("end", () => nextTick(() => closeMessage(request)));
}

function overSocket(request, port, hostname, options) {
  const socket = new Socket({ allowHalfOpen: false });
  let response = null;
  let upgrade = false;
  let isOver = false;
  let rest = [];
  const parser = httpParser("response", {
    interim(head) {
      if (head.status === 100) request.emit("continue");
      request.emit("information", headOf(head));
    },
    head(head) {
      response = respond(request, head, socket);
      if (head.status === 101) {
        upgrade = true;
        return "upgrade";
      }
      // If no one wants the response, its body is discarded.
      if (!request.emit("response", response)) response.resume();
      return request.method === "HEAD" || head.status === 204 || head.status === 304 ? "none" : "body";
    },
    data: (bytes) => void response.push(Buffer.from(bytes)),
    done() {
      complete(request, response);
      socket.end();
    },
    raw: (bytes) => void rest.push(Buffer.from(bytes)),
    fail: (why) => isOver || request.destroy(Object.assign(new Error(`Parse Error: ${why}`), { code: "HPE_INVALID_CONSTANT" })),
  });
  const hear = (bytes) => {
    parser.push(bytes);
    if (!upgrade) return;
    socket.off("data", hear);
    socket.off("close", closed);
    upgrade = false;
    if (!request.emit("upgrade", response, socket, Buffer.concat(rest))) socket.destroy();
    rest = [];
  };
  const closed = () => {
    isOver = true;
    if (response === null) request.destroy();
    else if (!response.complete) {
      parser.end();
      if (response.complete) return;
      response.destroy(connectionReset());
    }
  };
  socket.on("data", hear);
  socket.on("close", closed);
  socket.on("error", (error) => request.destroy(error));
  request.socket = socket;
  request.connection = socket;
  socket.connect({ port, host: hostname });
  nextTick(() => {
    request[assigned] = true;
    request.emit("socket", socket);
  });
  if (options.onSocket) options.onSocket(socket);
  return { plain: false, send: (bytes) => socket.write(bytes), end() {}, stop: () => socket.destroy() };
}

/** The browser decodes responses, so these headers no longer apply. */
const decoded = new Set(["content-encoding", "content-length", "transfer-encoding"]);

function overFetch(request, protocol, hostname, port) {
  const chunks = [];
  let stopped = false;
  return {
    plain: true,
    send: (bytes) => void chunks.push(bytes),
    stop: () => void (stopped = true),
    end() {
      const headers = Object.entries(request.getHeaders()).flatMap(([name, value]) =>
        /^(host|connection|content-length|transfer-encoding|accept-encoding|user-agent|keep-alive)$/.test(name)
          ? []
          : [value].flat().map((one) => [name, String(one)]),
      );
      const body = Buffer.concat(chunks);
      ask(
        "fetch",
        (answer, bytes) => {
          if (stopped) return;
          if (answer.kind !== "answer") {
            const code = answer.kind === "refused" ? "EACCES" : "ECONNREFUSED";
            request.destroy(Object.assign(new Error(answer.why), { code, syscall: "connect" }));
            return;
          }
          const told = answer.headers.filter(([name]) => !decoded.has(name));
          const response = respond(request, { ...answer, version: "1.1", headers: told }, null);
          if (!request.emit("response", response)) response.resume();
          if (bytes.length > 0) response.push(toBuffer(bytes));
          complete(request, response);
        },
        `${protocol}//${hostname}${port}${request.path}`,
        request.method,
        JSON.stringify(headers),
        body.length > 0 ? body : null,
        false,
      );
    },
  };
}
