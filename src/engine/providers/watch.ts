import { limits } from "../../protocol/limits.ts";
import type { Fetch } from "../network/external-fetch.ts";
import type { ProviderDeps } from "./deps.ts";
import { beginsAsEvents, createCutter, hasWholeData, isWithoutData } from "./rechunk.ts";

/**
 * One request under watch.
 *
 * - `fetch` gives up at once when `signal` aborts, also between two pieces of the body, whatever the real fetch does.
 * - It gives up, and `stalled` is true, when the first byte takes longer than `firstByteMs` or a later one than `idleMs`.
 *   Time in which no one asks for the next piece does not count. Every byte counts as life, comments and pings too, which
 *   an SDK never shows.
 * - It sends no `x-stainless-*` and no `user-agent`: both say what machine the user has, some servers refuse them in the
 *   preflight, and none needs them.
 * - A body is passed on one event at a time (`rechunk.ts`), without those that have no data, and ends behind the event that `isLast` names: what a server does
 *   with the connection afterwards concerns no one.
 * - It follows no redirect: a header that holds a key would go along to wherever that leads.
 * - Its answer is stored in no cache: servers echo keys.
 */
export interface Watch {
  readonly fetch: Fetch;
  readonly stalled: boolean;
  /** The event that `isLast` names has come. */
  readonly finished: boolean;
  /** `ended`: all that matters seems to have come, so what comes behind it is waited for `limits.afterEndMs` in all, pings or not. */
  hurry(ended: boolean): void;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly firstByteMs: number;
  /** Asked before each later byte. */
  readonly idleMs: () => number;
  /** Whether nothing follows an event, given with the blank line that ends it. Without it a body ends when the server ends it. */
  readonly isLast?: ((event: Uint8Array) => boolean) | undefined;
  /** Rewrites an event of a stream for the SDK; see `sdk-events.ts`. */
  readonly tidy?: ((event: Uint8Array) => Uint8Array) | undefined;
}

/** Bytes of one event, or of a body that is no stream of events, that are held; what comes behind them is not read. */
const maxOfEvent = 32_000_000;
const maxOfRefusal = 1_000_000;

interface Body {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** What was read of it already. */
  readonly first: ReadableStreamReadResult<Uint8Array> | null;
  readonly most: number;
  readonly isStream: boolean;
}

const blankLine = new TextEncoder().encode("\n\n");

export function createWatch(deps: Pick<ProviderDeps, "fetch" | "timers">, options: WatchOptions): Watch {
  const { signal, firstByteMs, idleMs, isLast, tidy = (event) => event } = options;
  let stalled = false;
  let finished = false;
  /** When the waiting behind the end is over; null: it has not begun. */
  let deadline: number | null = null;

  /** `work`, or a rejection at once when the signal aborts or the time is up; `giveUp` then lets go of what is left. */
  function guarded<T>(work: Promise<T>, limit: number, giveUp: (reason: unknown) => void): Promise<T> {
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
      const ms = deadline === null ? limit : Math.max(0, deadline - deps.timers.now());
      const stopTimer = deps.timers.after(ms, () => {
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

  function guardedBody({ reader, first, most, isStream }: Body, giveUp: () => void): ReadableStream<Uint8Array> {
    let next = first;
    const cutter = createCutter();
    let held = 0;
    let hasBegun = false;
    const nextEvent = () => {
      let event = cutter.next();
      while (event !== null && isWithoutData(event)) event = cutter.next();
      return event !== null && isStream ? tidy(event) : event;
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          let event = nextEvent();
          while (event === null) {
            const { done, value } = next ?? (await guarded(reader.read(), hasBegun ? idleMs() : firstByteMs, giveUp));
            next = null;
            hasBegun = true;
            held += value?.length ?? 0;
            if (done || held > most) {
              if (value) cutter.push(value);
              const left = cutter.rest();
              if (left !== null) {
                const rest = isStream ? tidy(left) : left;
                finished = isLast?.(rest) ?? false;
                controller.enqueue(rest);
                // Some servers end without the blank line that ends their last event, and an SDK then lets go of it.
                if (done && hasWholeData(rest)) controller.enqueue(blankLine);
              }
              controller.close();
              if (!done) giveUp();
              return;
            }
            cutter.push(value);
            event = nextEvent();
          }
          held = 0;
          controller.enqueue(event);
          if (!isLast?.(event)) return;
          finished = true;
          controller.close();
          giveUp();
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
    get finished() {
      return finished;
    },
    hurry(ended) {
      deadline = ended ? (deadline ?? deps.timers.now() + limits.afterEndMs) : null;
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
        cache: "no-store",
        credentials: "omit",
        referrerPolicy: "no-referrer",
      };
      const response = await guarded(deps.fetch(input, request), firstByteMs, giveUp);
      const { status, statusText } = response;
      const answered = new Headers(response.headers);
      if (response.body === null) return new Response(null, { status, statusText, headers: answered });
      const reader = response.body.getReader();
      let first: Body["first"] = null;
      // Some servers send a stream and call it what their framework calls everything.
      if (response.ok && /^(?:application\/json|text\/html)\b/i.test(answered.get("content-type") ?? "")) {
        first = await guarded(reader.read(), firstByteMs, giveUp);
        if (first.value && beginsAsEvents(first.value)) answered.set("content-type", "text/event-stream");
      }
      const isStream = response.ok && !/^(?:application\/json|text\/html)\b/i.test(answered.get("content-type") ?? "");
      const most = response.ok ? maxOfEvent : maxOfRefusal;
      return new Response(guardedBody({ reader, first, most, isStream }, giveUp), { status, statusText, headers: answered });
    },
  };
}
