import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";

/** Seconds that an agent which was mentioned has for a response, where its file doesn't say. */
const answerSeconds = 120;
/** Milliseconds that a provider has to end its stream once the time is over. */
const endsWithin = 1_000;
/** Milliseconds that a timer can wait: with more it doesn't wait at all. */
const maxWaitMs = 2 ** 31 - 1;

/** Seconds that a response in this dialog may take; null: as long as it needs. */
export function secondsOf(dialog: Dialog): number | null {
  return agentOf(dialog)?.bounds.timeout ?? (repliesTo(dialog.head) === null ? null : answerSeconds);
}

export interface Deadline {
  /** Aborts when `outer` does, and when the time is over. */
  readonly signal: AbortSignal;
  hasPassed(): boolean;
  /** Settles when the time is over and the provider had a moment to end by itself; null: there is no deadline. */
  readonly isLate: Promise<void> | null;
  /** This time doesn't count: the provider asked to wait. */
  extend(ms: number): void;
  /** The response is there. */
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
