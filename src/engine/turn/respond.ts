import type { Activity } from "../../protocol/index.ts";
import type { Cost } from "../cost/lines.ts";
import type { Subject } from "../../dialog/grants.ts";
import { createTextWriter, type LastTextPiece, type TextPiece } from "../../dialog/text-writer.ts";
import { createDeadline, type Deadline, secondsOf } from "./response-deadline.ts";
import type { Event } from "./machine/model.ts";
import type { Provider, ProviderEvent, ProviderRequest } from "../providers/provider.ts";
import type { Usage } from "../cost/usage.ts";
import type { Live, Work } from "../dialogs/live.ts";

/** Receives the events of a response. */
export interface ResponseSink {
  /**
   * Makes an event when it is this response's turn, so that the text writer is used only in the dialog's order, and processes it. Null means no
   * event. Returns false if the response is no longer awaited.
   */
  dispatch(make: () => Event | null): Promise<boolean>;
  /** Shows the next text to the reader of the turn. */
  chunk(text: string): void;
  activity(activity: Activity): void;
  /** The subjects that patterns can match in the response's calls. All calls must be complete. */
  subjects(): Promise<ReadonlyMap<string, Subject>>;
  /** The cost of these tokens. Null if it is unknown. */
  cost(usage: Usage | null): Cost | null;
  now(): Date;
  readonly later: (then: () => void, ms: number) => void;
}

/**
 * Asks the provider for one response and turns its stream into events of the dialog. Always ends with one `ended` event, unless the user stopped
 * the dialog: the stop writes the end itself.
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
  const { usage } = work;
  const stored = await sink.dispatch(() => {
    const tail = endText(work, stop.kind === "end" && !hasCalls);
    if (tail) show(tail);
    const time = sink.now().toISOString();
    return { type: "ended", stop, usage, cost: sink.cost(usage), window: provider.window(request.model), tail, time, subjects };
  });
  // The next section may be stopped before the provider is asked for it.
  if (stored && work.usage === usage) work.usage = null;

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
          // The text after the call's start continues.
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

/** Ends the text that is being streamed, if there is one. */
export function endText(work: Work, byItself: boolean): LastTextPiece | null {
  const { writer } = work;
  work.writer = null;
  return writer ? writer.end(byItself ? "by-itself" : "cut") : null;
}

/** A provider never throws. If one does, it has a bug, and the dialog says so instead of hanging. */
async function* streamOf(provider: Provider, request: ProviderRequest, { signal, isLate }: Deadline): AsyncIterable<ProviderEvent> {
  try {
    const stream = provider.stream(request, signal);
    yield* isLate === null ? stream : until(stream, isLate);
  } catch (error) {
    const message = `the provider ${provider.name} failed inside Vibey: ${error instanceof Error ? error.message : String(error)}. Try again.`;
    yield { type: "end", stop: signal.aborted ? { kind: "aborted" } : { kind: "error", reason: "protocol", message } };
  }
}

/** The stream, which ends as aborted when `late` settles, even if the provider only waits for its server. */
async function* until(stream: AsyncIterable<ProviderEvent>, late: Promise<void>): AsyncIterable<ProviderEvent> {
  const events = stream[Symbol.asyncIterator]();
  const isLate = late.then(() => null);
  try {
    for (;;) {
      const coming = events.next();
      const next = await Promise.race([coming, isLate]);
      if (next === null) {
        // The response is no longer awaited, so its end doesn't matter.
        coming.catch(() => undefined);
        return yield { type: "end", stop: { kind: "aborted" } };
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: the stream is late because this may hang.
    events.return?.().catch(() => undefined);
  }
}
