// Other calls of `node`, each a process in the background of this one. child_process.fork also gives it a channel.
import { Buffer } from "./buffer.js";
import { codeError, systemError } from "./errors.js";
import EventEmitter from "./events.js";
import { host } from "./host.js";
import { nextTick } from "./loop.js";
import { hearParent, ownSettings, startProcess } from "./other-processes.js";
import { absolute, children } from "./process.js";
import { signalName } from "./signals.js";
import { inputOf, wayOf, writerOf } from "./stdio.js";
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

/** Another `node` process. `words`: its command line. `channel`: how its messages are copied, "json" or "advanced"; null: it has no channel. */
export class NodeProcess extends EventEmitter {
  #process;
  /** Receive the child's output if it does not go to one of our streams. */
  #writers;
  constructor(words, channel, options) {
    super();
    const ways = [0, 1, 2].map((fd) => wayOf(options.stdio, fd));
    this.#writers = { stdout: writerOf(ways[1]), stderr: writerOf(ways[2]) };
    const given = inputOf(ways[0]);
    const folder = options.cwd === undefined ? process.cwd() : absolute(String(options.cwd.pathname ?? options.cwd));
    const isThere = host("fs.stat", folder) !== null;
    const output = (fd) => (ways[fd] === "pipe" ? referable(new Readable({ read() {} })) : null);
    Object.assign(this, {
      pid: isThere ? ++lastPid : undefined,
      spawnfile: process.execPath,
      spawnargs: [options.argv0 ?? process.execPath, ...words],
      exitCode: null,
      signalCode: null,
      killed: false,
      connected: channel !== null,
      stdin: ways[0] === "pipe" ? this.#input() : null,
      stdout: output(1),
      stderr: output(2),
    });
    this.stdio = [this.stdin, this.stdout, this.stderr, ...(channel === null ? [] : [null])];
    if (!isThere) {
      const path = this.spawnfile;
      const error = Object.assign(systemError("ENOENT", `spawn ${path}`), { path, spawnargs: words, message: `spawn ${path} ENOENT` });
      nextTick(() => this.emit("error", error));
      return;
    }
    children.set(this.pid, this);
    const env = {};
    for (const [name, value] of Object.entries(options.env ?? process.env)) if (value !== undefined) env[name] = String(value);
    this.#process = startProcess(
      "forks",
      { env, cwd: folder, channel: channel ?? false, pid: this.pid, thread: undefined },
      { words, piped: true, hasInput: this.stdin !== null || given !== null },
      (event, value) => this.#hear(event, value),
    );
    if (given !== null) {
      this.#process.post("stdin", new Uint8Array(given));
      this.#process.post("stdinEnd", null);
    }
    if (channel !== null) {
      this.channel = { ref() {}, unref() {} };
      this.send = sendLike(
        this,
        (message) => this.#process.post("message", copy(message, channel)),
        () => this.connected,
      );
    }
    const { signal, timeout = 0, killSignal } = options;
    const abort = () => {
      if (!this.kill(killSignal)) return;
      this.emit(
        "error",
        Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { name: "AbortError", code: "ABORT_ERR" }),
      );
    };
    if (signal?.aborted) nextTick(abort);
    else signal?.addEventListener("abort", abort, { once: true });
    if (timeout > 0) globalThis.setTimeout(() => this.kill(killSignal), timeout).unref();
    nextTick(() => this.emit("spawn"));
  }
  #input() {
    const post = (kind, value) => {
      if (this.exitCode === null && this.signalCode === null) this.#process?.post(kind, value);
    };
    const stream = new Writable({
      write(chunk, encoding, done) {
        // A copy, because sending transfers the entire underlying memory.
        post("stdin", new Uint8Array(Buffer.from(chunk)));
        done();
      },
      final(done) {
        post("stdinEnd", null);
        done();
      },
    });
    return referable(stream);
  }
  #hear(event, value) {
    if (event === "stdout" || event === "stderr") {
      const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      if (this.#writers[event]) this.#writers[event](bytes);
      else this[event]?.push(bytes);
    } else if (event === "ended") this.#end(value);
    else if (event === "disconnect") this.disconnect();
    else this.emit(event, value, undefined);
  }
  #end(how) {
    this.#process.hold(false);
    if (typeof how === "string") this.signalCode = how;
    else this.exitCode = how;
    this.stdin?.destroy();
    if (this.connected) {
      this.connected = false;
      this.emit("disconnect");
    }
    this.emit("exit", this.exitCode, this.signalCode);
    // Don't wait for streams that no one reads.
    const open = [this.stdout, this.stderr].filter((stream) => stream !== null && !stream.readableEnded && !stream.destroyed);
    let left = open.length;
    const close = () => nextTick(() => this.emit("close", this.exitCode, this.signalCode));
    if (left === 0) close();
    for (const stream of open) {
      stream.once("close", () => {
        if (--left === 0) close();
      });
      stream.push(null);
      if (stream.listenerCount("data") + stream.listenerCount("readable") === 0) stream.resume();
    }
  }
  kill(signal = "SIGTERM") {
    const name = signalName(signal);
    if (name === undefined && signal !== 0) throw codeError(TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
    if (this.exitCode !== null || this.signalCode !== null) return false;
    if (signal === 0) return true;
    this.killed = true;
    this.#process?.end(name);
    return true;
  }
  disconnect() {
    if (!this.connected) return;
    this.connected = false;
    this.#process.post("disconnect", null);
    nextTick(() => this.emit("disconnect"));
  }
  ref() {
    if (this.exitCode === null && this.signalCode === null) this.#process?.hold(true);
  }
  unref() {
    this.#process?.hold(false);
  }
}

/** The other process keeps the program alive, not its streams. */
const referable = (stream) => Object.assign(stream, { ref: () => stream, unref: () => stream });

export function fork(path, args, options) {
  const stdio = options.stdio ?? (options.silent === true ? "pipe" : "inherit");
  return new NodeProcess([...(options.execArgv ?? process.execArgv), path, ...args], options.serialization ?? "json", {
    ...options,
    stdio,
  });
}

/** In a fork: opens the channel to the parent process. It keeps this process alive while it listens for messages. */
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
    host("hold", 0, false);
    process.emit("disconnect");
  };
  process.send = sendLike(
    process,
    (message) => host("process.post", 0, "message", copy(message, channel), []),
    () => process.connected,
  );
  process.disconnect = () => {
    if (!process.connected) return;
    host("process.post", 0, "disconnect", null, []);
    nextTick(close);
  };
  hearParent((event, value) => {
    if (event === "disconnect") close();
    else if (process.listenerCount("message") > 0) process.emit("message", value, undefined);
    else early.push(value);
  });
  process.on("newListener", (type) => {
    if (type !== "message") return;
    if (process.connected) host("hold", 0, true);
    nextTick(() => early.splice(0).forEach((value) => process.emit("message", value, undefined)));
  });
  process.on("removeListener", (type) => {
    if (type === "message" && process.listenerCount("message") === 0) host("hold", 0, false);
  });
}
