/**
 * What the browser has, as it was before the inside put Node's own in its place, and before a program ran. The build gives these names to our own
 * modules in a process instead of the global ones: see scripts/vite/node-process.ts.
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

// A page that is not isolated has no name for it. Node has, and its memory is shared with no one here.
if (!("SharedArrayBuffer" in globalThis)) {
  const { constructor } = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer;
  Object.defineProperty(globalThis, "SharedArrayBuffer", { value: constructor, writable: true, configurable: true });
}

const postNothing: () => void = globalThis.postMessage.bind(globalThis, null);
const { wait } = Atomics;
const nothing = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);

/**
 * Tells the frame that this process has ended, so that it takes the worker away, and runs nothing more of the program. It waits, since Chrome leaves a
 * worker that computes two more seconds.
 */
function endProcess(): never {
  postNothing();
  for (;;) wait(nothing, 0, 0);
}

const listen: typeof globalThis.addEventListener = globalThis.addEventListener.bind(globalThis);

/** Calls `listener` with the first message of the frame. */
function hearOnce(listener: (data: unknown) => void): void {
  listen("message", ({ data }) => listener(data), { once: true });
}

/** Calls `listener` for promises that were rejected and not handled, and for those handled later. */
function hearRejections(unhandled: (reason: unknown, promise: unknown) => void, handled: (promise: unknown) => void): void {
  listen("unhandledrejection", (event) => {
    event.preventDefault();
    unhandled(event.reason, event.promise);
  });
  listen("rejectionhandled", (event) => handled(event.promise));
}

/** What was thrown where nothing of ours stood around it. */
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
