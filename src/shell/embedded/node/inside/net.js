// Sockets between the programs of one dialog. A port leads nowhere else.
import { isOwnHost } from "../../loopback/own-host.ts";
import { absent } from "./absent.js";
import { Buffer } from "./buffer.js";
import { codeError, errnoOf, invalidArgType, notHere } from "./errors.js";
import EventEmitter from "./events.js";
import { host } from "./host.js";
import { ask, guard, nextTick } from "./loop.js";
import { Duplex } from "./stream.js";

// A program may replace `Math.random`.
const { random } = Math;

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
export const isIPv4 = (text) => ipv4.test(text);
/** The name of a network interface may follow the address, as in `fe80::1%eth0`. */
export const isIPv6 = (text) => !isIPv4(text) && globalThis.URL.canParse(`http://[${String(text).replace(/%[0-9a-zA-Z.:-]+$/, "")}]/`);
export const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

const servers = new Map();
const sockets = new Map();
/** Events for connections that the program does not know yet. */
const early = new Map();

/** Handles the host's events for a server or a connection. */
export function netEvent(id, event, value) {
  if (event === "accept") {
    const server = servers.get(id);
    // The server may have been closed while the connection was on its way.
    if (server) guard(() => server[took](value));
    else leave(value);
    return;
  }
  const socket = sockets.get(id);
  if (socket) guard(() => socket[hears](event, value));
  else if (early.has(id)) early.get(id).push([event, value]);
  else early.set(id, [[event, value]]);
}

/** Closes a connection that belongs to no socket of the program. */
function leave(wire) {
  early.delete(wire);
  host("net.close", wire);
}

function netError(code, syscall, address, port) {
  const words = { EADDRINUSE: "address already in use", EACCES: "permission denied" }[code];
  const where = `${address}:${port}`;
  const message = words === undefined ? `${syscall} ${code} ${where}` : `${syscall} ${code}: ${words} ${where}`;
  return Object.assign(new Error(message), { errno: errnoOf(code), code, syscall, address, port });
}

function portOf(given) {
  const port = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  if (typeof port !== "number" && typeof port !== "string") throw invalidArgType("options.port", "one of type number or string", given);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw codeError(
      RangeError,
      "ERR_SOCKET_BAD_PORT",
      `options.port should be >= 0 and < 65536. Received type ${typeof given} (${given}).`,
    );
  return port;
}

const hears = Symbol("hears");
const joins = Symbol("joins");
const took = Symbol("took");

export class Socket extends Duplex {
  #wire = 0;
  #held = true;
  #timer = null;
  #waiting = [];
  constructor(options = {}) {
    super({ allowHalfOpen: options.allowHalfOpen === true, autoDestroy: true, emitClose: false });
    Object.assign(this, {
      connecting: false,
      bytesRead: 0,
      bytesWritten: 0,
      timeout: 0,
      server: null,
      remoteAddress: undefined,
      remotePort: undefined,
      remoteFamily: undefined,
      localAddress: undefined,
      localPort: undefined,
    });
  }
  get pending() {
    return this.#wire === 0;
  }
  get readyState() {
    if (this.connecting) return "opening";
    if (this.#wire === 0) return "closed";
    return this.readable && this.writable ? "open" : this.readable ? "readOnly" : this.writable ? "writeOnly" : "closed";
  }
  connect(...given) {
    const [options, callback] = connectArguments(given);
    if (options.path !== undefined && options.path !== null && options.port === undefined)
      throw notHere("there are no local sockets here, only ports (connect)");
    const port = portOf(options.port);
    const address = options.host ?? "localhost";
    // A closed socket can connect again.
    if (this.destroyed) {
      this._undestroy();
      Object.assign(this, { bytesRead: 0, bytesWritten: 0 });
    }
    if (callback) this.once("connect", callback);
    if (!isOwnHost(address)) {
      nextTick(() => this.destroy(notHere(`there are no sockets to other machines here (${address}); use fetch`)));
      return this;
    }
    this.connecting = true;
    ask(
      "net.connect",
      (wire) => {
        this.connecting = false;
        if (wire === 0) {
          this.destroy(netError("ECONNREFUSED", "connect", address === "::1" ? address : "127.0.0.1", port));
          return;
        }
        if (this.destroyed) {
          host("net.close", wire);
          return;
        }
        this[joins](wire, port, 50_000 + (wire % 10_000));
        this.emit("connect");
        this.emit("ready");
      },
      port,
    );
    return this;
  }
  [joins](wire, remotePort, localPort) {
    this.#wire = wire;
    Object.assign(this, { remoteAddress: "127.0.0.1", remoteFamily: "IPv4", remotePort, localAddress: "127.0.0.1", localPort });
    sockets.set(wire, this);
    host("net.hold", -wire, this.#held);
    for (const go of this.#waiting.splice(0)) go();
    const missed = early.get(wire);
    early.delete(wire);
    if (missed) nextTick(() => missed.forEach(([event, value]) => this[hears](event, value)));
  }
  [hears](event, value) {
    this.#touch();
    if (event === "data") {
      this.bytesRead += value.length;
      this.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    } else if (event === "end") {
      this.push(null);
      // Emits the end even if the program doesn't read, if nothing is left to be read.
      this.read(0);
    } else {
      this.#leave();
      this.push(null);
      // Earlier data is read first.
      if (this.readableEnded || (this.readableFlowing !== true && this.readableLength === 0)) this.destroy();
      else this.once("end", () => this.destroy());
    }
  }
  #leave() {
    if (this.#wire === 0) return;
    sockets.delete(this.#wire);
    host("net.hold", -this.#wire, false);
    host("net.close", this.#wire);
    this.#wire = 0;
  }
  _read() {}
  _write(chunk, encoding, callback) {
    const go = () => {
      if (this.#wire !== 0) host("net.send", this.#wire, chunk);
      this.bytesWritten += chunk.length;
      this.#touch();
      callback();
    };
    if (this.connecting) this.#waiting.push(go);
    else if (this.#wire === 0) callback(Object.assign(new Error("write EPIPE"), { errno: -32, code: "EPIPE", syscall: "write" }));
    else go();
  }
  _final(callback) {
    const go = () => {
      if (this.#wire !== 0) host("net.end", this.#wire);
      callback();
    };
    if (this.connecting) this.#waiting.push(go);
    else go();
  }
  _destroy(error, callback) {
    globalThis.clearTimeout(this.#timer);
    this.connecting = false;
    this.#leave();
    callback(error);
    nextTick(() => {
      this.emit("close", Boolean(error));
      this.server?.[left](this);
    });
  }
  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }
  resetAndDestroy() {
    return this.destroy();
  }
  #touch() {
    if (this.timeout === 0) return;
    globalThis.clearTimeout(this.#timer);
    this.#timer = globalThis.setTimeout(() => this.emit("timeout"), this.timeout).unref();
  }
  setTimeout(ms, callback) {
    globalThis.clearTimeout(this.#timer);
    this.timeout = ms;
    if (callback) this.once("timeout", callback);
    this.#touch();
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  address() {
    return this.#wire === 0 ? {} : { address: this.localAddress, family: this.remoteFamily, port: this.localPort };
  }
  #hold(on) {
    this.#held = on;
    if (this.#wire !== 0) host("net.hold", -this.#wire, on);
    return this;
  }
  ref() {
    return this.#hold(true);
  }
  unref() {
    return this.#hold(false);
  }
}

const left = Symbol("left");

function connectArguments(given) {
  const callback = given.find((each) => typeof each === "function");
  const [first, second] = given;
  if (typeof first === "object" && first !== null) return [first, callback];
  if (typeof first === "string" && Number.isNaN(Number(first))) return [{ path: first }, callback];
  return [{ port: first, host: typeof second === "string" ? second : undefined }, callback];
}

export class Server extends EventEmitter {
  #id = 0;
  #address = null;
  #open = new Set();
  #held = true;
  #closing = false;
  /** Begins to listen on a port; null once it has begun. */
  #begin = null;
  #options;
  constructor(options, listener) {
    super();
    const given = typeof options === "function" ? options : listener;
    this.#options = typeof options === "object" && options !== null ? options : {};
    this.listening = false;
    this.maxConnections = undefined;
    if (given) this.on("connection", given);
  }
  listen(...given) {
    const callback = given.find((each) => typeof each === "function");
    if (callback) this.once("listening", callback);
    const [first, second] = given;
    const options =
      typeof first === "object" && first !== null
        ? first
        : typeof first === "string" && Number.isNaN(Number(first))
          ? { path: first }
          : { port: typeof first === "function" ? 0 : (first ?? 0), host: typeof second === "string" ? second : undefined };
    if (options.path !== undefined && options.port === undefined) throw notHere("there are no local sockets here, only ports (listen)");
    if (this.#id !== 0 || this.#begin !== null)
      throw codeError(Error, "ERR_SERVER_ALREADY_LISTEN", "Listen method has been called more than once without closing.");
    const port = portOf(options.port ?? 0);
    const address = options.host === undefined || options.host === "::" ? "::" : options.host === "localhost" ? "127.0.0.1" : options.host;
    this.#closing = false;
    if (options.host) this.#listenOn(port, address);
    else if (port > 0) this.#choose(port, address);
    else {
      // A program may ask for the address at once, and then the port is chosen there.
      const begin = (chosen) => (chosen === 0 ? this.#listenOn(0, address) : this.#choose(chosen, address));
      this.#begin = begin;
      nextTick(() => {
        if (this.#begin === begin) begin(0);
      });
    }
    options.signal?.addEventListener("abort", () => this.close(), { once: true });
    return this;
  }
  #choose(port, address) {
    this.#address = { address, family: isIPv4(address) ? "IPv4" : "IPv6", port };
    this.#listenOn(port, address);
  }
  #listenOn(port, address) {
    this.#begin = null;
    const id = ask(
      "net.listen",
      (answer) => {
        if (this.#id !== id) {
          // The server was closed in the meantime.
          if (answer >= 0) host("net.unlisten", id);
          return;
        }
        if (answer < 0) {
          servers.delete(id);
          this.#id = 0;
          this.#address = null;
          const where = address === "::" ? ":::" : `${address}:`;
          const error =
            answer === -2
              ? notHere("a program can't listen on a port here; run it in the shell")
              : Object.assign(netError("EADDRINUSE", "listen", address, port), {
                  message: `listen EADDRINUSE: address already in use ${where}${port}`,
                });
          this.emit("error", error);
          return;
        }
        this.#address = { address, family: isIPv4(address) ? "IPv4" : "IPv6", port: answer };
        this.listening = true;
        host("net.hold", this.#id, this.#held);
        this.emit("listening");
      },
      port,
    );
    this.#id = id;
    servers.set(id, this);
  }
  [took](wire) {
    const socket = new Socket(this.#options);
    if (this.maxConnections !== undefined && this.#open.size >= this.maxConnections) {
      leave(wire);
      return;
    }
    socket.server = this;
    this.#open.add(socket);
    socket[joins](wire, 50_000 + (wire % 10_000), this.#address?.port);
    this.emit("connection", socket);
  }
  [left](socket) {
    if (this.#open.delete(socket)) this.#closeIfDone();
  }
  #closeIfDone() {
    if (!this.#closing || this.#open.size > 0) return;
    this.#closing = false;
    nextTick(() => this.emit("close"));
  }
  get connections() {
    return this.#open.size;
  }
  openSockets() {
    return [...this.#open];
  }
  address() {
    if (this.#begin !== null) this.#begin(41_000 + Math.floor(random() * 9000));
    return this.#address;
  }
  getConnections(callback) {
    nextTick(callback, null, this.#open.size);
    return this;
  }
  close(callback) {
    if (callback) {
      if (this.#id === 0 && this.#begin === null)
        this.once("close", () => callback(codeError(Error, "ERR_SERVER_NOT_RUNNING", "Server is not running.")));
      else this.once("close", () => callback());
    }
    this.#closing = true;
    this.listening = false;
    this.#begin = null;
    this.#address = null;
    if (this.#id !== 0) {
      host("net.unlisten", this.#id);
      host("net.hold", this.#id, false);
      servers.delete(this.#id);
      this.#id = 0;
    }
    this.#closeIfDone();
    return this;
  }
  #hold(on) {
    this.#held = on;
    if (this.listening) host("net.hold", this.#id, on);
    return this;
  }
  ref() {
    return this.#hold(true);
  }
  unref() {
    return this.#hold(false);
  }
  async [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    if (this.listening) await new Promise((resolve) => this.close(resolve));
  }
}
Object.defineProperty(Server.prototype, "openSockets", { enumerable: false });

/** Makes classes callable with and without `new`. */
export const callable = (Class) => new Proxy(Class, { apply: (_, __, args) => new Class(...args) });

export const connect = (...given) => new Socket(typeof given[0] === "object" && given[0] !== null ? given[0] : {}).connect(...given);

const net = {
  ...absent("not here", "BlockList SocketAddress"),
  Socket: callable(Socket),
  Stream: callable(Socket),
  Server: callable(Server),
  connect,
  createConnection: connect,
  createServer: (options, listener) => new Server(options, listener),
  isIP,
  isIPv4,
  isIPv6,
  getDefaultAutoSelectFamily: () => true,
  setDefaultAutoSelectFamily() {},
  getDefaultAutoSelectFamilyAttemptTimeout: () => 250,
  setDefaultAutoSelectFamilyAttemptTimeout() {},
};
export default net;

/** The browser resolves names without revealing addresses. Only the dialog's own machine is known. */
function lookup(name, options, callback) {
  const done = typeof options === "function" ? options : callback;
  const { all = false, family = 0 } = typeof options === "object" && options !== null ? options : { family: options };
  const known = isIP(name) > 0 ? name : isOwnHost(name) ? (family === 6 ? "::1" : "127.0.0.1") : null;
  nextTick(() => {
    if (known === null)
      done(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
          errno: -3008,
          code: "ENOTFOUND",
          syscall: "getaddrinfo",
          hostname: name,
        }),
      );
    else if (all) done(null, [{ address: known, family: isIP(known) }]);
    else done(null, known, isIP(known));
  });
}
const lookupLater = (name, options) =>
  new Promise((resolve, reject) =>
    lookup(name, { ...(typeof options === "object" ? options : {}) }, (error, address, family) =>
      error ? reject(error) : resolve(options?.all ? address : { address, family }),
    ),
  );
const noNames = "names can't be looked up here";
export const dns = {
  ...absent(noNames, "resolve resolve4 resolve6 reverse lookupService resolveMx resolveTxt setServers getServers Resolver"),
  lookup,
  getDefaultResultOrder: () => "verbatim",
  setDefaultResultOrder() {},
  ADDRCONFIG: 1024,
  V4MAPPED: 2048,
  ALL: 256,
};
export const dnsPromises = {
  ...absent(noNames, "resolve resolve4 resolve6 reverse Resolver"),
  lookup: lookupLater,
  getDefaultResultOrder: () => "verbatim",
  setDefaultResultOrder() {},
};
Object.assign(dns, { promises: dnsPromises });
