/**
 * Takes from the worker, before any foreign code loads, everything that reaches the network, the disk or another context.
 * Import it first. It throws, and so the worker never starts, when something can't be taken away.
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

function take(owner: object, names: readonly string[]): void {
  for (const name of names) {
    for (let holder: object | null = owner; holder !== null; holder = Reflect.getPrototypeOf(holder)) Reflect.deleteProperty(holder, name);
    Reflect.defineProperty(owner, name, { value: undefined, writable: false, configurable: false, enumerable: false });
    if (Reflect.get(owner, name) !== undefined) throw new Error(`the shell's worker could not give up ${name}`);
  }
}

take(globalThis, globals);
take(navigator, ofNavigator);
