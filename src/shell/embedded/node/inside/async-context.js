// AsyncLocalStorage: the store follows callbacks, promises and async functions. The host reports when async functions continue.
import { notHere } from "./errors.js";
import { host } from "./host.js";

/** The current values of all storages; undefined: none has a value. It is replaced, never changed. */
let current;
let following = false;
/** The values of suspended code, by an async function's promise, an async generator, or a promise that adopts another's state. */
const waiting = new WeakMap();
const before = [];

export const contexts = {
  left: (promise) => void waiting.set(promise, current),
  made: (promise) => void waiting.set(promise, current),
  resumed(value) {
    before.push(current);
    current = waiting.get(value);
  },
  suspended(value) {
    waiting.set(value, current);
    current = before.pop();
  },
};

/** For engines that don't report when an async function continues: rewritten code reads the current values and restores them itself. */
export const kept = () => current;
export function back(context, value) {
  current = context;
  return value;
}

/** Clears the values: what runs next was not caused by what ran before. */
export function forget() {
  current = undefined;
  before.length = 0;
}

/** Returns the same function, which runs with the current values. */
export function bind(callback) {
  if (!following || typeof callback !== "function") return callback;
  const mine = current;
  return function (...args) {
    return within(mine, () => Reflect.apply(callback, this, args));
  };
}

function within(mine, run) {
  const others = current;
  current = mine;
  try {
    return run();
  } finally {
    current = others;
  }
}

/** Called for the first storage, so that a program without one pays nothing. */
function follow() {
  if (following) return;
  if (!host("contexts.follow")) throw notHere("what follows from what can't be traced through promises here (AsyncLocalStorage)");
  following = true;
  const { then } = Promise.prototype;
  const replace = (object, name, value) =>
    Object.defineProperty(object, name, { value: { [name]: value }[name], writable: true, configurable: true });
  replace(Promise.prototype, "then", function (fulfilled, rejected) {
    return then.call(this, bind(fulfilled), bind(rejected));
  });
  const generators = Object.getPrototypeOf(async function* () {}.prototype);
  for (const name of ["next", "return", "throw"]) {
    const plain = generators[name];
    replace(generators, name, function (value) {
      if (typeof this === "object" && this !== null) waiting.set(this, current);
      return plain.call(this, value);
    });
  }
}

export class AsyncLocalStorage {
  #enabled = true;
  #initial;
  constructor(options = {}) {
    follow();
    this.#initial = options?.defaultValue;
    this.name = options?.name === undefined ? "" : String(options.name);
  }
  static bind(callback) {
    return bind(callback);
  }
  static snapshot() {
    return bind((callback, ...args) => callback(...args));
  }
  getStore() {
    return this.#enabled && current?.has(this) ? current.get(this) : this.#initial;
  }
  run(store, callback, ...args) {
    this.#enabled = true;
    return within(new Map(current).set(this, store), () => Reflect.apply(callback, null, args));
  }
  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }
  enterWith(store) {
    this.#enabled = true;
    current = new Map(current).set(this, store);
  }
  disable() {
    this.#enabled = false;
  }
}

let lastId = 1;

export class AsyncResource {
  #type;
  #id = ++lastId;
  #mine = current;
  constructor(type) {
    this.#type = type;
  }
  get type() {
    return this.#type;
  }
  runInAsyncScope(callback, self, ...args) {
    return within(this.#mine, () => Reflect.apply(callback, self, args));
  }
  emitDestroy() {
    return this;
  }
  asyncId() {
    return this.#id;
  }
  triggerAsyncId() {
    return 0;
  }
  bind(callback, self) {
    const resource = this;
    return function (...args) {
      return resource.runInAsyncScope(callback, self ?? this, ...args);
    };
  }
  static bind(callback, type, self) {
    return new AsyncResource(type ?? callback.name ?? "bound-anonymous-fn").bind(callback, self);
  }
}
