import type { Fetch } from "../network/external-fetch.ts";
import type { ProviderDeps } from "./deps.ts";
import { beginsAsEvents, createCutter, hasWholeData, isWithoutData } from "./rechunk.ts";

/**
 * Watches one request.
 *
 * - `fetch` gives up as soon as `signal` aborts, even between two pieces of the body, whatever the real fetch does.
 * - It gives up, and `stalled` becomes true, if the first byte takes longer than `firstByteMs`, or a later byte longer than `idleMs`.
 *   Time in which no one asks for the next piece doesn't count. Every byte is a sign of life, even comments and pings, which an SDK
 *   doesn't pass on.
 * - It sends no `x-stainless-*` and no `user-agent`: both reveal the user's machine, some servers refuse them in the preflight, and no
 *   server needs them.
 * - The body is passed on one event at a time (`rechunk.ts`), without events that have no data. It ends after the event for which `isLast`
 *   is true, whatever the server does with the connection afterwards.
 * - It follows no redirects, because a header with a key would be sent to the new address.
 * - No cache stores the answer, because servers echo keys.
 */
export interface Watch {
  readonly fetch: Fetch;
  readonly stalled: boolean;
  /** The event for which `isLast` is true has arrived. */
  readonly finished: boolean;
  /** Everything important seems to have arrived: the rest may take at most `ms` in total, with or without pings. Null: more is expected. */
  hurry(ms: number | null): void;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  readonly firstByteMs: number;
  /** Called before each later read. */
  readonly idleMs: () => number;
  /** Whether an event, with its blank line, is the last one. If missing, the body ends when the server ends it. */
  readonly isLast?: ((event: Uint8Array) => boolean) | undefined;
  /** Rewrites an event of a stream for the SDK; see `sdk-events.ts`. */
  readonly tidy?: ((event: Uint8Array) => Uint8Array) | undefined;
}

/** The most bytes of one event, or of a body that isn't a stream of events. The rest isn't read. */
const maxOfEvent = 32_000_000;
const maxOfRefusal = 1_000_000;

interface Body {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  /** What was already read. */
  readonly first: ReadableStreamReadResult<Uint8Array> | null;
  readonly most: number;
  readonly isStream: boolean;
}

const blankLine = new TextEncoder().encode("\n\n");

export function createWatch(deps: Pick<ProviderDeps, "fetch" | "timers">, options: WatchOptions): Watch {
  const { signal, firstByteMs, idleMs, isLast, tidy = (event) => event } = options;
  let stalled = false;
  let finished = false;
  /** When the wait after the end began, and when it is over. Null: it has not begun. */
  let endedAt: number | null = null;
  let deadline: number | null = null;

  /** Resolves like `work`. Rejects at once if the signal aborts or the time is up, and then calls `giveUp`. */
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
                // Some servers leave out the blank line after the last event, and an SDK would then drop the event.
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
    hurry(ms) {
      endedAt = ms === null ? null : (endedAt ?? deps.timers.now());
      deadline = ms === null || endedAt === null ? null : endedAt + ms;
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
      // Some servers send a stream with their framework's default content type.
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
