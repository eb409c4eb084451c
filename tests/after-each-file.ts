import { afterAll, vi } from "vitest";

// The next file runs in the same process: it finds the clock and the globals as they were.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
