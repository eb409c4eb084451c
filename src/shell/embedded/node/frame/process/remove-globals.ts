import * as natives from "./natives.ts";

/** Globals that both Node and a browser's worker have, in addition to JavaScript's own. All others are removed. */
const nodeGlobals =
  `AbortController AbortSignal Blob BroadcastChannel ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey
CustomEvent DOMException DecompressionStream Event EventTarget File FormData Headers MessageChannel MessageEvent MessagePort Performance PerformanceEntry
PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming ReadableByteStreamController ReadableStream
ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request Response SubtleCrypto TextDecoder
TextDecoderStream TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL URLSearchParams WebAssembly WritableStream
WritableStreamDefaultController WritableStreamDefaultWriter Buffer atob btoa clearImmediate clearInterval clearTimeout console crypto fetch gc global
navigator performance process queueMicrotask setImmediate setInterval setTimeout structuredClone`.split(/\s+/);

/** JavaScript's own globals. `SharedArrayBuffer` exists if the browser has it at all. */
const languageGlobals =
  `AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack
Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math
NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError
Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval
globalThis isFinite isNaN parseFloat parseInt undefined unescape constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__`.split(/\s+/);

/** Removed as well: our runtime has no full replacement for it, and programs could reach other workers of the frame through it. */
const ownChannels = ["BroadcastChannel"];

/**
 * Removes from the global object what a browser's worker has and Node does not: access to storage, to the network and to other workers. The frame's
 * policy and its origin are what confines a program; this is for programs that check which globals exist.
 */
export function removeGlobals(): void {
  const kept = new Set([...nodeGlobals, ...languageGlobals]);
  for (const name of ownChannels) kept.delete(name);
  const isKept = (key: PropertyKey): boolean =>
    typeof key === "symbol" ? key.description?.startsWith("vibey.") === true : kept.has(String(key));
  const targets = natives.EventTarget.prototype;
  for (let holder: object | null = globalThis; holder !== null && holder !== Object.prototype; holder = Reflect.getPrototypeOf(holder))
    for (const key of Reflect.ownKeys(holder)) {
      // A global of the prototype would reappear if a program deleted ours, and some of them can't be set.
      const isBelow = holder !== globalThis && Object.hasOwn(globalThis, key);
      if (isKept(key) && !isBelow) continue;
      // Other browser objects inherit these from the same prototype, and need them.
      if (holder !== targets && Reflect.deleteProperty(holder, key)) continue;
      if (isBelow) continue;
      Reflect.defineProperty(globalThis, key, { value: undefined, writable: true, configurable: true, enumerable: false });
    }
}
