/** Storage that lasts until the page is left. The real storage belongs to an origin, and the page has none. */
window.previewParts.push(function storage(kit) {
  "use strict";

  kit.replaceStorage = () => {
    for (const name of ["localStorage", "sessionStorage"]) {
      const held = new Map();
      const storage = {
        getItem: (key) => held.get(String(key)) ?? null,
        setItem: (key, value) => void held.set(String(key), String(value)),
        removeItem: (key) => void held.delete(String(key)),
        clear: () => held.clear(),
        key: (at) => [...held.keys()][at] ?? null,
      };
      const value = new Proxy(storage, {
        get: (target, key) => (key === "length" ? held.size : key in target ? target[key] : held.get(key)),
        set: (_target, key, text) => Boolean(held.set(String(key), String(text))),
        deleteProperty: (_target, key) => {
          held.delete(key);
          return true;
        },
        has: (target, key) => key in target || held.has(key),
        ownKeys: () => [...held.keys()],
        getOwnPropertyDescriptor: (_target, key) =>
          held.has(key) ? { value: held.get(key), enumerable: true, configurable: true, writable: true } : undefined,
      });
      Object.defineProperty(window, name, { value, configurable: true });
    }
  };
});
