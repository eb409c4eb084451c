import { IDBFactory } from "fake-indexeddb";
import { afterAll, vi } from "vitest";

// Each file begins without a database: `fake-indexeddb/auto` gives every file of a process the same ones, and one that was left open can't be deleted.
globalThis.indexedDB = new IDBFactory();

// The next file runs in the same process: it finds the clock and the globals as they were.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
