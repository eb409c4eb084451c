import { AsyncResource } from "./async-context.js";
import { invalidArgType } from "./errors.js";
import { EventEmitter } from "./event-emitter.js";

export default EventEmitter;

function aborted(signal) {
  const error = new Error("The operation was aborted", { cause: signal.reason });
  error.name = "AbortError";
  error.code = "ABORT_ERR";
  return error;
}

/** Listens to an emitter or to an `EventTarget`. Returns a function that removes the listener. */
function listen(emitter, name, listener, once = false) {
  if (typeof emitter.on === "function") {
    if (once) emitter.once(name, listener);
    else emitter.on(name, listener);
    // An emitter that is not from Node may lack this method, as tinypool's workers do.
    return () => emitter.removeListener?.(name, listener);
  }
  if (typeof emitter.addEventListener !== "function") throw invalidArgType("emitter", "an instance of EventEmitter", emitter);
  emitter.addEventListener(name, listener, { once });
  return () => emitter.removeEventListener(name, listener);
}

EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.once = async (emitter, name, options = {}) => {
  const { signal } = options;
  if (signal?.aborted) throw aborted(signal);
  return new Promise((resolve, reject) => {
    const removers = [];
    const settle = (settled) => (value) => {
      for (const remove of removers) remove();
      settled(value);
    };
    removers.push(listen(emitter, name, (...args) => settle(resolve)(args), true));
    if (name !== "error" && typeof emitter.on === "function") removers.push(listen(emitter, "error", settle(reject), true));
    if (signal) removers.push(listen(signal, "abort", () => settle(reject)(aborted(signal)), true));
  });
};
EventEmitter.on = (emitter, name, options = {}) => {
  const { signal, close = [] } = options;
  if (signal?.aborted) throw aborted(signal);
  const queue = [];
  const waiting = [];
  const removers = [];
  let failure = null;
  let ended = false;
  const push = (...args) => (waiting.length > 0 ? waiting.shift().resolve({ value: args, done: false }) : void queue.push(args));
  const end = () => {
    ended = true;
    for (const remove of removers.splice(0)) remove();
    for (const { resolve } of waiting.splice(0)) resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  };
  const fail = (error) => {
    if (waiting.length > 0) waiting.shift().reject(error);
    else failure = { error };
    end();
  };
  removers.push(listen(emitter, name, push));
  if (name !== "error" && typeof emitter.on === "function") removers.push(listen(emitter, "error", fail));
  for (const closing of close) removers.push(listen(emitter, closing, end));
  if (signal) removers.push(listen(signal, "abort", () => fail(aborted(signal)), true));
  return {
    next() {
      if (queue.length > 0) return Promise.resolve({ value: queue.shift(), done: false });
      if (failure) {
        const { error } = failure;
        failure = null;
        return Promise.reject(error);
      }
      if (ended) return end();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    return: end,
    throw(error) {
      fail(error);
      return Promise.resolve({ value: undefined, done: true });
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
