/**
 * The browser's own objects, saved before the runtime inside replaces them and before a program runs. In a process, the build gives our modules these
 * names instead of the global ones: see scripts/vite/node-process.ts.
 */
const {
  clearTimeout,
  crypto,
  eval: evaluateGlobally,
  Function: NativeFunction,
  Intl,
  MessageChannel,
  performance,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
} = globalThis;

const { AbortController, AbortSignal, atob, EventTarget } = globalThis;

// A page that is not isolated has no such name, but Node does. Its memory is shared with no one here.
if (!("SharedArrayBuffer" in globalThis)) {
  const { constructor } = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer;
  Object.defineProperty(globalThis, "SharedArrayBuffer", { value: constructor, writable: true, configurable: true });
}

const postNothing: () => void = globalThis.postMessage.bind(globalThis, null);
const { wait } = Atomics;
const nothing = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);

/**
 * Tells the frame that this process has ended, so that the frame removes the worker, and lets nothing more of the program run. It blocks instead of
 * looping, because Chrome keeps a worker that computes for two more seconds.
 */
function endProcess(): never {
  postNothing();
  for (;;) wait(nothing, 0, 0);
}

const listen: typeof globalThis.addEventListener = globalThis.addEventListener.bind(globalThis);

/** Calls `listener` with the frame's first message. */
function hearOnce(listener: (data: unknown) => void): void {
  listen("message", ({ data }) => listener(data), { once: true });
}

/** Calls `unhandled` for rejected promises without a handler, and `handled` if one gets a handler later. */
function hearRejections(unhandled: (reason: unknown, promise: unknown) => void, handled: (promise: unknown) => void): void {
  listen("unhandledrejection", (event) => {
    event.preventDefault();
    unhandled(event.reason, event.promise);
  });
  listen("rejectionhandled", (event) => handled(event.promise));
}

/** Calls `listener` with errors that were thrown outside of our own code. */
function hearErrors(listener: (error: unknown) => void): void {
  listen("error", (event) => {
    event.preventDefault();
    listener(event.error ?? new Error(event.message));
  });
}

export {
  AbortController,
  AbortSignal,
  atob,
  clearTimeout,
  crypto,
  endProcess,
  EventTarget,
  evaluateGlobally,
  hearErrors,
  hearOnce,
  hearRejections,
  Intl,
  MessageChannel,
  NativeFunction,
  performance,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
};
