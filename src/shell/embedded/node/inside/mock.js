import { invalidArgType, notHere } from "./errors.js";
import { MockTimers } from "./mock-timers.js";

let warned = false;

class MockContext {
  #calls = [];
  #original;
  #current;
  #once = new Map();
  #undo;
  constructor(original, implementation, undo) {
    this.#original = original;
    this.#current = implementation;
    this.#undo = undo;
  }
  get calls() {
    return [...this.#calls];
  }
  callCount() {
    return this.#calls.length;
  }
  resetCalls() {
    this.#calls = [];
  }
  mockImplementation(implementation) {
    this.#current = implementation;
  }
  mockImplementationOnce(implementation, onCall) {
    this.#once.set(onCall ?? this.#calls.length, implementation);
  }
  restore() {
    this.#undo?.();
    this.#current = this.#original;
    this.#once.clear();
  }
  /** Performs a call and records it. */
  call(self, args, target) {
    const at = this.#calls.length;
    const implementation = this.#once.get(at) ?? this.#current;
    this.#once.delete(at);
    const record = { arguments: args, error: undefined, result: undefined, stack: new Error(), target, this: self };
    this.#calls.push(record);
    try {
      record.result = target === undefined ? Reflect.apply(implementation, self, args) : Reflect.construct(implementation, args, target);
      if (target !== undefined) record.this = record.result;
      return record.result;
    } catch (error) {
      record.error = error;
      throw error;
    }
  }
}

function mocked(original, implementation, undo, times = Infinity) {
  const context = new MockContext(original, implementation, undo);
  const fn = new Proxy(original, {
    apply(_target, self, args) {
      if (context.callCount() + 1 >= times) {
        const result = context.call(self, args);
        context.restore();
        return result;
      }
      return context.call(self, args);
    },
    construct: (_target, args, target) => context.call(undefined, args, target === fn ? original : target),
    get: (target, key, receiver) => (key === "mock" ? context : Reflect.get(target, key, receiver)),
  });
  return { fn, context };
}

export class MockTracker {
  #all = [];
  #timers;
  fn(original = () => undefined, implementation = original, options = {}) {
    if (typeof original === "object" && original !== null)
      [original, implementation, options] = [() => undefined, () => undefined, original];
    else if (typeof implementation === "object" && implementation !== null) [implementation, options] = [original, implementation];
    const { fn, context } = mocked(original, implementation, undefined, options.times);
    this.#all.push(context);
    return fn;
  }
  method(object, name, implementation, options = {}) {
    if (typeof implementation === "object" && implementation !== null) [implementation, options] = [undefined, implementation];
    let owner = object;
    while (owner !== null && owner !== undefined && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
    const descriptor = owner ? Object.getOwnPropertyDescriptor(owner, name) : undefined;
    const way = options.getter ? "get" : options.setter ? "set" : "value";
    const original = descriptor?.[way];
    if (typeof original !== "function") throw invalidArgType("methodName", "a method", original);
    const own = Object.hasOwn(object, name);
    const undo = () => (own ? Object.defineProperty(object, name, descriptor) : delete object[name]);
    const { fn, context } = mocked(original, implementation ?? original, undo, options.times);
    Object.defineProperty(object, name, { ...descriptor, configurable: true, [way]: fn });
    this.#all.push(context);
    return fn;
  }
  getter(object, name, implementation, options = {}) {
    return this.method(object, name, implementation, { ...options, getter: true });
  }
  setter(object, name, implementation, options = {}) {
    return this.method(object, name, implementation, { ...options, setter: true });
  }
  module() {
    throw notHere("mock.module is not here");
  }
  get timers() {
    if (!warned) {
      warned = true;
      process.emitWarning("The MockTimers API is an experimental feature and might change at any time", "ExperimentalWarning");
    }
    return (this.#timers ??= new MockTimers());
  }
  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#all = [];
  }
  restoreAll() {
    for (const context of this.#all) context.restore();
  }
}
