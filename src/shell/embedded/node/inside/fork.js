// child_process.fork: a process with a channel to this one.
import { Buffer } from "./buffer.js";
import { codeError } from "./errors.js";
import EventEmitter from "./events.js";
import { host } from "./host.js";
import { nextTick } from "./loop.js";
import { hearParent, ownSettings, startProcess } from "./other-processes.js";
import { absolute } from "./process.js";
import { Readable, Writable } from "./stream.js";

let lastPid = 4600;

const copy = (message, serialization) => (serialization === "advanced" ? message : JSON.parse(JSON.stringify(message)));

function sendLike(emitter, post, isOpen) {
  return (message, ...rest) => {
    const callback = rest.find((each) => typeof each === "function");
    if (message === undefined) throw codeError(TypeError, "ERR_MISSING_ARGS", 'The "message" argument must be specified');
    if (!isOpen()) {
      const error = codeError(Error, "ERR_IPC_CHANNEL_CLOSED", "Channel closed");
      nextTick(() => (callback ? callback(error) : emitter.emit("error", error)));
      return false;
    }
    post(message);
    if (callback) nextTick(callback, null);
    return true;
  };
}

export class Fork extends EventEmitter {
  #process;
  #stdio;
  #signal = null;
  constructor(path, args, options) {
    super();
    const silent = options.silent === true;
    const given = options.stdio ?? (silent ? "pipe" : "inherit");
    const list = typeof given === "string" ? [given, given, given] : [...given];
    this.#stdio = [0, 1, 2].map((fd) => (list[fd] === "inherit" || list[fd] === fd ? "inherit" : (list[fd] ?? "pipe")));
    const way = (fd) => (this.#stdio[fd] === "pipe" ? new Readable({ read() {} }) : null);
    const serialization = options.serialization ?? "json";
    Object.assign(this, {
      pid: ++lastPid,
      spawnfile: process.execPath,
      spawnargs: [process.execPath, ...(options.execArgv ?? []), path, ...args],
      exitCode: null,
      signalCode: null,
      killed: false,
      connected: true,
      stdin: this.#stdio[0] === "pipe" ? new Writable({ write: (chunk, encoding, done) => done() }) : null,
      stdout: way(1),
      stderr: way(2),
      channel: { ref() {}, unref() {} },
    });
    this.stdio = [this.stdin, this.stdout, this.stderr, null];
    const env = {};
    for (const [name, value] of Object.entries(options.env ?? process.env)) if (value !== undefined) env[name] = String(value);
    this.#process = startProcess(
      "forks",
      {
        what: "file",
        script: path,
        args,
        env,
        execArgv: options.execArgv ?? process.execArgv,
        cwd: options.cwd === undefined ? process.cwd() : absolute(String(options.cwd.pathname ?? options.cwd)),
        channel: serialization,
        pid: this.pid,
        thread: undefined,
      },
      { piped: true },
      (event, value) => this.#hear(event, value),
    );
    this.send = sendLike(
      this,
      (message) => this.#process.post("message", copy(message, serialization)),
      () => this.connected,
    );
    options.signal?.addEventListener("abort", () => this.kill(options.killSignal), { once: true });
    if (options.timeout > 0) globalThis.setTimeout(() => this.kill(options.killSignal), options.timeout).unref();
    nextTick(() => this.emit("spawn"));
  }
  #hear(event, value) {
    if (event === "stdout" || event === "stderr") {
      const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      const way = this.#stdio[event === "stdout" ? 1 : 2];
      if (way === "inherit") process[event].write(bytes);
      else this[event]?.push(bytes);
    } else if (event === "ended") this.#end(value);
    else if (event === "disconnect") this.disconnect();
    else this.emit(event, value, undefined);
  }
  #end(code) {
    this.#process.hold(false);
    this.stdout?.push(null);
    this.stderr?.push(null);
    this.exitCode = this.#signal === null ? code : null;
    this.signalCode = this.#signal;
    if (this.connected) {
      this.connected = false;
      this.emit("disconnect");
    }
    this.emit("exit", this.exitCode, this.signalCode);
    nextTick(() => this.emit("close", this.exitCode, this.signalCode));
  }
  kill(signal = "SIGTERM") {
    if (this.exitCode !== null || this.signalCode !== null) return false;
    if (signal === 0) return true;
    this.killed = true;
    this.#signal ??= typeof signal === "string" ? signal : "SIGTERM";
    this.#process.end();
    return true;
  }
  disconnect() {
    if (!this.connected) return;
    this.connected = false;
    this.#process.post("disconnect", null);
    nextTick(() => this.emit("disconnect"));
  }
  ref() {
    this.#process.hold(true);
  }
  unref() {
    this.#process.hold(false);
  }
}

/** In a fork: the channel to the process that started it. It keeps the process alive while it listens for messages. */
export function openChannel(process) {
  const { channel, pid } = ownSettings();
  if (typeof channel !== "string") return;
  process.pid = pid;
  process.ppid = pid - 1;
  process.connected = true;
  process.channel = { ref() {}, unref() {} };
  const early = [];
  const close = () => {
    if (!process.connected) return;
    process.connected = false;
    process.channel = undefined;
    host("process.hold", 0, false);
    process.emit("disconnect");
  };
  process.send = sendLike(
    process,
    (message) => host("process.post", 0, "message", copy(message, channel)),
    () => process.connected,
  );
  process.disconnect = () => {
    if (!process.connected) return;
    host("process.post", 0, "disconnect", null);
    nextTick(close);
  };
  hearParent((event, value) => {
    if (event === "disconnect") close();
    else if (process.listenerCount("message") > 0) process.emit("message", value, undefined);
    else early.push(value);
  });
  process.on("newListener", (type) => {
    if (type !== "message") return;
    if (process.connected) host("process.hold", 0, true);
    nextTick(() => early.splice(0).forEach((value) => process.emit("message", value, undefined)));
  });
  process.on("removeListener", (type) => {
    if (type === "message" && process.listenerCount("message") === 0) host("process.hold", 0, false);
  });
}
