import type { Clock } from "./clock.ts";

/** The time limit of a command, which is paused while the user is asked. */
export interface TimeLimit {
  /** Aborts when the command must stop, for whatever reason, and at its end. */
  readonly signal: AbortSignal;
  /** Why it must stop now; null: it can continue. */
  stop(): "aborted" | "time" | null;
  /** Whether it was over at least this many milliseconds ago. */
  isOver(delay: number): boolean;
  /** Milliseconds until it is over. */
  left(): number;
  /** Continues or pauses the time. */
  setClock(running: boolean): void;
  /** The command has ended. */
  end(): void;
}

export function createTimeLimit(ms: number, clock: Clock, aborted: AbortSignal): TimeLimit {
  let deadline = clock.now() + ms;
  /** When the pause began; null: the time runs. */
  let stillSince: number | null = null;
  /** Ends the wait for the deadline, which has moved. */
  let wait = new AbortController();
  let hasEnded = false;
  const stopper = new AbortController();
  const abort = (): void => stopper.abort();

  const left = (): number => Math.max(0, deadline - (stillSince ?? clock.now()));

  async function watch(): Promise<void> {
    const own = (wait = new AbortController());
    if (stillSince !== null) return;
    await clock.sleep(left(), own.signal);
    if (own.signal.aborted || hasEnded) return;
    if (left() > 0) void watch();
    else stopper.abort();
  }

  if (aborted.aborted) abort();
  else aborted.addEventListener("abort", abort);
  void watch();

  return {
    signal: stopper.signal,
    left,
    stop: () => (aborted.aborted ? "aborted" : stillSince === null && clock.now() >= deadline ? "time" : null),
    isOver: (delay) => stillSince === null && clock.now() >= deadline + delay,
    setClock(running) {
      if (!running && stillSince === null) {
        stillSince = clock.now();
        wait.abort();
      } else if (running && stillSince !== null) {
        deadline += clock.now() - stillSince;
        stillSince = null;
        void watch();
      }
    },
    end() {
      hasEnded = true;
      wait.abort();
      // What still sleeps or waits on its behalf learns of its end, and does not wake up during another command.
      stopper.abort();
      aborted.removeEventListener("abort", abort);
    },
  };
}
