import { limits } from "../../protocol/limits.ts";

/** Tokens: those of one response, input and output, and those that the model's window holds. */
export interface ContextUse {
  readonly used: number;
  readonly window: number;
}

/** The value of a `> Context:` line. */
export function contextValue({ used, window }: ContextUse): string {
  return `used=${used} window=${window}`;
}

/** Reads `used=164000 window=200000`; null when it is anything else. Numbers are safe integers, and a window holds something. */
export function parseContext(value: string): ContextUse | null {
  const match = /^used=(\d{1,16}) window=(\d{1,16})$/.exec(value);
  if (!match) return null;
  const [used, window] = match.slice(1).map(Number);
  if (used === undefined || window === undefined || !Number.isSafeInteger(used) || !Number.isSafeInteger(window)) return null;
  return window > 0 ? { used, window } : null;
}

/** Of `limits.contextWarnings` the highest that is reached, in per cent; 0 when none is. */
export function warningReached({ used, window }: ContextUse): number {
  return limits.contextWarnings.findLast((percent) => used * 100 >= percent * window) ?? 0;
}

/** In per cent, rounded down: never says more than is used. */
export function percentUsed({ used, window }: ContextUse): number {
  return Math.floor((used / window) * 100);
}
