import { limits } from "../../protocol/limits.ts";
import type { Timers } from "./deps.ts";

const maxWaitMs = Math.max(...limits.retryWaitsMs);

/** Statuses that may be gone at the next try; those from 520 on are of proxies. All others say the same again. */
export const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/**
 * Milliseconds to wait before try number `tried + 1`; null when the server asks for more than `limits.retryAfterMs`, which
 * is no retry any more but something to tell the user.
 *
 * `asked`: milliseconds for which the server asks. Without it the wait grows with each try, and is longer by a random tenth at most.
 */
export function retryDelay(asked: number | null, tried: number, random: () => number): number | null {
  if (asked !== null) return asked <= limits.retryAfterMs ? asked : null;
  return growingDelay(tried, random);
}

/**
 * The same where an error's text asks to wait: "try again in 6ms" is meant for a client that asks alone, so it waits as long as it would without that
 * at least.
 */
export function retryDelayInText(asked: number, tried: number, random: () => number): number | null {
  return asked <= limits.retryAfterMs ? Math.max(asked, growingDelay(tried, random)) : null;
}

function growingDelay(tried: number, random: () => number): number {
  return Math.round((limits.retryWaitsMs[tried - 1] ?? maxWaitMs) * (1 + random() / 10));
}

/**
 * Milliseconds that the server asks to wait by its headers, `retry-after` as seconds or as a date; null when it does not say, says nonsense, or
 * a page may not read it (CORS).
 */
export function retryAfter(headers: Headers | null, now: number): number | null {
  const ms = headers?.get("retry-after-ms");
  if (ms && Number(ms) > 0) return Math.ceil(Number(ms));
  const value = headers?.get("retry-after")?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) > 0 ? Math.ceil(Number(value) * 1000) : null;
  const delay = Date.parse(value) - now;
  return delay > 0 ? delay : null;
}

/** Resolves after `ms`, or at once when `signal` aborts: true when it slept to the end. */
export function sleep(ms: number, timers: Timers, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const wake = () => {
      stop();
      resolve(false);
    };
    const stop = timers.after(ms, () => {
      signal.removeEventListener("abort", wake);
      resolve(true);
    });
    signal.addEventListener("abort", wake, { once: true });
  });
}
