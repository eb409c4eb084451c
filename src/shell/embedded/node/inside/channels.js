// diagnostics_channel: publishers and subscribers are in the same program.
import { AsyncLocalStorage } from "./async-context.js";

const channels = new Map();

class Channel {
  #heard = new Set();
  #stores = new Map();
  constructor(name) {
    this.name = name;
  }
  get hasSubscribers() {
    return this.#heard.size + this.#stores.size > 0;
  }
  subscribe(fn) {
    this.#heard.add(fn);
  }
  unsubscribe(fn) {
    return this.#heard.delete(fn);
  }
  bindStore(store, transform = (value) => value) {
    this.#stores.set(store, transform);
  }
  unbindStore(store) {
    return this.#stores.delete(store);
  }
  publish(message) {
    for (const fn of this.#heard) fn(message, this.name);
  }
  runStores(context, fn, self, ...args) {
    let run = () => {
      this.publish(context);
      return Reflect.apply(fn, self, args);
    };
    for (const [store, transform] of this.#stores) {
      const inner = run;
      run = () => (store instanceof AsyncLocalStorage ? store.run(transform(context), inner) : inner());
    }
    return run();
  }
}

export function channel(name) {
  if (!channels.has(name)) channels.set(name, new Channel(name));
  return channels.get(name);
}

const events = ["start", "end", "asyncStart", "asyncEnd", "error"];

class TracingChannel {
  constructor(given) {
    for (const event of events) this[event] = typeof given === "string" ? channel(`tracing:${given}:${event}`) : given[event];
  }
  get hasSubscribers() {
    return events.some((event) => this[event].hasSubscribers);
  }
  subscribe(handlers) {
    for (const event of events) if (handlers[event]) this[event].subscribe(handlers[event]);
  }
  unsubscribe(handlers) {
    return events.every((event) => !handlers[event] || this[event].unsubscribe(handlers[event]));
  }
  #run(context, fn, self, args, after) {
    return this.start.runStores(context, () => {
      try {
        return after(Reflect.apply(fn, self, args));
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }
  traceSync(fn, context = {}, self = undefined, ...args) {
    return this.#run(context, fn, self, args, (result) => {
      context.result = result;
      return result;
    });
  }
  tracePromise(fn, context = {}, self = undefined, ...args) {
    const settled = (name, value) => {
      context[name] = value;
      if (name === "error") this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    return this.#run(context, fn, self, args, (result) =>
      Promise.resolve(result).then(
        (value) => {
          settled("result", value);
          return value;
        },
        (error) => {
          settled("error", error);
          throw error;
        },
      ),
    );
  }
  traceCallback(fn, position = -1, context = {}, self = undefined, ...args) {
    const at = position < 0 ? args.length + position : position;
    const callback = args[at];
    const wrapped = (...results) => {
      const [error, result] = results;
      if (error) {
        context.error = error;
        this.error.publish(context);
      } else context.result = result;
      return this.asyncStart.runStores(context, () => {
        try {
          return callback(...results);
        } finally {
          this.asyncEnd.publish(context);
        }
      });
    };
    return this.#run(
      context,
      fn,
      self,
      args.map((arg, i) => (i === at ? wrapped : arg)),
      (result) => result,
    );
  }
}

export const diagnosticsChannel = {
  Channel,
  channel,
  hasSubscribers: (name) => channel(name).hasSubscribers,
  subscribe: (name, fn) => channel(name).subscribe(fn),
  unsubscribe: (name, fn) => channel(name).unsubscribe(fn),
  tracingChannel: (given) => new TracingChannel(given),
};
