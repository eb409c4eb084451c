import Library from "events/";
import { AsyncResource } from "./async-context.js";
import { codeError, invalidArgType } from "./errors.js";
import { nextTick } from "./loop.js";

const captureRejection = Symbol.for("nodejs.rejection");
const errorMonitor = Symbol("events.errorMonitor");

/** The library's emitter takes no options. */
function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}
const { name: _name, length: _length, prototype, ...rest } = Object.getOwnPropertyDescriptors(Library);
Object.defineProperties(EventEmitter, rest);
EventEmitter.prototype = prototype.value;
EventEmitter.prototype.constructor = EventEmitter;

const emit = EventEmitter.prototype.emit;
const captures = Symbol("kCapture");

const init = Library.init;
EventEmitter.init = function (options) {
  init.call(this);
  if (options?.captureRejections !== undefined && typeof options.captureRejections !== "boolean")
    throw invalidArgType("options.captureRejections", "of type boolean", options.captureRejections);
  if (options?.captureRejections ?? EventEmitter.captureRejections)
    Object.defineProperty(this, captures, { value: true, configurable: true, writable: true });
};

/** Calls a listener that may return a promise, and tells the emitter if that rejects. */
function capturing(emitter, type, listener) {
  return function (...args) {
    const answer = Reflect.apply(listener, this, args);
    if (typeof answer?.then === "function")
      answer.then(undefined, (error) =>
        nextTick(() => {
          if (typeof emitter[captureRejection] === "function") emitter[captureRejection](error, type, ...args);
          else emitter.emit("error", error);
        }),
      );
    return answer;
  };
}

EventEmitter.prototype.emit = function (type, ...args) {
  if (this[captures] === true && type !== "error") {
    const listeners = this.rawListeners(type);
    for (const listener of listeners) Reflect.apply(capturing(this, type, listener), this, args);
    return listeners.length > 0;
  }
  if (type !== "error") return emit.call(this, type, ...args);
  if (this._events?.[errorMonitor] !== undefined) emit.call(this, errorMonitor, ...args);
  if (this.listenerCount("error") > 0 || args[0] instanceof Error) return emit.call(this, type, ...args);
  const [value] = args;
  const error = codeError(Error, "ERR_UNHANDLED_ERROR", `Unhandled error. (${typeof value === "string" ? `'${value}'` : String(value)})`);
  error.context = value;
  throw error;
};

export default EventEmitter;

function aborted(signal) {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  error.code = "ABORT_ERR";
  return error;
}

const once = EventEmitter.once;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.captureRejectionSymbol = captureRejection;
EventEmitter.captureRejections = false;
EventEmitter.errorMonitor = errorMonitor;
EventEmitter.usingDomains = false;
EventEmitter.once = (emitter, name, options = {}) => {
  const { signal } = options;
  if (signal?.aborted) return Promise.reject(aborted(signal));
  if (typeof emitter.on !== "function" && typeof emitter.addEventListener === "function")
    return new Promise((resolve, reject) => {
      emitter.addEventListener(name, (event) => resolve([event]), { once: true });
      signal?.addEventListener("abort", () => reject(aborted(signal)), { once: true });
    });
  if (!signal) return once(emitter, name);
  return Promise.race([
    once(emitter, name),
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(aborted(signal)), { once: true })),
  ]);
};
EventEmitter.on = (emitter, name, options = {}) => {
  const { signal, close = [] } = options;
  if (signal?.aborted) throw aborted(signal);
  const queue = [];
  const waiting = [];
  let failure = null;
  let ended = false;
  const push = (...args) => (waiting.length > 0 ? waiting.shift().resolve({ value: args, done: false }) : void queue.push(args));
  const fail = (error) => (waiting.length > 0 ? waiting.shift().reject(error) : void (failure = error));
  const end = () => {
    ended = true;
    emitter.removeListener(name, push);
    emitter.removeListener("error", fail);
    for (const { resolve } of waiting.splice(0)) resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  emitter.on(name, push);
  if (name !== "error") emitter.on("error", fail);
  for (const closing of close) emitter.on(closing, end);
  signal?.addEventListener("abort", () => fail(aborted(signal)), { once: true });
  return {
    next() {
      if (queue.length > 0) return Promise.resolve({ value: queue.shift(), done: false });
      if (failure) {
        const error = failure;
        failure = null;
        return Promise.reject(error);
      }
      if (ended) return end();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: end,
    throw(error) {
      failure = error;
      return end();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};
EventEmitter.getEventListeners = (emitter, name) => emitter.listeners?.(name) ?? [];
EventEmitter.getMaxListeners = (emitter) => emitter.getMaxListeners?.() ?? EventEmitter.defaultMaxListeners;
EventEmitter.listenerCount = (emitter, name) => emitter.listenerCount(name);
EventEmitter.setMaxListeners = (count = EventEmitter.defaultMaxListeners, ...emitters) => {
  if (emitters.length === 0) EventEmitter.defaultMaxListeners = count;
  for (const emitter of emitters) emitter.setMaxListeners?.(count);
};
EventEmitter.addAbortListener = (signal, listener) => {
  if (signal.aborted) queueMicrotask(() => listener());
  else signal.addEventListener("abort", listener, { once: true });
  return { [Symbol.dispose ?? Symbol("dispose")]: () => signal.removeEventListener("abort", listener) };
};

class ReferencingAsyncResource extends AsyncResource {
  #emitter;
  constructor(emitter, type, options) {
    super(type, options);
    this.#emitter = emitter;
  }
  get eventEmitter() {
    return this.#emitter;
  }
}

/** Its listeners run with the AsyncLocalStorage values from when it was created. */
EventEmitter.EventEmitterAsyncResource = class EventEmitterAsyncResource extends EventEmitter {
  #resource;
  constructor(options) {
    const { name, ...rest } = typeof options === "string" ? { name: options } : (options ?? {});
    super(rest);
    this.#resource = new ReferencingAsyncResource(this, name ?? new.target.name, rest);
  }
  emit(event, ...args) {
    return this.#resource.runInAsyncScope(super.emit, this, event, ...args);
  }
  emitDestroy() {
    this.#resource.emitDestroy();
  }
  get asyncId() {
    return this.#resource.asyncId();
  }
  get triggerAsyncId() {
    return this.#resource.triggerAsyncId();
  }
  get asyncResource() {
    return this.#resource;
  }
};
