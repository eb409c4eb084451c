import { bind } from "./async-context.js";
import bufferModule, { Blob, Buffer, File } from "./buffer.js";
import console from "./console.js";
import { crypto } from "./crypto.js";
import { TextDecoder, TextEncoder } from "./encoding.js";
import { fetch, FormData, Headers, Request, Response } from "./fetch.js";
import { host } from "./host.js";
import { installIntl } from "./intl.js";
import * as loop from "./loop.js";
import process from "./process.js";
import { URL, URLSearchParams } from "./url.js";
import { messages } from "./message-channel.js";
import { installStreamAdapters } from "./stream-adapters.js";
import * as web from "./web.js";
import { webStreams } from "./web-streams.js";
import { inspect } from "./util.js";

/** Installs the globals that real programs look for. Missing features are installed so that using them says what is missing. */
export function installGlobals() {
  const set = (values, enumerable = false) => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable });
  };
  set({
    Blob,
    Buffer,
    File,
    FormData,
    Headers,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    AbortController: web.AbortController,
    AbortSignal: web.AbortSignal,
    Event: web.Event,
    CustomEvent: web.CustomEvent,
    EventTarget: web.EventTarget,
    PerformanceObserver: web.PerformanceObserver,
    console,
    process,
    navigator: { hardwareConcurrency: 1, language: "en-US", languages: ["en-US"], platform: "linux", userAgent: "Node.js/20" },
    atob: bufferModule.atob,
    btoa: bufferModule.btoa,
  });
  set(
    {
      global: globalThis,
      clearImmediate: loop.clearImmediate,
      setImmediate: loop.setImmediate,
      clearInterval: loop.clearTimeout,
      clearTimeout: loop.clearTimeout,
      setInterval: loop.setInterval,
      setTimeout: loop.setTimeout,
      structuredClone: web.structuredClone,
      performance: web.performance,
      fetch,
      crypto,
    },
    true,
  );
  set({ ...messages, ...webStreams });
  installStreamAdapters();
  const micro = globalThis.queueMicrotask;
  set(
    {
      queueMicrotask: (callback) => {
        if (typeof callback !== "function") return micro(callback);
        const bound = bind(callback);
        return micro(() => loop.guard(bound));
      },
    },
    true,
  );
  installIntl();
  if (globalThis.Atomics?.absent) delete globalThis.Atomics;
  Object.defineProperty(Promise.prototype, Symbol.for("nodejs.util.inspect.custom"), {
    configurable: true,
    value(depth, options) {
      if (!(this instanceof Promise)) return this;
      const state = host("promise.state", this);
      // Some engines don't reveal a promise's state.
      if (state < 0) return "Promise { <unknown> }";
      if (state === 0) return "Promise { <pending> }";
      if (depth < 0) return "[Promise]";
      const value = inspect(host("promise.result", this), options);
      const text = state === 2 ? `<rejected> ${value}` : value;
      return value.includes("\n") ? `Promise {\n  ${text.replaceAll("\n", "\n  ")}\n}` : `Promise { ${text} }`;
    },
  });
}

let state = [1, 2, 3, 4];

/** Every program starts as a copy of the same machine, so its random numbers need a new seed. */
export function seedRandom() {
  state = JSON.parse(host("seed"));
}

const next = () => {
  // xoshiro128++
  const [a, b, c, d] = state;
  const sum = (a + d) | 0;
  const result = (((sum << 7) | (sum >>> 25)) + a) >>> 0;
  const t = b << 9;
  const c2 = c ^ a;
  const d2 = d ^ b;
  state[1] = b ^ c2;
  state[0] = a ^ d2;
  state[2] = c2 ^ t;
  state[3] = (d2 << 11) | (d2 >>> 21);
  return result;
};

Object.defineProperty(Math, "random", {
  value: function random() {
    return (next() * 2097152 + (next() >>> 11)) / 2 ** 53;
  },
  writable: true,
  configurable: true,
});
