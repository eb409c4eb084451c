import { vi } from "vitest";

/** Milliseconds. No test depends on time: this ends one whose state never comes, on the busiest machine. */
const timeout = 60_000;

/** Waits until the check throws no more, and answers with what it gives. */
export const soon = <Value>(check: () => Value | Promise<Value>): Promise<Value> => vi.waitFor(check, { timeout });
