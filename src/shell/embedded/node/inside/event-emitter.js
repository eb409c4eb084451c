import extracted from "node-inspect-extracted";
import { codeError, invalidArgType, outOfRange } from "./errors.js";
import { nextTick } from "./loop.js";

const captureRejection = Symbol.for("nodejs.rejection");
const errorMonitor = Symbol("events.errorMonitor");
const captures = Symbol("kCapture");
/** Only for `console.log`, which shows it in Node. */
const shapeMode = Symbol("shapeMode");
let defaultMaxListeners = 10;

/** Node's emitter. It has Node's own properties, `_events` and others, because packages read them. */
export function EventEmitter(options) {
  // oxlint-disable-next-line oxc/no-this-in-exported-function -- a constructor that programs call without `new`.
  EventEmitter.init.call(this, options);
}

EventEmitter.captureRejectionSymbol = captureRejection;
EventEmitter.errorMonitor = errorMonitor;
Object.defineProperties(EventEmitter, {
  captureRejections: {
    enumerable: true,
    get: () => EventEmitter.prototype[captures],
    set(value) {
      if (typeof value !== "boolean") throw invalidArgType("EventEmitter.captureRejections", "of type boolean", value);
      EventEmitter.prototype[captures] = value;
    },
  },
  defaultMaxListeners: {
    enumerable: true,
    get: () => defaultMaxListeners,
    set(count) {
      checkCount(count, "defaultMaxListeners");
      defaultMaxListeners = count;
    },
  },
});

EventEmitter.init = function (options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = Object.create(null);
    this._eventsCount = 0;
  }
  this._maxListeners ||= undefined;
  const given = options?.captureRejections;
  if (given !== undefined && typeof given !== "boolean") throw invalidArgType("options.captureRejections", "of type boolean", given);
  this[shapeMode] = false;
  this[captures] = given ?? EventEmitter.prototype[captures];
};

function checkCount(count, name) {
  if (typeof count !== "number") throw invalidArgType(name, "of type number", count);
  if (!(count >= 0)) throw outOfRange(name, ">= 0", count);
}

function checkListener(listener) {
  if (typeof listener !== "function") throw invalidArgType("listener", "of type function", listener);
}

/** Reports the rejection of a promise that a listener returned. */
function reportRejection(emitter, error, type, args) {
  if (typeof emitter[captureRejection] === "function") {
    emitter[captureRejection](error, type, ...args);
    return;
  }
  // A listener of `error` that rejects must not be called again.
  const before = emitter[captures];
  emitter[captures] = false;
  try {
    emitter.emit("error", error);
  } finally {
    emitter[captures] = before;
  }
}

function capture(emitter, answer, type, args) {
  try {
    if (typeof answer.then === "function") answer.then(undefined, (error) => nextTick(() => reportRejection(emitter, error, type, args)));
  } catch (error) {
    emitter.emit("error", error);
  }
}

function call(emitter, listener, type, args) {
  const answer = Reflect.apply(listener, emitter, args);
  if (answer !== undefined && answer !== null && emitter[captures]) capture(emitter, answer, type, args);
}

function throwUnhandled(value) {
  if (value instanceof Error) throw value;
  const error = codeError(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${extracted.inspect(value)})`);
  error.context = value;
  throw error;
}

function warnOfLeak(emitter, type, listeners) {
  const max = emitter.getMaxListeners();
  if (max <= 0 || listeners.length <= max || listeners.warned) return;
  listeners.warned = true;
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${listeners.length} ${String(type)} listeners added to ${extracted.inspect(emitter, { depth: -1 })}. ` +
      `MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`,
  );
  globalThis.process.emitWarning(Object.assign(warning, { name: "MaxListenersExceededWarning", emitter, type, count: listeners.length }));
}

function add(emitter, type, listener, first) {
  checkListener(listener);
  if (emitter._events === undefined) {
    emitter._events = Object.create(null);
    emitter._eventsCount = 0;
  } else if (emitter._events.newListener !== undefined) emitter.emit("newListener", type, listener.listener ?? listener);
  const events = emitter._events;
  const existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  // Node stores a single listener without an array. A running `emit` has its own copy of the array.
  const listeners = typeof existing === "function" ? [existing] : existing;
  if (first) listeners.unshift(listener);
  else listeners.push(listener);
  events[type] = listeners;
  warnOfLeak(emitter, type, listeners);
  return emitter;
}

function onceOnly(emitter, type, listener) {
  checkListener(listener);
  let fired = false;
  const wrapped = (...args) => {
    if (fired) return;
    fired = true;
    emitter.removeListener(type, wrapped);
    return Reflect.apply(listener, emitter, args);
  };
  // The name is Node's.
  Object.defineProperty(wrapped, "name", { value: "bound onceWrapper", configurable: true });
  wrapped.listener = listener;
  return wrapped;
}

function removeType(emitter, type) {
  if (--emitter._eventsCount === 0) emitter._events = Object.create(null);
  else delete emitter._events[type];
}

const listOf = (emitter, type) => {
  const found = emitter._events?.[type];
  return found === undefined ? [] : typeof found === "function" ? [found] : [...found];
};

const methods = {
  setMaxListeners(count) {
    checkCount(count, "setMaxListeners");
    this._maxListeners = count;
    return this;
  },
  getMaxListeners() {
    return this._maxListeners ?? defaultMaxListeners;
  },
  emit(type, ...args) {
    const events = this._events;
    if (type === "error") {
      if (events?.[errorMonitor] !== undefined) this.emit(errorMonitor, ...args);
      if (events?.error === undefined) throwUnhandled(args[0]);
    }
    const found = events?.[type];
    if (found === undefined) return false;
    if (typeof found === "function") call(this, found, type, args);
    else for (const listener of [...found]) call(this, listener, type, args);
    return true;
  },
  addListener(type, listener) {
    return add(this, type, listener, false);
  },
  // These two are set below, and stand here for Node's order.
  on: undefined,
  prependListener(type, listener) {
    return add(this, type, listener, true);
  },
  once(type, listener) {
    return this.on(type, onceOnly(this, type, listener));
  },
  prependOnceListener(type, listener) {
    return this.prependListener(type, onceOnly(this, type, listener));
  },
  removeListener(type, listener) {
    checkListener(listener);
    const found = this._events?.[type];
    if (found === undefined) return this;
    let removed = listener;
    if (found === listener || found.listener === listener) {
      removed = found.listener ?? listener;
      removeType(this, type);
    } else {
      const at = typeof found === "function" ? -1 : found.findLastIndex((one) => one === listener || one.listener === listener);
      if (at < 0) return this;
      found.splice(at, 1);
      if (found.length === 1) [this._events[type]] = found;
    }
    if (this._events.removeListener !== undefined) this.emit("removeListener", type, removed);
    return this;
  },
  off: undefined,
  removeAllListeners(type) {
    const events = this._events;
    if (events === undefined) return this;
    const all = arguments.length === 0;
    if (events.removeListener !== undefined) {
      if (all) {
        for (const key of Reflect.ownKeys(events)) if (key !== "removeListener") this.removeAllListeners(key);
        return this.removeAllListeners("removeListener");
      }
      for (const listener of listOf(this, type).toReversed()) this.removeListener(type, listener);
    } else if (all) {
      this._events = Object.create(null);
      this._eventsCount = 0;
    } else if (events[type] !== undefined) removeType(this, type);
    return this;
  },
  listeners(type) {
    return listOf(this, type).map((listener) => listener.listener ?? listener);
  },
  rawListeners(type) {
    return listOf(this, type);
  },
  listenerCount(type, listener) {
    const all = listOf(this, type);
    return typeof listener === "function" ? all.filter((one) => one === listener || one.listener === listener).length : all.length;
  },
  eventNames() {
    return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
  },
};

methods.on = methods.addListener;
methods.off = methods.removeListener;
// Enumerable, as in Node: packages copy the methods with `for … in`.
Object.assign(EventEmitter.prototype, { _events: undefined, _eventsCount: 0, _maxListeners: undefined }, methods);
Object.defineProperty(EventEmitter.prototype, captures, { value: false, writable: true });
