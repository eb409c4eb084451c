import { deferred } from "./embedded/deferred.ts";

/** Runs one action at a time, in the order of the calls. A failed action does not block later ones. */
export function createExclusive(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve();
  return async (act) => {
    const before = last;
    const { promise, resolve } = deferred<void>();
    last = promise;
    await before;
    try {
      return await act();
    } finally {
      resolve();
    }
  };
}

/**
 * Gives turns in the order of the calls. Each call waits for its turn and resolves to a function that passes the turn on (further calls of that
 * function do nothing), or to null if the signal was aborted first. `waits` is called if someone else has the turn.
 */
export function createTurns(): (signal: AbortSignal, waits?: () => void) => Promise<(() => void) | null> {
  let last: Promise<void> = Promise.resolve();
  /** The number of callers that have the turn or wait for it. */
  let taken = 0;
  return async (signal, waits) => {
    const turn = last;
    taken += 1;
    if (taken > 1) waits?.();
    const { promise, resolve } = deferred<void>();
    last = promise;
    let isOver = false;
    const giveTurn = (): void => {
      if (!isOver) taken -= 1;
      isOver = true;
      resolve();
    };
    await Promise.race([turn, abortOf(signal)]);
    if (!signal.aborted) return giveTurn;
    void turn.then(giveTurn);
    return null;
  };
}

export function abortOf(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
