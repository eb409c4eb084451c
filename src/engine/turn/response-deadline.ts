import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";

/** Seconds that a mentioned agent has for a response if its file sets no timeout. */
const answerSeconds = 120;
/** Milliseconds that a provider has to end its stream after the deadline. */
const endsWithin = 1_000;
/** The longest delay of a timer, in milliseconds. A timer with a longer delay fires at once. */
const maxWaitMs = 2 ** 31 - 1;

/** The time limit of a response in this dialog, in seconds. Null if there is none. */
export function secondsOf(dialog: Dialog): number | null {
  return agentOf(dialog)?.bounds.timeout ?? (repliesTo(dialog.head) === null ? null : answerSeconds);
}

export interface Deadline {
  /** Aborts when `outer` aborts, and at the deadline. */
  readonly signal: AbortSignal;
  hasPassed(): boolean;
  /** Settles after the deadline, once the provider has had a moment to end by itself. Null if there is no deadline. */
  readonly isLate: Promise<void> | null;
  /** Moves the deadline by the time that the provider asked to wait. */
  extend(ms: number): void;
  /** The response is complete. */
  end(): void;
}

export function createDeadline(seconds: number | null, outer: AbortSignal, later: (then: () => void, ms: number) => void): Deadline {
  if (seconds === null) return { signal: outer, hasPassed: () => false, isLate: null, extend() {}, end() {} };
  const own = new AbortController();
  let isOver = false;
  let late = (): void => undefined;
  const isLate = new Promise<void>((resolve) => {
    late = resolve;
  });
  let extra = seconds * 1_000;
  function check(): void {
    if (isOver) return;
    if (extra === 0) {
      own.abort();
      return later(late, endsWithin);
    }
    wait();
  }
  function wait(): void {
    const ms = Math.min(extra, maxWaitMs);
    extra -= ms;
    later(check, ms);
  }
  wait();
  return {
    signal: AbortSignal.any([outer, own.signal]),
    hasPassed: () => own.signal.aborted,
    isLate,
    extend: (ms) => void (extra += ms),
    end: () => void (isOver = true),
  };
}
