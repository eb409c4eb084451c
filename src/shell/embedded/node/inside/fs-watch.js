// Watches files, in the browser's own engine: the process learns of its own changes at once, and of others' soon after they were made.
import { bind } from "./async-context.js";
import { systemError } from "./errors.js";
import EventEmitter from "./events.js";
import { pathOf, rawStat } from "./fs-paths.js";
import { noWatching, statSync } from "./fs-names.js";
import { Stats } from "./fs-stats.js";
import { host } from "./host.js";
import { guard, nextTick } from "./loop.js";
import { hasProcesses } from "./other-processes.js";
import { absolute } from "./process.js";

/** The id under which `hold` keeps the process alive while something is watched; no other process has it. */
const own = -2;

/** All watchers, with the number of the last change before they started to listen. Those in `holding` keep the process alive. */
const listening = new Map();
const holding = new Set();

function listen(one, holds) {
  if (!hasProcesses()) noWatching();
  if (listening.size === 0) host("files.watch", true);
  listening.set(one, host("files.changesSoFar"));
  hold(one, holds);
}

function stop(one) {
  if (!listening.delete(one)) return;
  hold(one, false);
  if (listening.size === 0) host("files.watch", false);
}

function hold(one, on) {
  if (on) holding.add(one);
  else holding.delete(one);
  host("hold", own, holding.size > 0);
}

/** `kind`: made, changed or gone. */
export function filesChanged(number, json) {
  for (const [kind, path] of JSON.parse(json))
    for (const one of [...listening.keys()]) if (listening.get(one) < number) guard(() => one.hear(kind, path));
}

const nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

export class FSWatcher extends EventEmitter {
  #path;
  #isFolder;
  #recursive;
  #encoding;
  #closed = false;
  constructor(path, { persistent = true, recursive = false, encoding = "utf8", signal } = {}) {
    super();
    const given = pathOf(path, "filename");
    this.#path = absolute(given).replace(/(.)\/+$/, "$1");
    this.#recursive = recursive;
    this.#encoding = encoding;
    const stat = hasProcesses() ? rawStat(this.#path) : noWatching();
    if (stat === null) throw Object.assign(systemError("ENOENT", "watch", given), { filename: given });
    this.#isFolder = stat.kind === "folder";
    listen(this, persistent);
    if (signal?.aborted) nextTick(() => this.close());
    else signal?.addEventListener("abort", () => this.close(), { once: true });
  }
  hear(kind, path) {
    const name = this.#nameOf(path);
    if (name === null) return;
    const tell = (event) => {
      if (!this.#closed) this.emit("change", event, this.#encoding === "buffer" ? globalThis.Buffer.from(name) : name);
    };
    if (kind !== "changed") tell("rename");
    if (kind === "changed" || (kind === "made" && rawStat(path)?.kind === "file")) tell("change");
  }
  /** The name to report for a changed file; null: it is not watched. */
  #nameOf(path) {
    if (path === this.#path) return nameOf(path);
    if (!this.#isFolder) return null;
    if (folderOf(path) === this.#path) return nameOf(path);
    const start = this.#path === "/" ? "/" : `${this.#path}/`;
    return this.#recursive && path.startsWith(start) ? path.slice(start.length) : null;
  }
  close() {
    if (this.#closed) return;
    this.#closed = true;
    stop(this);
    nextTick(() => this.emit("close"));
  }
  ref() {
    if (!this.#closed) hold(this, true);
    return this;
  }
  unref() {
    hold(this, false);
    return this;
  }
}

export function watch(path, optionsOrListener, maybeListener) {
  const listener = typeof optionsOrListener === "function" ? optionsOrListener : maybeListener;
  const options = typeof optionsOrListener === "string" ? { encoding: optionsOrListener } : optionsOrListener;
  const watcher = new FSWatcher(path, typeof options === "object" && options !== null ? options : {});
  if (typeof listener === "function") watcher.on("change", bind(listener));
  return watcher;
}

const nothing = (bigint) => new Stats({ kind: "nothing", size: 0, mtime: 0, mode: 0, id: 0 }, bigint);

export class StatWatcher extends EventEmitter {
  #path;
  #bigint;
  #before;
  constructor(path, { persistent = true, bigint = false } = {}) {
    super();
    this.#path = path;
    this.#bigint = bigint;
    this.#before = this.#now();
    listen(this, persistent);
    // A missing file is reported at once.
    if (rawStat(path) === null) nextTick(() => this.emit("change", this.#before, this.#before));
  }
  #now() {
    return rawStat(this.#path) === null ? nothing(this.#bigint) : statSync(this.#path, { bigint: this.#bigint });
  }
  hear(_kind, path) {
    if (path !== this.#path && !this.#path.startsWith(`${path}/`)) return;
    const before = this.#before;
    this.#before = this.#now();
    this.emit("change", this.#before, before);
  }
  stop() {
    stop(this);
    nextTick(() => this.emit("stop"));
  }
  ref() {
    if (listening.has(this)) hold(this, true);
    return this;
  }
  unref() {
    hold(this, false);
    return this;
  }
}

const statWatchers = new Map();

export function watchFile(path, optionsOrListener, maybeListener) {
  const listener = typeof optionsOrListener === "function" ? optionsOrListener : maybeListener;
  const at = absolute(pathOf(path, "filename"));
  let watcher = statWatchers.get(at);
  if (watcher === undefined) {
    watcher = new StatWatcher(at, typeof optionsOrListener === "object" ? optionsOrListener : {});
    statWatchers.set(at, watcher);
  }
  watcher.on("change", listener);
  return watcher;
}

export function unwatchFile(path, listener) {
  const at = absolute(pathOf(path, "filename"));
  const watcher = statWatchers.get(at);
  if (watcher === undefined) return;
  if (listener === undefined) watcher.removeAllListeners("change");
  else watcher.removeListener("change", listener);
  if (watcher.listenerCount("change") > 0) return;
  statWatchers.delete(at);
  watcher.stop();
}

/** Watches as an asynchronous iterator. */
export async function* watchEach(path, options = {}) {
  const { signal, ...rest } = options;
  signal?.throwIfAborted();
  const watcher = new FSWatcher(path, rest);
  const found = [];
  let wake = null;
  let failure = null;
  const abort = () => {
    failure = Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { name: "AbortError", code: "ABORT_ERR" });
    wake?.();
  };
  signal?.addEventListener("abort", abort, { once: true });
  watcher.on("change", (eventType, filename) => {
    found.push({ eventType, filename });
    wake?.();
  });
  try {
    for (;;) {
      yield* found.splice(0);
      if (failure !== null) throw failure;
      if (found.length === 0) await new Promise((resolve) => (wake = resolve));
      wake = null;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    watcher.close();
  }
}
