// The globals of web standards. Import this first: the packages check for some of them when they load.
import { host } from "./host.js";
import { codeError, invalidArgType, notHere } from "./errors.js";

export class Event {
  #type;
  #options;
  #stopped = false;
  #prevented = false;
  #time = host("now");
  constructor(type, options = {}) {
    this.#type = String(type);
    this.#options = options ?? {};
    this.target = null;
    this.currentTarget = null;
  }
  get type() {
    return this.#type;
  }
  get bubbles() {
    return Boolean(this.#options.bubbles);
  }
  get cancelable() {
    return Boolean(this.#options.cancelable);
  }
  get defaultPrevented() {
    return this.#prevented;
  }
  get timeStamp() {
    return this.#time;
  }
  get stopped() {
    return this.#stopped;
  }
  preventDefault() {
    if (this.cancelable) this.#prevented = true;
  }
  stopPropagation() {}
  stopImmediatePropagation() {
    this.#stopped = true;
  }
}

export class CustomEvent extends Event {
  #detail;
  constructor(type, options = {}) {
    super(type, options);
    this.#detail = options.detail ?? null;
  }
  get detail() {
    return this.#detail;
  }
}

export class EventTarget {
  #listeners = new Map();
  addEventListener(type, listener, options) {
    if (listener === null || listener === undefined) return;
    const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
    if (signal?.aborted) return;
    const list = this.#listeners.get(type) ?? [];
    if (list.some((entry) => entry.listener === listener)) return;
    list.push({ listener, once });
    this.#listeners.set(type, list);
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }
  removeEventListener(type, listener) {
    this.#listeners.set(
      type,
      (this.#listeners.get(type) ?? []).filter((entry) => entry.listener !== listener),
    );
  }
  dispatchEvent(event) {
    if (!(event instanceof Event)) throw invalidArgType("event", "an instance of Event", event);
    event.target = this;
    event.currentTarget = this;
    for (const { listener, once } of [...(this.#listeners.get(event.type) ?? [])]) {
      if (once) this.removeEventListener(event.type, listener);
      try {
        if (typeof listener === "function") listener.call(this, event);
        else listener.handleEvent(event);
      } catch (error) {
        process.nextTick(() => {
          throw error;
        });
      }
      if (event.stopped) break;
    }
    return !event.defaultPrevented;
  }
}

const secret = Symbol("abort");

export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  #handler = null;
  constructor(key) {
    super();
    if (key !== secret) throw codeError(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
  }
  get aborted() {
    return this.#aborted;
  }
  get reason() {
    return this.#reason;
  }
  get onabort() {
    return this.#handler;
  }
  set onabort(handler) {
    if (this.#handler) this.removeEventListener("abort", this.#handler);
    this.#handler = handler;
    if (handler) this.addEventListener("abort", handler);
  }
  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }
  [secret](reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
    this.dispatchEvent(new Event("abort"));
  }
  static abort(reason) {
    const signal = new AbortSignal(secret);
    signal[secret](reason);
    return signal;
  }
  static timeout(delay) {
    const signal = new AbortSignal(secret);
    globalThis
      .setTimeout(() => signal[secret](new DOMException("The operation was aborted due to timeout", "TimeoutError")), delay)
      .unref();
    return signal;
  }
  static any(signals) {
    const signal = new AbortSignal(secret);
    for (const one of signals) {
      if (one.aborted) {
        signal[secret](one.reason);
        break;
      }
      one.addEventListener("abort", () => signal[secret](one.reason), { once: true });
    }
    return signal;
  }
  get [Symbol.toStringTag]() {
    return "AbortSignal";
  }
}

export class AbortController {
  #signal = new AbortSignal(secret);
  get signal() {
    return this.#signal;
  }
  abort(reason) {
    this.#signal[secret](reason);
  }
  get [Symbol.toStringTag]() {
    return "AbortController";
  }
}

const custom = Symbol.for("nodejs.util.inspect.custom");
Object.defineProperty(AbortSignal.prototype, custom, {
  value() {
    return `AbortSignal { aborted: ${this.aborted} }`;
  },
});
Object.defineProperty(AbortController.prototype, custom, {
  value() {
    return `AbortController { signal: AbortSignal { aborted: ${this.signal.aborted} } }`;
  },
});

const cloneError = (value, text) => {
  throw new DOMException(`${text ?? String(value)} could not be cloned.`, "DataCloneError");
};

export function structuredClone(value, options) {
  if (arguments.length === 0) throw codeError(TypeError, "ERR_MISSING_ARGS", 'The "value" argument must be specified');
  if (options?.transfer?.length > 0 && options.transfer.some((item) => !(item instanceof ArrayBuffer)))
    throw notHere("only buffers can be transferred here");
  return cloned(value);
}

/** Marks objects that can be sent only by transfer, not copied. */
export const needsTransfer = Symbol("needsTransfer");

/** Copies a value; `replaced` maps objects to their replacements. */
export function cloned(value, replaced = new Map()) {
  const met = new Map(replaced);
  const errors = new Map([EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((type) => [type.name, type]));
  const clone = (given) => {
    if (typeof given === "function") return cloneError(given);
    if (typeof given === "symbol") return cloneError(given, given.toString());
    if (typeof given !== "object" || given === null) return given;
    if (met.has(given)) return met.get(given);
    if (given[needsTransfer] === true)
      throw codeError(
        TypeError,
        "ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST",
        "Object that needs transfer was found in message but not listed in transferList",
      );
    const keep = (copy) => {
      met.set(given, copy);
      return copy;
    };
    const tag = Object.prototype.toString.call(given).slice(8, -1);
    if (tag === "Date" && given instanceof Date) return keep(new Date(given.getTime()));
    if (tag === "RegExp" && given instanceof RegExp) return keep(new RegExp(given.source, given.flags));
    if (given instanceof Map) {
      const copy = keep(new Map());
      for (const [key, entry] of given) copy.set(clone(key), clone(entry));
      return copy;
    }
    if (given instanceof Set) {
      const copy = keep(new Set());
      for (const entry of given) copy.add(clone(entry));
      return copy;
    }
    if (given instanceof ArrayBuffer) return keep(given.slice(0));
    // Messages to another process reject it.
    if (given instanceof SharedArrayBuffer) return keep(given);
    if (ArrayBuffer.isView(given)) {
      const buffer = clone(given.buffer);
      const Type =
        given instanceof DataView
          ? DataView
          : (globalThis[Object.getPrototypeOf(Uint8Array.prototype)[Symbol.toStringTag] ?? tag] ?? Uint8Array);
      return keep(new Type(buffer, given.byteOffset, given instanceof DataView ? given.byteLength : given.length));
    }
    if (given instanceof Error) {
      const Type = errors.get(given.name) ?? Error;
      const copy = keep(Object.create(Type.prototype));
      const fresh = new Type(given.message);
      met.set(given, fresh);
      Object.defineProperty(fresh, "stack", { value: given.stack, writable: true, configurable: true });
      if ("cause" in given) Object.defineProperty(fresh, "cause", { value: clone(given.cause), writable: true, configurable: true });
      return copy && fresh;
    }
    if (given instanceof Boolean || given instanceof Number || given instanceof String) return keep(Object(given.valueOf()));
    if (given instanceof WeakMap || given instanceof WeakSet || given instanceof WeakRef || given instanceof Promise)
      return cloneError(given, `#<${tag}>`);
    const copy = keep(Array.isArray(given) ? new Array(given.length) : {});
    for (const key of Object.keys(given)) copy[key] = clone(given[key]);
    return copy;
  };
  return clone(value);
}

let origin = 0;
const marks = [];
class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail) {
    Object.assign(this, { name, entryType, startTime, duration, detail: detail ?? null });
  }
  toJSON() {
    return { ...this };
  }
}
const timeOf = (mark) => {
  if (typeof mark === "number") return mark;
  const found = marks.findLast(({ name, entryType }) => name === mark && entryType === "mark");
  if (!found) throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
  return found.startTime;
};
const observers = new Set();
const record = (entry) => {
  marks.push(entry);
  for (const observer of observers) observer.heard(entry);
  return entry;
};
export class PerformanceObserver {
  #callback;
  #types = [];
  #entries = [];
  constructor(callback) {
    this.#callback = callback;
  }
  observe({ entryTypes, type }) {
    this.#types = entryTypes ?? [type];
    observers.add(this);
  }
  disconnect() {
    observers.delete(this);
  }
  heard(entry) {
    if (!this.#types.includes(entry.entryType)) return;
    if (this.#entries.push(entry) === 1)
      globalThis.setImmediate(() => {
        const entries = this.#entries.splice(0);
        this.#callback(
          {
            getEntries: () => entries,
            getEntriesByName: (name) => entries.filter((one) => one.name === name),
            getEntriesByType: (kind) => entries.filter((one) => one.entryType === kind),
          },
          this,
        );
      });
  }
}
export const performance = {
  now: () => host("now") - origin,
  get timeOrigin() {
    return host("timeOrigin") + origin;
  },
  mark: (name, options = {}) =>
    record(new PerformanceEntry(String(name), "mark", options.startTime ?? performance.now(), 0, options.detail)),
  measure(name, start, end) {
    const from = typeof start === "object" && start !== null ? start.start : start;
    const to = typeof start === "object" && start !== null ? start.end : end;
    const begin = from === undefined ? 0 : timeOf(from);
    return record(new PerformanceEntry(name, "measure", begin, (to === undefined ? performance.now() : timeOf(to)) - begin, start?.detail));
  },
  getEntries: () => [...marks],
  getEntriesByName: (name) => marks.filter((entry) => entry.name === name),
  getEntriesByType: (type) => marks.filter((entry) => entry.entryType === type),
  clearMarks: (name) =>
    void marks.splice(
      0,
      marks.length,
      ...marks.filter((entry) => entry.entryType !== "mark" || (name !== undefined && entry.name !== name)),
    ),
  clearMeasures: (name) =>
    void marks.splice(
      0,
      marks.length,
      ...marks.filter((entry) => entry.entryType !== "measure" || (name !== undefined && entry.name !== name)),
    ),
  timerify: (fn) => fn,
  eventLoopUtilization: () => ({ idle: 0, active: performance.now(), utilization: 1 }),
  toJSON: () => ({ timeOrigin: performance.timeOrigin, nodeTiming: {}, eventLoopUtilization: performance.eventLoopUtilization() }),
  [Symbol.toStringTag]: "Performance",
};
export { PerformanceEntry };

export function startClock() {
  origin = host("now");
}

Object.assign(globalThis, { AbortController, AbortSignal, Event, EventTarget });
