import * as loop from "./loop.js";

export const aborted = (signal) =>
  Object.assign(new Error("The operation was aborted", { cause: signal.reason }), { name: "AbortError", code: "ABORT_ERR" });

/** `start` starts a timer that calls its argument; the returned function gives a promise of its value. */
export const waiting =
  (start, clear) =>
  (value, options = {}) =>
    new Promise((resolve, reject) => {
      const { signal, ref = true } = options ?? {};
      if (signal?.aborted) {
        reject(aborted(signal));
        return;
      }
      const timer = start(() => resolve(value));
      if (!ref) timer.unref();
      signal?.addEventListener(
        "abort",
        () => {
          clear(timer);
          reject(aborted(signal));
        },
        { once: true },
      );
    });

export const promises = {
  setTimeout: (delay, value, options) => waiting((done) => loop.setTimeout(done, delay), loop.clearTimeout)(value, options),
  setImmediate: (value, options) => waiting(loop.setImmediate, loop.clearImmediate)(value, options),
  async *setInterval(delay, value, options = {}) {
    for (;;) yield await promises.setTimeout(delay, value, options);
  },
  scheduler: {
    wait: (delay, options) => promises.setTimeout(delay, undefined, options),
    yield: () => promises.setImmediate(),
  },
};

const timers = {
  setTimeout: loop.setTimeout,
  clearTimeout: loop.clearTimeout,
  setInterval: loop.setInterval,
  clearInterval: loop.clearTimeout,
  setImmediate: loop.setImmediate,
  clearImmediate: loop.clearImmediate,
  promises,
};
const customPromisify = Symbol.for("nodejs.util.promisify.custom");
Object.defineProperty(loop.setTimeout, customPromisify, { value: promises.setTimeout });
Object.defineProperty(loop.setImmediate, customPromisify, { value: promises.setImmediate });

export default timers;
