// worker_threads: each worker is a separate process with its own files and memory.
import { Buffer } from "./buffer.js";
import { codeError, invalidArgType, notHere } from "./errors.js";
import EventEmitter from "./events.js";
import { host } from "./host.js";
import { messages, packed, receiveMessageOnPort, unpacked } from "./message-channel.js";
import { hearParent, ownSettings, startProcess } from "./other-processes.js";
import { Readable } from "./stream.js";
import { fileURLToPath } from "./url.js";

let lastThread = 0;
const environment = new Map();

export class Worker extends EventEmitter {
  #process;
  #ending = null;
  #over = false;
  constructor(file, options = {}) {
    super();
    if (typeof file !== "string" && !(file instanceof globalThis.URL))
      throw invalidArgType("filename", "of type string or an instance of URL", file);
    const text = String(file);
    const isData = text.startsWith("data:");
    const code = options.eval ? text : isData ? decodeURIComponent(text.slice(text.indexOf(",") + 1)) : null;
    const path = code === null ? (text.startsWith("file:") ? fileURLToPath(text) : text) : null;
    if (path !== null && !path.startsWith("/") && !/^\.\.?\//.test(path))
      throw codeError(
        TypeError,
        "ERR_WORKER_PATH",
        `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'. Received "${path}"`,
      );
    this.threadId = ++lastThread;
    this.resourceLimits = {};
    const env = options.env === undefined || typeof options.env === "symbol" ? process.env : options.env;
    this.stdin = null;
    this.stdout = new Readable({ read() {} });
    this.stderr = new Readable({ read() {} });
    const args = (options.argv ?? []).map(String);
    const typed = isData ? ["--input-type=module"] : [];
    // A worker with its own options starts from a command line, which expresses them.
    const words = options.execArgv
      ? [...options.execArgv.map(String), ...(code === null ? [path] : [...typed, "-e", code]), ...args]
      : null;
    packed(options.workerData ?? null, options.transferList, (data, ports) => {
      this.#process = startProcess(
        "worker threads",
        {
          what: code === null ? "file" : "eval",
          script: code ?? path,
          inputType: isData ? "module" : null,
          args,
          env: { ...env },
          cwd: process.cwd(),
          thread: this.threadId,
          channel: false,
          environment: [...environment],
        },
        { words, piped: true, data, ports },
        (event, value) => this.#hear(event, value, options),
      );
    });
    globalThis.process.nextTick(() => this.emit("online"));
  }
  #hear(event, value, options) {
    if (event === "stdout" || event === "stderr") {
      const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (options[event]) this[event].push(bytes);
      else process[event].write(bytes);
    } else if (event === "ended") {
      this.#over = true;
      this.threadId = -1;
      this.#process.hold(false);
      this.stdout.push(null);
      this.stderr.push(null);
      const code = typeof value === "string" ? 1 : value;
      this.emit("exit", code);
      this.#ending?.(code);
    } else this.emit(event, event === "message" ? unpacked(value).message : value);
  }
  postMessage(value, transfer) {
    if (!this.#over) packed(value, transfer, (data, names) => this.#process.post("message", data, names));
  }
  terminate() {
    if (this.#over) return Promise.resolve(undefined);
    this.#process.end();
    return new Promise((resolve) => {
      this.#ending = resolve;
    });
  }
  ref() {
    if (!this.#over) this.#process.hold(true);
    return this;
  }
  unref() {
    if (!this.#over) this.#process.hold(false);
    return this;
  }
  getHeapSnapshot() {
    throw notHere("there are no heap snapshots here");
  }
  async [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    await this.terminate();
  }
}

/** The port to the parent process. It keeps this process alive while it listens. */
class ParentPort extends EventEmitter {
  #handler = null;
  #early = [];
  #closed = false;
  constructor() {
    super();
    hearParent((event, value) => {
      if (this.#closed || event !== "message") return;
      const { message } = unpacked(value);
      if (this.listenerCount("message") === 0) this.#early.push(message);
      else this.emit("message", message);
    });
    this.on("newListener", (type) => {
      if (type !== "message") return;
      this.ref();
      globalThis.process.nextTick(() => this.#early.splice(0).forEach((value) => this.emit("message", value)));
    });
    this.on("removeListener", (type) => {
      if (type === "message" && this.listenerCount("message") === 0) this.unref();
    });
  }
  postMessage(value, transfer) {
    if (!this.#closed) packed(value, transfer, (data, names) => host("process.post", 0, "message", data, names));
  }
  get onmessage() {
    return this.#handler?.given ?? null;
  }
  set onmessage(given) {
    if (this.#handler) this.off("message", this.#handler.heard);
    this.#handler = typeof given === "function" ? { given, heard: (data) => given({ data, target: this, type: "message" }) } : null;
    if (this.#handler) this.on("message", this.#handler.heard);
  }
  addEventListener(type, listener) {
    this.on(type, (data) => (typeof listener === "function" ? listener({ data, type }) : listener.handleEvent({ data, type })));
  }
  removeEventListener() {}
  start() {}
  close() {
    this.#closed = true;
    this.unref();
    globalThis.process.nextTick(() => this.emit("close"));
  }
  ref() {
    if (!this.#closed) host("hold", 0, true);
    return this;
  }
  unref() {
    host("hold", 0, false);
    return this;
  }
}

export function workerThreads() {
  const { thread, environment: given = [] } = ownSettings() ?? {};
  const isMainThread = thread === undefined;
  for (const [key, value] of given) environment.set(key, value);
  return {
    Worker,
    isMainThread,
    parentPort: isMainThread ? null : new ParentPort(),
    workerData: isMainThread ? null : unpacked(host("process.data")).message,
    threadId: thread ?? 0,
    resourceLimits: {},
    MessageChannel: messages.MessageChannel,
    MessagePort: messages.MessagePort,
    receiveMessageOnPort,
    SHARE_ENV: Symbol.for("nodejs.worker_threads.SHARE_ENV"),
    getEnvironmentData: (key) => environment.get(key),
    setEnvironmentData(key, value) {
      if (value === undefined) environment.delete(key);
      else environment.set(key, value);
    },
    markAsUntransferable() {},
    isMarkedAsUntransferable: () => false,
    moveMessagePortToContext() {
      throw notHere("there is one context only here (moveMessagePortToContext)");
    },
    BroadcastChannel: class {
      constructor() {
        throw notHere("there are no channels between workers here; use their own messages (BroadcastChannel)");
      }
    },
  };
}
