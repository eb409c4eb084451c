// `mock.timers` of the test runner: timers and dates that advance only when a test calls `tick`.
import { codeError, described, invalidArgType } from "./errors.js";
import timers, { aborted, waiting } from "./timers.js";

const apis = ["setTimeout", "setInterval", "setImmediate", "Date"];
const clearers = { setTimeout: "clearTimeout", setInterval: "clearInterval", setImmediate: "clearImmediate" };

class Timeout {
  constructor(id, callback, runAt, interval, args) {
    Object.assign(this, { id, callback, runAt, interval, args });
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return true;
  }
  [Symbol.toPrimitive]() {
    return this.id;
  }
}

function checkedNow(value) {
  const now = value instanceof Date ? value.valueOf() : value;
  if (typeof now !== "number") throw invalidArgType("now", "of type number", now);
  if (!(now >= 0))
    throw codeError(
      TypeError,
      "ERR_INVALID_ARG_VALUE",
      `The argument 'now' epoch must be a positive integer received ${now}. Received ${now}`,
    );
  return now;
}

export class MockTimers {
  #enabled = false;
  #now = 0;
  #lastId = 1;
  /** Timers that have not run, by id. */
  #queue = new Map();
  /** Functions that put back what was replaced. */
  #undo = [];

  enable(options = {}) {
    if (this.#enabled) throw codeError(Error, "ERR_INVALID_STATE", "Invalid state: MockTimers is already enabled!");
    if (typeof options !== "object" || options === null) throw invalidArgType("options", "of type object", options);
    const now = checkedNow(options.now ?? 0);
    if (options.apis !== undefined && !Array.isArray(options.apis))
      throw invalidArgType("options.apis", "an instance of Array", options.apis);
    const chosen = options.apis?.length > 0 ? options.apis : apis;
    for (const name of chosen)
      if (!apis.includes(name))
        throw codeError(
          TypeError,
          "ERR_INVALID_ARG_VALUE",
          `The property 'options.apis' option ${name} is not supported. Received '${name}'`,
        );
    this.#now = now;
    this.#enabled = true;
    for (const name of chosen) {
      if (name === "Date") this.#replace(globalThis, name, this.#date());
      else this.#replaceTimer(name);
    }
  }

  tick(time = 1) {
    this.#check();
    if (time < 0) throw codeError(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'time' ${time}. Received 'positive integer'`);
    this.#now += time;
    for (let timer = this.#next(); timer !== null && timer.runAt <= this.#now; timer = this.#next()) {
      if (timer.interval === undefined) this.#queue.delete(timer.id);
      else timer.runAt += timer.interval;
      timer.callback(...timer.args);
    }
  }

  runAll() {
    this.#check();
    let last = this.#now;
    for (const { runAt } of this.#queue.values()) last = Math.max(last, runAt);
    if (this.#queue.size > 0) this.tick(last - this.#now);
  }

  setTime(time = 0) {
    if (typeof time !== "number")
      throw codeError(TypeError, "ERR_INVALID_ARG_TYPE", `The "time" argument must be of type number.${described(time)}`);
    this.#check();
    this.#now = time;
  }

  reset() {
    if (!this.#enabled) return;
    for (const undo of this.#undo.splice(0).toReversed()) undo();
    this.#queue.clear();
    this.#enabled = false;
    this.#now = 0;
  }

  [Symbol.dispose ?? Symbol("dispose")]() {
    this.reset();
  }

  #check() {
    if (!this.#enabled)
      throw codeError(Error, "ERR_INVALID_STATE", "Invalid state: You should enable MockTimers first by calling the .enable function");
  }

  /** The timer that is due first; null: there is none. */
  #next() {
    let found = null;
    for (const timer of this.#queue.values())
      if (found === null || timer.runAt < found.runAt || (timer.runAt === found.runAt && timer.id < found.id)) found = timer;
    return found;
  }

  #add(repeat, callback, delay, args) {
    if (typeof callback !== "function") throw invalidArgType("callback", "of type function", callback);
    // As in Node: a delay below 1 is 1, except that of `setImmediate`, -1, which is due at once.
    const ms = delay === -1 ? -1 : delay >= 1 && delay <= 2 ** 31 - 1 ? Math.trunc(delay) : 1;
    const timer = new Timeout(this.#lastId++, callback, this.#now + ms, repeat ? ms : undefined, args);
    this.#queue.set(timer.id, timer);
    return timer;
  }

  #clear(timer) {
    if (timer !== undefined && timer !== null) this.#queue.delete(Number(timer));
  }

  #replace(owner, name, value) {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    this.#undo.push(() => Object.defineProperty(owner, name, descriptor));
    Object.defineProperty(owner, name, { ...descriptor, value });
  }

  #replaceTimer(name) {
    const start = {
      setTimeout: (callback, delay, ...args) => this.#add(false, callback, Number(delay), args),
      setInterval: (callback, delay, ...args) => this.#add(true, callback, Number(delay), args),
      setImmediate: (callback, ...args) => this.#add(false, callback, -1, args),
    }[name];
    const clear = (timer) => this.#clear(timer);
    for (const owner of [globalThis, timers]) {
      this.#replace(owner, name, start);
      this.#replace(owner, clearers[name], clear);
    }
    const promised = {
      setTimeout: (delay, value, options) => waiting((done) => start(done, delay), clear)(value, options),
      setInterval: (delay, value, options) => this.#intervals(delay, value, options),
      setImmediate: (value, options) => waiting(start, clear)(value, options),
    }[name];
    this.#replace(timers.promises, name, promised);
  }

  async *#intervals(delay, value, options) {
    let passed = 0;
    let wake = () => {};
    const timer = this.#add(true, () => wake(passed++), Number(delay), []);
    const { signal } = options ?? {};
    const abort = () => {
      this.#clear(timer);
      wake();
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        if (passed > 0) {
          passed--;
          yield value;
        } else if (signal?.aborted) throw aborted(signal);
        else await new Promise((resolve) => (wake = resolve));
      }
    } finally {
      signal?.removeEventListener("abort", abort);
      this.#clear(timer);
    }
  }

  #date() {
    const now = () => this.#now;
    const mocked = new Proxy(globalThis.Date, {
      apply: (target) => new target(now()).toString(),
      construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self === mocked ? target : self),
      get: (target, key) => (key === "now" ? now : key === "isMock" ? true : Reflect.get(target, key)),
    });
    return mocked;
  }
}
