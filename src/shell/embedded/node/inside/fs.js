import { bind } from "./async-context.js";
import { Buffer } from "./buffer.js";
import * as core from "./fs-core.js";
import { notHere, invalidArgType } from "./errors.js";
import { calledBack } from "./loop.js";
import promises from "./fs-promises.js";
import { FSWatcher, StatWatcher, unwatchFile, watch, watchFile } from "./fs-watch.js";
import { stdinWaits, whenStdin } from "./standard-input.js";
import { ReadStream, WriteStream } from "./fs-streams.js";

/** Wraps a synchronous function with a callback, which is called in a turn of its own. */
function withCallback(sync, name) {
  const called = (...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw invalidArgType("cb", "of type function", callback);
    // As in Node, invalid arguments throw at once.
    let outcome;
    try {
      outcome = [null, sync(...args)];
    } catch (error) {
      if (error.code?.startsWith("ERR_INVALID_ARG")) throw error;
      outcome = [error];
    }
    calledBack(() => callback(...(outcome.length === 2 && outcome[1] === undefined ? [null] : outcome)));
  };
  Object.defineProperty(called, "name", { value: name, configurable: true });
  return called;
}

const fs = {};
for (const [name, sync] of Object.entries(core)) {
  if (!name.endsWith("Sync") || typeof sync !== "function") continue;
  fs[name] = sync;
  const plain = name.slice(0, -4);
  fs[plain] = withCallback(sync, plain);
}
const waitsForStdin = (fd) => core.isStdin(fd) && stdinWaits();
/** Functions that also give back the buffer, or the buffers if `many`. */
const twoResults = (name, sync, many = false) => {
  const reads = name.startsWith("read");
  fs[name] = (fd, ...args) => {
    const callback = args.pop();
    if (typeof callback !== "function") throw invalidArgType("cb", "of type function", callback);
    let [given, ...rest] = args;
    // The buffer is optional, and can be one of the options.
    if (name === "read" && (given === undefined || given === null || (typeof given === "object" && !ArrayBuffer.isView(given)))) {
      rest = [given ?? {}];
      given = given?.buffer ?? Buffer.alloc(16_384);
    }
    const run = () => {
      let outcome;
      try {
        outcome = [null, sync(fd, given, ...rest), given];
      } catch (error) {
        outcome = [error];
      }
      calledBack(() => callback(...outcome));
    };
    // Another read may have taken the data that arrived.
    const attempt = () => {
      if (name === "read" && waitsForStdin(fd)) whenStdin(bind(attempt));
      else run();
    };
    attempt();
  };
  Object.defineProperty(fs[name], Symbol.for("nodejs.util.promisify.custom"), {
    value: (...args) =>
      new Promise((resolve, reject) => {
        fs[name](...args, (error, count, given) =>
          error ? reject(error) : resolve({ [reads ? "bytesRead" : "bytesWritten"]: count, [many ? "buffers" : "buffer"]: given }),
        );
      }),
  });
};
twoResults("read", core.readSync);
twoResults("write", core.writeSync);
twoResults("readv", core.readvSync, true);
twoResults("writev", core.writevSync, true);
fs.exists = (path, callback) => {
  const there = core.existsSync(path);
  calledBack(() => callback(there));
};
Object.defineProperty(fs.exists, Symbol.for("nodejs.util.promisify.custom"), { value: async (path) => core.existsSync(path) });
fs.realpath.native = fs.realpath;
fs.lchownSync = core.chownSync;
fs.lchown = withCallback(core.chownSync, "lchown");
fs.lutimesSync = core.utimesSync;
fs.lutimes = withCallback(core.utimesSync, "lutimes");

Object.assign(fs, {
  constants: core.constants,
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  Dir: core.Dir,
  Dirent: core.Dirent,
  Stats: core.Stats,
  ReadStream,
  WriteStream,
  FileReadStream: ReadStream,
  FileWriteStream: WriteStream,
  createReadStream: (path, options) => new ReadStream(path, options),
  createWriteStream: (path, options) => new WriteStream(path, options),
  FSWatcher,
  StatWatcher,
  watch,
  watchFile,
  unwatchFile,
  openAsBlob: async (path) => new globalThis.Blob([core.readFileSync(path)]),
  globSync() {
    throw notHere("fs.globSync came with Node 22 and is not here");
  },
});
Object.defineProperty(fs, "promises", { value: promises, enumerable: true, configurable: true });

export default fs;
