import { limits } from "../../protocol/limits.ts";
import type { Timers } from "./deps.ts";

const maxWaitMs = Math.max(...limits.retryWaitsMs);

/** Statuses for which a retry may succeed. 520 to 524 come from proxies. All other statuses would come again. */
export const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);

/**
 * Milliseconds to wait before try number `tried + 1`. Null if the server asks for more than `limits.retryAfterMs`: then the user is told
 * instead.
 *
 * `asked`: the milliseconds that the server asks for. If null, the wait grows with each try, plus a random part of at most a tenth.
 */
export function retryDelay(asked: number | null, tried: number, random: () => number): number | null {
  if (asked !== null) return asked <= limits.retryAfterMs ? asked : null;
  return growingDelay(tried, random);
}

/**
 * The same if an error's text asks to wait. Never waits less than without that text: "try again in 6ms" is meant for a client that is alone.
 */
export function retryDelayInText(asked: number, tried: number, random: () => number): number | null {
  return asked <= limits.retryAfterMs ? Math.max(asked, growingDelay(tried, random)) : null;
}

function growingDelay(tried: number, random: () => number): number {
  return Math.round((limits.retryWaitsMs[tried - 1] ?? maxWaitMs) * (1 + random() / 10));
}

/**
 * The milliseconds that the server's headers ask to wait. `retry-after` is in seconds or a date. Null if there is no valid value, or if the
 * page may not read the header (CORS).
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

/** Resolves with true after `ms`, or with false at once if `signal` aborts. */
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
