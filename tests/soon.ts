import { vi } from "vitest";

/** Milliseconds. No test depends on this time: it ends a test whose state never comes, even on the busiest machine. */
const timeout = 60_000;

/** Waits until the check no longer throws, and returns its value. */
export const soon = <Value>(check: () => Value | Promise<Value>): Promise<Value> => vi.waitFor(check, { timeout });
