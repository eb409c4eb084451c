import { IDBFactory } from "fake-indexeddb";
import { afterAll, vi } from "vitest";

// Each file starts without a database: `fake-indexeddb/auto` shares databases between the files of a process, and an open one can't be deleted.
globalThis.indexedDB = new IDBFactory();

// The next file runs in the same process, so restore the clock and the globals.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
