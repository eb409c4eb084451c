import type { ProviderDeps } from "./deps.ts";

/**
 * One request under watch.
 *
 * - `fetch` gives up at once when `signal` aborts, also between two pieces of the body, whatever the real fetch does.
 * - It gives up, and `stalled` is true, when the first byte takes longer than `firstByteMs` or a later one than `idleMs`.
 *   Time in which nobody asks for the next piece does not count. Every byte counts as life, comments and pings too, which
 *   an SDK never shows.
 * - It sends no `x-stainless-*` and no `user-agent`: both say what machine the human has, some servers refuse them in the
 *   preflight, and none needs them.
 * - It follows no redirect: a header that holds a key would go along to wherever that leads.
 */
export interface Watch {
  readonly fetch: typeof fetch;
  readonly stalled: boolean;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export function createWatch(deps: Pick<ProviderDeps, "fetch" | "timers">, options: WatchOptions): Watch {
  const { signal, firstByteMs, idleMs } = options;
  let stalled = false;
  let limit = firstByteMs;

  /** `work`, or a rejection at once when the signal aborts or the time is up; `giveUp` then lets go of what is left. */
  function guarded<T>(work: Promise<T>, giveUp: (reason: unknown) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        stopTimer();
        signal.removeEventListener("abort", onAbort);
      };
      const fail = (reason: unknown) => {
        settle();
        reject(reason);
        giveUp(reason);
      };
      const onAbort = () => fail(new DOMException("The request was stopped.", "AbortError"));
      const stopTimer = deps.timers.after(limit, () => {
        stalled = true;
        fail(new Error("stalled"));
      });
      work.then(
        (value) => {
          settle();
          return resolve(value);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  function guardedBody(body: ReadableStream<Uint8Array>, giveUp: () => void): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await guarded(reader.read(), giveUp);
          limit = idleMs;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  return {
    get stalled() {
      return stalled;
    },
    async fetch(input, init) {
      const line = new AbortController();
      const giveUp = () => line.abort();
      const headers = new Headers(init?.headers);
      for (const name of Array.from(headers.keys())) if (name.startsWith("x-stainless-") || name === "user-agent") headers.delete(name);
      const request: RequestInit = {
        ...init,
        headers,
        signal: line.signal,
        redirect: "error",
        credentials: "omit",
        referrerPolicy: "no-referrer",
      };
      const response = await guarded(deps.fetch(input, request), giveUp);
      const { status, statusText } = response;
      return new Response(response.body && guardedBody(response.body, giveUp), { status, statusText, headers: response.headers });
    },
  };
}
