import type { Context, Run } from "./commands/answer.ts";
import type { CommonHost } from "./host.ts";
import { handleSignals, passInstead, type Signal, spanOf } from "./spans.ts";
import { stoppable } from "./stoppable.ts";

/** Wraps a command that may be ended before the whole script, for example by `timeout`, `kill` or the program that started it. */
export function endedBy<Host extends CommonHost>(host: Host, make: (host: Host) => Run): Run {
  return async (args, context) => {
    const { signal } = context;
    if (signal === undefined) return make(host)(args, context);
    const end = endOf(signal, context);
    const answer = await make(withEnd(host, end, context))(args, context);
    end.close();
    // A command that was ended prints nothing about it.
    return signal.aborted && answer.stderr?.includes(whenStopped) === true ? { ...answer, stderr: withoutLines(answer.stderr) } : answer;
  };
}

const whenStopped = "the command was stopped";

function withoutLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.endsWith(whenStopped))
    .join("\n");
}

/** The end of a command: the first signal that it does not handle itself. */
interface End {
  readonly signal: AbortSignal;
  isOver(): boolean;
  take(handler: (signal: Signal) => boolean): void;
  close(): void;
}

function endOf(ended: AbortSignal, context: Context): End {
  const span = spanOf(context);
  const end = new AbortController();
  const stop = (): void => end.abort();
  let take = (_signal: Signal): boolean => false;
  let hasTaken = false;
  const stopHearing = handleSignals(context, (signal) => {
    hasTaken = take(signal);
    if (!hasTaken) stop();
    return hasTaken;
  });
  // Every signal aborts the context's own signal. If something else ended the command, it aborts without a signal having been sent.
  const heard = (): void => {
    if (!hasTaken) stop();
  };
  if (ended.aborted) stop();
  else ended.addEventListener("abort", heard);
  return {
    signal: end.signal,
    isOver() {
      span?.isOver();
      return end.signal.aborted;
    },
    take: (handler) => void (take = handler),
    close() {
      stopHearing();
      ended.removeEventListener("abort", heard);
    },
  };
}

function withEnd<Host extends CommonHost>(host: Host, end: End, context: Context): Host {
  let both: AbortSignal | null = null;
  const span = spanOf(context);
  return {
    ...host,
    stop: () => host.stop() ?? (end.isOver() ? "aborted" : null),
    signal() {
      if (both === null) {
        both = either(host.signal(), end.signal);
        if (span !== null) passInstead(both, host.signal());
      }
      return both;
    },
    takeSignals: (take: (signal: Signal) => boolean) => end.take(take),
    fetch(request, asking) {
      const stopped = asking?.signal === undefined ? end.signal : AbortSignal.any([end.signal, asking.signal]);
      return stoppable(
        () => host.fetch(request, { ...asking, signal: stopped }),
        stopped,
        () => ({ kind: "failed", why: whenStopped }),
      );
    },
  };
}

/** `AbortSignal.any`, which older versions of Node lack. */
function either(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  const stop = (): void => first.abort();
  for (const signal of signals) {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }
  return first.signal;
}
