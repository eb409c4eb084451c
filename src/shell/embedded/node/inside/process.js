import EventEmitter from "./events.js";
import { host } from "./host.js";
import { codeError, invalidArgType, notHere, systemError } from "./errors.js";
import { nextTick } from "./loop.js";
import { standardStreams } from "./standard-streams.js";
import { signalName, signals } from "./signals.js";
import { leave, stop } from "./uncaught.js";

const process = new EventEmitter();
// The prototype makes it look like a plain object and work as an emitter.
Object.setPrototypeOf(
  process,
  Object.create(EventEmitter.prototype, { constructor: { value: function process() {}, writable: true, configurable: true } }),
);
for (const key of ["_events", "_eventsCount", "_maxListeners", "domain"]) {
  const found = Object.getOwnPropertyDescriptor(process, key);
  if (found) Object.defineProperty(process, key, { ...found, enumerable: false });
}

let started = 0;
let folder = "/";
let code;
let mask = 0o022;

export function setUp({ version, cwd, env, execArgv, engine }) {
  started = host("now");
  folder = cwd;
  process.version = version;
  process.versions = Object.freeze({
    node: version.slice(1),
    ...(engine === "browser"
      ? { v8: "0.0.0-browser" }
      : {
          quickjs: "0.17.0",
          "quickjs-wasi": "3.6.2",
          v8: "0.0.0-quickjs",
        }),
    uv: "0.0.0",
    modules: "115",
  });
  process.env = environment(env);
  process.execArgv = execArgv;
  const has = (name) => execArgv.includes(name) || undefined;
  process.noDeprecation = has("--no-deprecation");
  process.throwDeprecation = has("--throw-deprecation");
  const title = execArgv.findLast((word) => word.startsWith("--title"));
  if (title !== undefined) process.title = title.slice("--title=".length) || (execArgv[execArgv.lastIndexOf("--title") + 1] ?? "");
}

/** Every value that is set becomes a string, as in a real environment. */
function environment(variables) {
  return new Proxy(
    { ...variables },
    {
      set(target, key, value) {
        if (typeof key === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
        target[key] = String(value);
        return true;
      },
      defineProperty(target, key, descriptor) {
        return Reflect.defineProperty(
          target,
          key,
          "value" in descriptor
            ? { ...descriptor, value: String(descriptor.value), configurable: true, enumerable: true, writable: true }
            : descriptor,
        );
      },
    },
  );
}

/** The processes that this program has started, by id. */
export const children = new Map();

const hrtime = (before) => {
  const now = host("now");
  let seconds = Math.floor(now / 1000);
  let nanos = Math.floor((now % 1000) * 1e6);
  if (before !== undefined) {
    if (!Array.isArray(before)) throw invalidArgType("time", "an instance of Array", before);
    seconds -= before[0];
    nanos -= before[1];
    if (nanos < 0) {
      seconds--;
      nanos += 1e9;
    }
  }
  return [seconds, nanos];
};
hrtime.bigint = () => BigInt(Math.round(host("now") * 1e6));

const memoryUsage = () => {
  const { mallocSize, memoryUsedSize, binaryObjectSize } = JSON.parse(host("memory"));
  return { rss: mallocSize, heapTotal: mallocSize, heapUsed: memoryUsedSize, external: binaryObjectSize, arrayBuffers: binaryObjectSize };
};
memoryUsage.rss = () => memoryUsage().rss;

let warningsOn = true;
export function setWarnings(on) {
  warningsOn = on;
}
let hinted = false;

const own = {
  title: "node",
  argv: [],
  argv0: "node",
  execPath: "/usr/bin/node",
  execArgv: [],
  pid: 4242,
  ppid: 4241,
  platform: "linux",
  arch: "x64",
  release: { name: "node", lts: "Iron" },
  config: { target_defaults: {}, variables: {} },
  features: { inspector: false, debug: false, uv: false, ipv6: false, tls: false, typescript: "transform" },
  allowedNodeEnvironmentFlags: new Set(),
  nextTick,
  hrtime,
  memoryUsage,
  uptime: () => (host("now") - started) / 1000,
  cpuUsage: (before) => {
    const user = Math.round((host("now") - started) * 1000);
    return { user: user - (before?.user ?? 0), system: 0 - (before?.system ?? 0) };
  },
  resourceUsage: () => ({
    userCPUTime: Math.round((host("now") - started) * 1000),
    systemCPUTime: 0,
    maxRSS: Math.round(memoryUsage().rss / 1024),
  }),
  constrainedMemory: () => 512 * 1024 * 1024,
  cwd: () => folder,
  chdir(given) {
    if (typeof given !== "string") throw invalidArgType("directory", "of type string", given);
    const path = absolute(given);
    const stat = host("fs.stat", path);
    if (stat === null) throw systemError("ENOENT", "chdir", folder, given);
    if (JSON.parse(stat).kind !== "folder") throw systemError("ENOTDIR", "chdir", folder, given);
    folder = path;
  },
  umask(given) {
    const before = mask;
    if (given !== undefined) mask = typeof given === "string" ? Number.parseInt(given, 8) : given;
    return before;
  },
  getuid: () => 1000,
  geteuid: () => 1000,
  getgid: () => 1000,
  getegid: () => 1000,
  getgroups: () => [1000],
  exit: (given) => leave(given),
  reallyExit: (given) => stop(Number(given ?? 0)),
  abort() {
    host("print", 2, "Aborted\n");
    stop(134);
  },
  kill(pid, signal = "SIGTERM") {
    if (signal === 0 && (pid === process.pid || pid === process.ppid)) return true;
    if (pid !== process.pid) {
      // A group has the id of its first process.
      const child = children.get(Math.abs(pid));
      if (child === undefined || !child.kill(signal))
        throw Object.assign(new Error("kill ESRCH"), { errno: -3, code: "ESRCH", syscall: "kill" });
      return true;
    }
    const name = signalName(signal);
    if (name === undefined) throw codeError(TypeError, "ERR_UNKNOWN_SIGNAL", `Unknown signal: ${signal}`);
    if (process.listenerCount(name) === 0) return stop(128 + signals[name]);
    nextTick(() => process.emit(name, name, signals[name]));
    return true;
  },
  emitWarning(warning, options, maybeCode) {
    const {
      type = "Warning",
      code: warningCode = maybeCode,
      detail,
    } = typeof options === "object" && options !== null ? options : { type: options };
    if (type === "DeprecationWarning" && process.noDeprecation) return;
    const error = warning instanceof Error ? warning : Object.assign(new Error(warning), { name: type });
    if (warningCode !== undefined && !(warning instanceof Error)) error.code = warningCode;
    if (detail !== undefined) error.detail = detail;
    if (type === "DeprecationWarning" && process.throwDeprecation) {
      nextTick(() => {
        throw error;
      });
      return;
    }
    nextTick(() => {
      if (warningsOn) {
        host(
          "print",
          2,
          `(node:${process.pid}) ${error.code ? `[${error.code}] ` : ""}${error.name}: ${error.message}\n${detail ? `${detail}\n` : ""}`,
        );
        if (!hinted) host("print", 2, "(Use `node --trace-warnings ...` to show where the warning was created)\n");
        hinted = true;
      }
      process.emit("warning", error);
    });
  },
  binding(name) {
    // Programs that observe started processes look at this binding, but nothing is started through it.
    if (name === "spawn_sync") return { spawn: () => process.binding("") };
    throw codeError(Error, "ERR_INVALID_MODULE", `No such binding: ${name}`);
  },
  dlopen() {
    throw notHere("native code can't be loaded here");
  },
  setUncaughtExceptionCaptureCallback() {
    throw notHere("process.setUncaughtExceptionCaptureCallback is not here; use process.on('uncaughtException')");
  },
  hasUncaughtExceptionCaptureCallback: () => false,
  setSourceMapsEnabled() {},
  getActiveResourcesInfo: () => [],
  getBuiltinModule: (name) => {
    try {
      return globalThis[Symbol.for("vibey.node")].builtin(name.replace(/^node:/, ""));
    } catch {
      // There is no built-in module of that name.
      return undefined;
    }
  },
  loadEnvFile() {
    throw notHere("process.loadEnvFile is not here; use node --env-file");
  },
  report: {
    writeReport() {
      throw notHere("there are no diagnostic reports here");
    },
  },
};
for (const [key, value] of Object.entries(own)) process[key] = value;

export const absolute = (path) => {
  const kept = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
};

Object.defineProperty(process, "exitCode", {
  configurable: true,
  enumerable: true,
  get: () => code,
  set(value) {
    if (value !== undefined && value !== null && !(Number.isInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value))))
      throw codeError(
        Number.isFinite(value) ? RangeError : TypeError,
        Number.isFinite(value) ? "ERR_OUT_OF_RANGE" : "ERR_INVALID_ARG_TYPE",
        `The "code" argument must be of type number. Received ${typeof value === "string" ? `type string ('${value}')` : String(value)}`,
      );
    code = value ?? undefined;
  },
});
for (const name of ["stdin", "stdout", "stderr"]) {
  let stream;
  Object.defineProperty(process, name, {
    configurable: true,
    enumerable: true,
    get: () => (stream ??= standardStreams[name]()),
    set(value) {
      stream = value;
    },
  });
}
Object.defineProperty(process, Symbol.toStringTag, { value: "process", configurable: true });

export default process;
