import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";

/** Seconds that an agent which was mentioned has for a response, where its file doesn't say. */
const answerSeconds = 120;
/** Milliseconds that a timer can wait: with more it doesn't wait at all. */
const longestWait = 2 ** 31 - 1;

/** Seconds that a response in this dialog may take; null: as long as it needs. */
export function secondsOf(dialog: Dialog): number | null {
  return agentOf(dialog)?.bounds.timeout ?? (repliesTo(dialog.head) === null ? null : answerSeconds);
}

export interface Deadline {
  /** Aborts when `outer` does, and when the time is over. */
  readonly signal: AbortSignal;
  hasPassed(): boolean;
  /** This time doesn't count: the provider asked to wait. */
  extend(ms: number): void;
  /** The response is there. */
  end(): void;
}

export function createDeadline(seconds: number | null, outer: AbortSignal, later: (then: () => void, ms: number) => void): Deadline {
  if (seconds === null) return { signal: outer, hasPassed: () => false, extend() {}, end() {} };
  const own = new AbortController();
  let isOver = false;
  let extra = seconds * 1_000;
  function check(): void {
    if (isOver) return;
    if (extra === 0) return own.abort();
    wait();
  }
  function wait(): void {
    const ms = Math.min(extra, longestWait);
    extra -= ms;
    later(check, ms);
  }
  wait();
  return {
    signal: AbortSignal.any([outer, own.signal]),
    hasPassed: () => own.signal.aborted,
    extend: (ms) => void (extra += ms),
    end: () => void (isOver = true),
  };
}
