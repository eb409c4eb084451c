import { limits } from "../../protocol/limits.ts";

/** The input and output tokens of one response, and the size of the model's window in tokens. */
export interface ContextUse {
  readonly used: number;
  readonly window: number;
}

/** The value of a `> Context:` line. */
export function contextValue({ used, window }: ContextUse): string {
  return `used=${used} window=${window}`;
}

/** Reads `used=164000 window=200000`. Null for anything else. Numbers are safe integers, and the window is larger than 0. */
export function parseContext(value: string): ContextUse | null {
  const match = /^used=(\d{1,16}) window=(\d{1,16})$/.exec(value);
  if (!match) return null;
  const [used, window] = match.slice(1).map(Number);
  if (used === undefined || window === undefined || !Number.isSafeInteger(used) || !Number.isSafeInteger(window)) return null;
  return window > 0 ? { used, window } : null;
}

/** The highest of `limits.contextWarnings` that is reached, in percent. 0 if none is. */
export function warningReached({ used, window }: ContextUse): number {
  return limits.contextWarnings.findLast((percent) => used * 100 >= percent * window) ?? 0;
}

/** In percent, rounded down, so that it never exceeds the actual use. */
export function percentUsed({ used, window }: ContextUse): number {
  return Math.floor((used / window) * 100);
}
