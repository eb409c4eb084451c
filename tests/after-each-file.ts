import { IDBFactory } from "fake-indexeddb";
import { afterAll, vi } from "vitest";

// The next file runs in the same process: it finds the clock and the globals as they were, and no database.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  globalThis.indexedDB = new IDBFactory();
});
