import type { Activity } from "../../protocol/index.ts";
import type { Cost } from "../cost/lines.ts";
import type { Subject } from "../../dialog/grants.ts";
import { createTextWriter, type LastTextPiece, type TextPiece } from "../../dialog/text-writer.ts";
import { createDeadline, type Deadline, secondsOf } from "./response-deadline.ts";
import type { Event } from "./machine/model.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../providers/provider.ts";
import type { Usage } from "../cost/usage.ts";
import type { Live, Work } from "../dialogs/live.ts";

/** Where the events of a response go. */
export interface ResponseSink {
  /**
   * Makes an event when it is this response's turn, so that the text writer is touched only in the dialog's order, and takes
   * it; null: there is nothing to take. False: the response is no longer waited for.
   */
  dispatch(make: () => Event | null): Promise<boolean>;
  /** What the reader of the turn sees next. */
  chunk(text: string): void;
  activity(activity: Activity): void;
  /** What patterns can be about in the calls of the response, which are all there. */
  subjects(): Promise<ReadonlyMap<string, Subject>>;
  /** What these tokens cost; null: that is not known. */
  cost(usage: Usage | null): Cost | null;
  now(): Date;
  readonly later: (then: () => void, ms: number) => void;
}

/**
 * Asks the provider for one response and turns what it streams into events of the dialog. Always ends with one `ended`,
 * unless the user stopped the dialog, which writes the end itself.
 */
export async function respond(live: Live, work: Work, provider: Provider, request: ProviderRequest, sink: ResponseSink): Promise<void> {
  const seconds = secondsOf(request.dialog);
  const deadline = createDeadline(seconds, work.abort.signal, sink.later);
  let hasCalls = false;
  let stop: Extract<Event, { type: "ended" }>["stop"] = { kind: "interrupted", message: "the provider's stream ended without an end" };
  for await (const event of streamOf(provider, request, deadline)) {
    if (live.work !== work) return;
    if (event.type === "end") {
      ({ stop } = event);
      break;
    }
    if (event.type === "call" || event.type === "call_start") hasCalls = true;
    if (!(await take(event))) return;
  }
  if (stop.kind === "aborted" && deadline.hasPassed()) stop = { kind: "limit", which: `time ${seconds ?? 0} s` };
  deadline.end();
  const subjects = stop.kind === "end" && hasCalls ? await sink.subjects() : new Map<string, Subject>();
  await sink.dispatch(() => {
    const tail = endText(work, stop.kind === "end" && !hasCalls);
    if (tail) show(tail);
    const { usage } = work;
    const time = sink.now().toISOString();
    return { type: "ended", stop, usage, cost: sink.cost(usage), window: provider.window(request.model), tail, time, subjects };
  });

  function show(piece: TextPiece): void {
    if (piece.text !== "") sink.chunk((piece.starts && live.state.turn?.content ? "\n\n" : "") + piece.text);
  }

  /** A call ends the text before it. */
  function textBefore(): LastTextPiece | null {
    const rest = endText(work, false);
    if (rest) show(rest);
    return rest;
  }

  function take(event: Exclude<ProviderEvent, { type: "end" }>): Promise<boolean> {
    return sink.dispatch(() => {
      switch (event.type) {
        case "text": {
          work.writer ??= createTextWriter();
          const piece = work.writer.push(event.text);
          sink.activity({ kind: "writing" });
          show(piece);
          return piece.file === "" ? null : { type: "text", piece };
        }
        case "call_start": {
          sink.activity({ kind: "writing" });
          return { type: "call_start", id: event.id, name: event.name, tail: textBefore() };
        }
        case "call": {
          const { type, at, id, name, input } = event;
          // The text behind the call's start continues.
          return at === undefined ? { type, id, name, input, tail: textBefore() } : { type, at, id, name, input, tail: null };
        }
        case "thinking":
          sink.activity({ kind: "thinking" });
          return null;
        case "usage":
          work.usage = event.usage;
          return null;
        case "retry":
          deadline.extend(event.delayMs);
          sink.activity({ kind: "retrying", at: sink.now().getTime() + event.delayMs, reason: event.reason });
          return null;
      }
    });
  }
}

/** Ends the text that is being streamed, if one is. */
export function endText(work: Work, byItself: boolean): LastTextPiece | null {
  const { writer } = work;
  work.writer = null;
  return writer ? writer.end(byItself ? "by-itself" : "cut") : null;
}

/** A provider never throws; one that does has a fault, and the dialog says so instead of hanging. */
async function* streamOf(provider: Provider, request: ProviderRequest, { signal, isLate }: Deadline): AsyncIterable<ProviderEvent> {
  try {
    const stream = provider.stream(request, signal);
    yield* isLate === null ? stream : until(stream, isLate);
  } catch (error) {
    const message = `the provider ${provider.name} failed inside Vibey: ${error instanceof Error ? error.message : String(error)}. Try again.`;
    yield { type: "end", stop: signal.aborted ? { kind: "aborted" } : { kind: "error", reason: "protocol", message } };
  }
}

/** The stream, which ends as aborted when it is `late`, also where the provider waits for nothing but its server. */
async function* until(stream: AsyncIterable<ProviderEvent>, late: Promise<void>): AsyncIterable<ProviderEvent> {
  const events = stream[Symbol.asyncIterator]();
  const isLate = late.then(() => null);
  try {
    for (;;) {
      const coming = events.next();
      const next = await Promise.race([coming, isLate]);
      if (next === null) {
        // No one waits for it anymore, so how it ends is of no use.
        coming.catch(() => undefined);
        return yield { type: "end", stop: { kind: "aborted" } };
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: that would be what it is late with.
    events.return?.().catch(() => undefined);
  }
}
