import type { Run } from "./commands/answer.ts";
import type { CommonHost } from "./host.ts";
import { passInstead, type Span, spanOf } from "./spans.ts";
import { stoppable } from "./stoppable.ts";

/** A command that another one may end before the whole script is over, such as `timeout`, `kill` or a program that started it. */
export function endedBy<Host extends CommonHost>(host: Host, make: (host: Host) => Run): Run {
  return async (args, context) => {
    const { signal } = context;
    if (signal === undefined) return make(host)(args, context);
    const answer = await make(withEnd(host, signal, spanOf(context)))(args, context);
    // Anyone who is ended says nothing.
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

function withEnd<Host extends CommonHost>(host: Host, ended: AbortSignal, span: Span | null): Host {
  let both: AbortSignal | null = null;
  return {
    ...host,
    stop: () => host.stop() ?? (ended.aborted || span?.isOver() === true ? "aborted" : null),
    signal() {
      if (both === null) {
        both = either(host.signal(), ended);
        if (span !== null) passInstead(both, host.signal());
      }
      return both;
    },
    fetch: (request) =>
      stoppable(
        () => host.fetch(request),
        ended,
        () => ({ kind: "failed", why: whenStopped }),
      ),
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
