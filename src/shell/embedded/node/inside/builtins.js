// Node's built-in modules, by name. Each is created when it is first requested.
import assertLibrary from "assert";
import { matching } from "./assert-matching.js";
import path from "path-browserify";
import { windowsPath } from "./windows-path.js";
import stringDecoder from "string_decoder/";
import { absent, absentModules } from "./absent.js";
import { AsyncLocalStorage, AsyncResource } from "./async-context.js";
import bufferModule from "./buffer.js";
import { diagnosticsChannel } from "./channels.js";
import childProcess from "./child-process.js";
import console from "./console.js";
import cryptoModule from "./crypto.js";
import { invalidArgType } from "./errors.js";
import events from "./events.js";
import fs from "./fs.js";
import { constants as fsConstants } from "./fs-core.js";
import fsPromises from "./fs-promises.js";
import { http, https } from "./http.js";
import { Module } from "./modules.js";
import net, { dns, dnsPromises } from "./net.js";
import os from "./os.js";
import process from "./process.js";
import querystring from "./querystring.js";
import readline, { promises as readlinePromises } from "./readline.js";
import stream, { consumers, promises as streamPromises } from "./stream.js";
import { reporters, test } from "./test.js";
import timers, { promises as timersPromises } from "./timers.js";
import { unrsResolver } from "./unrs-resolver.js";
import url from "./url.js";
import util from "./util.js";
import { v8 } from "./v8.js";
import { vm } from "./vm.js";
import * as web from "./web.js";
import { webStreams } from "./web-streams.js";
import { workerThreads } from "./worker-threads.js";
import zlib from "./zlib.js";
import comparisons from "assert/build/internal/util/comparisons.js";

const cache = new Map();
const once = (name, make) => () => {
  if (!cache.has(name)) cache.set(name, make());
  return cache.get(name);
};

const assert = assertLibrary;
for (const owner of [assert, assert.strict]) for (const name of ["throws", "rejects"]) owner[name] = matching(owner, name);
assert.strict = Object.assign((...args) => assert(...args), assert.strict);
for (const name of [
  "ok",
  "fail",
  "match",
  "doesNotMatch",
  "throws",
  "doesNotThrow",
  "rejects",
  "doesNotReject",
  "ifError",
  "strictEqual",
  "notStrictEqual",
  "deepStrictEqual",
  "notDeepStrictEqual",
])
  assert.strict[name] ??= assert[name];
assert.strict.strict = assert.strict;
// Fills in what the library lacks: compares only the properties that `expected` has.
assert.partialDeepStrictEqual ??= (actual, expected) => {
  const part = (value, wanted) =>
    typeof wanted === "object" && wanted !== null && typeof value === "object" && value !== null
      ? Object.keys(wanted).every((key) => part(value[key], wanted[key]))
      : comparisons.isDeepStrictEqual(value, wanted);
  if (!part(actual, expected)) assert.deepStrictEqual(actual, expected);
};

path.win32 = windowsPath(() => process.cwd());
const checked = ["basename", "dirname", "extname", "isAbsolute", "join", "normalize", "parse", "relative", "resolve"];
for (const [kind, name] of [path, path.win32].flatMap((each) => checked.map((method) => [each, method]))) {
  const plain = kind[name];
  kind[name] = {
    [name](...args) {
      for (const [at, given] of args.entries()) {
        if (typeof given === "string" || (name === "basename" && at === 1 && given === undefined)) continue;
        throw invalidArgType(
          name === "relative" ? ["from", "to"][at] : name === "basename" && at === 1 ? "suffix" : "path",
          "of type string",
          given,
        );
      }
      return plain.apply(kind, args);
    },
  }[name];
}
for (const kind of [path, path.win32]) {
  const { format } = kind;
  kind.format = {
    format(parts) {
      if (typeof parts !== "object" || parts === null) throw invalidArgType("pathObject", "of type object", parts);
      return format.call(kind, parts.ext && !parts.ext.startsWith(".") ? { ...parts, ext: `.${parts.ext}` } : parts);
    },
  }.format;
}
path.posix = path;
Object.assign(path.win32, { win32: path.win32, posix: path });
path.toNamespacedPath = (given) => given;

const builtins = {
  // Old names, which packages still load.
  _stream_duplex: () => stream.Duplex,
  _stream_passthrough: () => stream.PassThrough,
  _stream_readable: () => stream.Readable,
  _stream_transform: () => stream.Transform,
  _stream_writable: () => stream.Writable,
  assert: () => assert,
  "assert/strict": () => assert.strict,
  async_hooks: once("async_hooks", () => ({
    ...absent("asynchronous calls can't be watched here", "createHook"),
    AsyncLocalStorage,
    AsyncResource,
    executionAsyncId: () => 1,
    triggerAsyncId: () => 0,
    executionAsyncResource: () => ({}),
  })),
  buffer: () => bufferModule,
  child_process: () => childProcess,
  console: () => console,
  constants: once("constants", () => ({ ...fsConstants, ...os.constants.signals, ...os.constants.errno })),
  crypto: () => cryptoModule,
  diagnostics_channel: () => diagnosticsChannel,
  dns: () => dns,
  "dns/promises": () => dnsPromises,
  events: () => events,
  fs: () => fs,
  "fs/promises": () => fsPromises,
  http: () => http,
  https: () => https,
  module: () => Module,
  net: () => net,
  os: () => os,
  path: () => path,
  "path/posix": () => path,
  "path/win32": () => path.win32,
  perf_hooks: once("perf_hooks", () => ({
    performance: web.performance,
    PerformanceObserver: web.PerformanceObserver,
    PerformanceEntry: web.PerformanceEntry,
    constants: {},
    ...absent("it can't be measured here", "monitorEventLoopDelay createHistogram"),
  })),
  process: () => process,
  punycode: once("punycode", () => absent("punycode is deprecated and not here", "decode encode toASCII toUnicode")),
  querystring: () => querystring,
  readline: () => readline,
  "readline/promises": () => readlinePromises,
  stream: () => stream,
  "stream/consumers": () => consumers,
  "stream/promises": () => streamPromises,
  "stream/web": () => webStreams,
  string_decoder: () => stringDecoder,
  sys: () => util,
  test: () => test,
  "test/reporters": () => reporters,
  timers: () => timers,
  "timers/promises": () => timersPromises,
  tty: once("tty", () => ({ isatty: () => false, ...absent("there is no terminal here", "ReadStream WriteStream") })),
  url: () => url,
  util: () => util,
  "util/types": () => util.types,
  v8: once("v8", v8),
  vm: once("vm", vm),
  "vibey:unrs-resolver": once("vibey:unrs-resolver", unrsResolver),
  "vibey:unrs-resolver/package.json": () => ({ version: process.version.slice(1) }),
  worker_threads: once("worker_threads", workerThreads),
  zlib: () => zlib,
};
for (const [name, make] of Object.entries(absentModules)) builtins[name] = once(name, make);

export default builtins;
