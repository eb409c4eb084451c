// Runs commands of the same shell. A command runs to its end at once, so its output arrives in one piece. If several processes are possible, `node`
// runs in the background of this program, and the two can exchange data while they run.
import { Buffer, toBuffer } from "./buffer.js";
import { codeError, invalidArgType, notHere, systemError } from "./errors.js";
import EventEmitter from "./events.js";
import { fork, NodeProcess } from "./fork.js";
import { absolute, children } from "./process.js";
import { hasProcesses } from "./other-processes.js";
import { ask, nextTick, setImmediate } from "./loop.js";
import { inputOf, wayOf, writerOf } from "./stdio.js";
import { Readable, Writable } from "./stream.js";
import { fileURLToPath } from "./url.js";
import { host } from "./host.js";

const quote = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

let lastPid = 4300;

/** Commands that have not started. They get all of their input at once, and its end has not arrived. */
const unstarted = new Set();

/** Called when the program waits for nothing else: starts the commands with the input written so far. False: no waiting command has input. */
export function startWaiting() {
  const waiting = [...unstarted].filter((start) => start.hasInput());
  for (const start of waiting) start.now();
  return waiting.length > 0;
}

class ChildProcess extends EventEmitter {
  #input = [];
  #started = false;
  /** The id of the running command. */
  #running = null;
  #signal = null;
  constructor(command, file, args, options) {
    super();
    Object.assign(this, {
      pid: ++lastPid,
      spawnfile: file,
      spawnargs: [file, ...args],
      exitCode: null,
      signalCode: null,
      killed: false,
      connected: false,
    });
    children.set(this.pid, this);
    const ways = [0, 1, 2].map((fd) => wayOf(options.stdio, fd));
    const writers = { stdout: writerOf(ways[1]), stderr: writerOf(ways[2]) };
    const given = inputOf(ways[0]);
    if (given !== null) this.#input.push(given);
    this.stdout = ways[1] === "pipe" ? new Readable({ read() {} }) : null;
    this.stderr = ways[2] === "pipe" ? new Readable({ read() {} }) : null;
    const waits = { hasInput: () => this.#input.length > 0, now: () => start() };
    const start = () => {
      unstarted.delete(waits);
      if (this.#started) return;
      this.#started = true;
      this.#run(command, writers, options);
    };
    if (ways[0] === "pipe") {
      this.stdin = new Writable({
        write: (chunk, encoding, callback) => {
          this.#input.push(Buffer.from(chunk));
          callback();
        },
        final: (callback) => {
          callback();
          start();
        },
      });
    } else this.stdin = null;
    this.stdio = [this.stdin, this.stdout, this.stderr];
    const { cwd, signal } = options;
    const folder = cwd === undefined ? process.cwd() : absolute(String(cwd.pathname ?? cwd));
    this.folder = folder;
    const stat = host("fs.stat", folder);
    if (stat === null) {
      nextTick(() =>
        this.emit(
          "error",
          Object.assign(systemError("ENOENT", `spawn ${file}`), { path: file, spawnargs: args, message: `spawn ${file} ENOENT` }),
        ),
      );
      return;
    }
    const abort = () => {
      if (!this.kill(options.killSignal)) return;
      this.emit(
        "error",
        Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { name: "AbortError", code: "ABORT_ERR" }),
      );
    };
    if (signal?.aborted) {
      nextTick(abort);
      return;
    }
    signal?.addEventListener("abort", abort, { once: true });
    // A program that wants to write input has begun to do so by then.
    setImmediate(() => {
      this.emit("spawn");
      if (this.stdin === null || (this.#input.length === 0 && !this.stdin.writableEnded)) start();
      else if (!this.#started) unstarted.add(waits);
    });
  }
  #run(command, writers, options) {
    const env = {};
    for (const [name, value] of Object.entries(options.env ?? process.env)) if (value !== undefined) env[name] = String(value);
    this.#running = ask(
      "exec",
      ({ stderr, exitCode }, bytes) => {
        this.#running = null;
        writers.stdout?.(bytes);
        writers.stderr?.(Buffer.from(stderr));
        if (this.killed) {
          if (bytes.length > 0) this.stdout?.push(toBuffer(bytes));
          this.#end(null, this.#signal);
          return;
        }
        if (exitCode === 127 && options.shell !== true && /: command not found/.test(stderr)) {
          const file = this.spawnfile;
          const error = Object.assign(new Error(`spawn ${file} ENOENT`), {
            errno: -2,
            code: "ENOENT",
            syscall: `spawn ${file}`,
            path: file,
            spawnargs: this.spawnargs.slice(1),
          });
          this.stdout?.push(null);
          this.stderr?.push(null);
          this.emit("error", error);
          this.#end(-2, null);
          return;
        }
        if (bytes.length > 0) this.stdout?.push(toBuffer(bytes));
        if (stderr !== "") this.stderr?.push(Buffer.from(stderr));
        this.#end(exitCode, null);
      },
      command,
      this.folder,
      JSON.stringify(env),
      Buffer.concat(this.#input),
    );
  }
  #end(code, signal) {
    this.stdout?.push(null);
    this.stderr?.push(null);
    this.exitCode = code;
    this.signalCode = signal;
    this.stdin?.destroy();
    if (code !== -2) this.emit("exit", code, signal);
    const open = [this.stdout, this.stderr].filter(
      (stream) => stream !== null && stream.listenerCount("data") + stream.listenerCount("readable") > 0 && !stream.closed,
    );
    let left = open.length;
    const done = () => this.emit("close", code, signal);
    if (left === 0) setImmediate(done);
    else
      for (const stream of open)
        stream.once("close", () => {
          if (--left === 0) setImmediate(done);
        });
  }
  /** The command ends at its next step, whatever the signal: programs here can't handle signals. */
  kill(signal = "SIGTERM") {
    if (this.exitCode !== null || this.signalCode !== null) return false;
    if (signal === 0) return true;
    if (this.killed) return true;
    this.killed = true;
    this.#signal = typeof signal === "string" ? signal : "SIGTERM";
    if (this.#running !== null) host("exec.kill", this.#running);
    else if (!this.#started) nextTick(() => this.#end(null, this.#signal));
    this.#started = true;
    return true;
  }
  ref() {}
  unref() {}
  send() {
    throw notHere("there are no channels between processes here");
  }
  disconnect() {}
}

function spawn(file, argsOrOptions, maybeOptions) {
  if (typeof file !== "string") throw invalidArgType("file", "of type string", file);
  const args = Array.isArray(argsOrOptions) ? argsOrOptions.map(String) : [];
  const options = (Array.isArray(argsOrOptions) ? maybeOptions : argsOrOptions) ?? {};
  if (options.detached) throw notHere("a process can't outlive the command that started it here");
  const name = file === process.execPath ? "node" : file;
  if (name === "node" && !options.shell) {
    // A child with a channel is a fork.
    const hasChannel = Array.isArray(options.stdio) && options.stdio.includes("ipc");
    if (hasChannel || (hasProcesses() && hasProgram(args)))
      return new NodeProcess(args, hasChannel ? (options.serialization ?? "json") : null, options);
  }
  const command = options.shell ? [file, ...args].join(" ") : [name, ...args].map(quote).join(" ");
  return new ChildProcess(command, file, args, { ...options, shell: Boolean(options.shell) });
}

/** Whether `node` is given a program. The command handles information about itself, a script on stdin, and tests. */
const hasProgram = ([first = "-"]) => !/^(?:-v|-h|--version|--help|--test(?:[-=].*)?|-)$/.test(first);

function collect(child, shown, options, callback) {
  const chunks = { stdout: [], stderr: [] };
  const { encoding, maxBuffer, timeout } = { encoding: "utf8", maxBuffer: 1024 * 1024, timeout: 0, ...options };
  const isText = encoding !== "buffer" && Buffer.isEncoding(encoding);
  let failure = null;
  let over = false;
  const kill = () => child.kill(options.killSignal ?? "SIGTERM");
  for (const name of ["stdout", "stderr"]) {
    const stream = child[name];
    if (isText) stream?.setEncoding(encoding);
    let left = maxBuffer;
    stream?.on("data", (chunk) => {
      if (failure !== null) return;
      const size = typeof chunk === "string" ? Buffer.byteLength(chunk, stream.readableEncoding) : chunk.length;
      chunks[name].push(size > left ? chunk.slice(0, left) : chunk);
      left -= size;
      // Without a limit, `left` is not a number.
      if (!(left < 0)) return;
      failure = codeError(RangeError, "ERR_CHILD_PROCESS_STDIO_MAXBUFFER", `${name} maxBuffer length exceeded`);
      child.stdout?.destroy();
      child.stderr?.destroy();
      kill();
    });
  }
  // What the child printed may arrive at its end.
  const timer = timeout > 0 ? globalThis.setTimeout(kill, timeout) : null;
  const output = (name) => (isText || child[name]?.readableEncoding ? chunks[name].join("") : Buffer.concat(chunks[name]));
  const finish = (error) => {
    if (over) return;
    over = true;
    if (timer) globalThis.clearTimeout(timer);
    callback?.(error, output("stdout"), output("stderr"));
  };
  child.on("error", (error) => finish(Object.assign(error, { cmd: shown })));
  child.on("close", (code, signal) => {
    if (failure) {
      finish(Object.assign(failure, { cmd: shown }));
      return;
    }
    if (code === 0 && signal === null) {
      finish(null);
      return;
    }
    const error = Object.assign(new Error(`Command failed: ${shown}\n${output("stderr")}`), {
      code,
      killed: child.killed,
      signal,
      cmd: shown,
    });
    finish(error);
  });
  return child;
}

function exec(command, optionsOrCallback, maybeCallback) {
  const callback = typeof optionsOrCallback === "function" ? optionsOrCallback : maybeCallback;
  const options = typeof optionsOrCallback === "function" ? {} : (optionsOrCallback ?? {});
  return collect(new ChildProcess(command, "/bin/sh", ["-c", command], { ...options, shell: true }), command, options, callback);
}

function execFile(file, ...rest) {
  const callback = typeof rest.at(-1) === "function" ? rest.pop() : undefined;
  const args = Array.isArray(rest[0]) ? rest.shift() : [];
  const options = rest[0] ?? {};
  return collect(spawn(file, args, options), [file, ...args].join(" "), options, callback);
}

const customPromisify = Symbol.for("nodejs.util.promisify.custom");
const promised = (start) => ({
  value: (...args) => {
    let child;
    const promise = new Promise((resolve, reject) => {
      child = start(...args, (error, stdout, stderr) =>
        error ? reject(Object.assign(error, { stdout, stderr })) : resolve({ stdout, stderr }),
      );
    });
    promise.child = child;
    return promise;
  },
});
Object.defineProperty(exec, customPromisify, promised(exec));
Object.defineProperty(execFile, customPromisify, promised(execFile));

const noWaiting = (name, instead) => () => {
  throw notHere(
    `child_process.${name} is not here: a program can't wait for another command without letting it run; use ${instead} with await`,
  );
};

export default {
  ChildProcess,
  exec,
  execFile,
  spawn,
  fork(path, argsOrOptions, maybeOptions) {
    if (typeof path !== "string" && !(path instanceof globalThis.URL))
      throw invalidArgType("modulePath", "of type string or an instance of Buffer or URL", path);
    const args = Array.isArray(argsOrOptions) ? argsOrOptions.map(String) : [];
    const options = (Array.isArray(argsOrOptions) ? maybeOptions : argsOrOptions) ?? {};
    return fork(typeof path === "string" ? path : fileURLToPath(path), args, options);
  },
  execSync: noWaiting("execSync", "util.promisify(exec)"),
  execFileSync: noWaiting("execFileSync", "util.promisify(execFile)"),
  spawnSync: noWaiting("spawnSync", "spawn"),
};
