/**
 * Removes from the worker, before any foreign code loads, everything that reaches the network, the disk or another context, and everything that makes
 * code from text. If the worker's policy is in force, the browser also refuses most of that. Import this module first. It throws if something can't
 * be removed, so that the worker never starts.
 */
const globals = [
  "indexedDB",
  "caches",
  "cookieStore",
  "fetch",
  "fetchLater",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "BroadcastChannel",
  "RTCPeerConnection",
  "RTCDataChannel",
  "Worker",
  "SharedWorker",
  "importScripts",
  "Notification",
  "FontFace",
  "fonts",
  "webkitRequestFileSystem",
  "webkitRequestFileSystemSync",
  "webkitResolveLocalFileSystemURL",
  "webkitResolveLocalFileSystemSyncURL",
  "FileSystemHandle",
  "FileSystemFileHandle",
  "FileSystemDirectoryHandle",
  "StorageManager",
  "LockManager",
  "CacheStorage",
  "IDBFactory",
];

const ofNavigator = [
  "locks",
  "storage",
  "storageBuckets",
  "serviceWorker",
  "sendBeacon",
  "permissions",
  "usb",
  "serial",
  "hid",
  "bluetooth",
  "mediaCapabilities",
  "gpu",
  "ml",
  "connection",
];

/** Removes a property from the owner's prototypes. One on the owner would only hide them. */
function takeFromPrototypes(owner: object, name: string): void {
  for (let holder = Reflect.getPrototypeOf(owner); holder !== null; holder = Reflect.getPrototypeOf(holder))
    if (!Reflect.deleteProperty(holder, name)) throw new Error(`the shell's worker could not give up ${name}`);
}

function take(owner: object, names: readonly string[]): void {
  for (const name of names) {
    Reflect.deleteProperty(owner, name);
    takeFromPrototypes(owner, name);
    Reflect.defineProperty(owner, name, { value: undefined, writable: false, configurable: false, enumerable: false });
    if (Reflect.get(owner, name) !== undefined) throw new Error(`the shell's worker could not give up ${name}`);
  }
}

take(globalThis, globals);
take(navigator, ofNavigator);

/**
 * The constructors of functions make code from text. They stay in place, so that `instanceof Function` and the methods of functions work, but they
 * refuse. `import()` remains, but only code can use it.
 */
function refuseText(this: unknown): never {
  throw new EvalError("no code is made of text in the shell's worker");
}

function takeConstructors(): void {
  const kinds = [
    () => undefined,
    async () => undefined,
    function* () {
      yield undefined;
    },
    async function* () {
      yield undefined;
    },
  ];
  for (const kind of kinds) {
    const prototype = Reflect.getPrototypeOf(kind);
    if (prototype === null) throw new Error("a kind of function has no prototype");
    // One for each kind of function; like the real constructor, it has its kind's prototype.
    const refusing = refuseText.bind(null);
    Reflect.defineProperty(refusing, "prototype", { value: prototype, writable: false, configurable: false });
    const isTaken = Reflect.defineProperty(prototype, "constructor", { value: refusing, writable: false, configurable: false });
    if (!isTaken || Reflect.get(kind, "constructor") !== refusing) throw new Error("the shell's worker could not give up a constructor");
    if (prototype === Function.prototype) fix("Function", refusing);
  }
  fix("eval", refuseText.bind(null));
}

function fix(name: string, value: unknown): void {
  takeFromPrototypes(globalThis, name);
  if (!Reflect.defineProperty(globalThis, name, { value, writable: false, configurable: false, enumerable: false }))
    throw new Error(`the shell's worker could not give up ${name}`);
}

/** Timers accept only functions, because a text would run as code. */
function takeTextFrom(name: "setTimeout" | "setInterval"): void {
  const original = globalThis[name];
  fix(name, (callback: unknown, ...rest: readonly unknown[]): unknown => {
    if (typeof callback !== "function") return refuseText.call(null);
    return Reflect.apply(original, globalThis, [callback, ...rest]);
  });
}

takeConstructors();
takeTextFrom("setTimeout");
takeTextFrom("setInterval");
