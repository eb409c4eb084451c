import type { Wire, WireReply } from "../stand-in/wire.ts";
import { commandCall } from "./engine.ts";

/** Five moments of a response. Each fault happens once at each. */
export const moments = ["before", "first", "text", "call", "end"] as const;
export type Moment =
  /** Nothing of the answer was sent. */
  | "before"
  /** The first event was sent, which has no content. */
  | "first"
  /** In the middle of the text. */
  | "text"
  /** In the middle of the second call's input; the first call is complete. */
  | "call"
  /** Everything was sent except how it ended. */
  | "end";

/** The response that is disturbed: a text and two calls, both of which would run without asking. */
export const whole: WireReply = { blocks: [{ text: "Hello, world" }, commandCall("a"), commandCall("b")] };

/** The outcome of a turn. */
export type Outcome =
  /** No effect: both calls run, and the turn continues to its end. */
  | "same"
  /** Tried again, and then as if nothing had happened. */
  | "again"
  /** The response ended properly with the text so far. */
  | "short"
  /** The response ended properly with a call whose input isn't JSON: that call gets an error, the others run. */
  | "invalid"
  | "interrupted"
  | "aborted"
  | "max_tokens"
  | "refusal"
  | "context_window"
  | "error"
  /** The fault can't happen at this moment. */
  | "-";

/** The response, split at a moment. */
export interface At {
  readonly wire: Wire;
  readonly at: Moment;
  /** What was sent by then. */
  readonly sent: string;
  /** The next event. A fault may cut it in the middle. */
  readonly next: string;
  readonly rest: string;
}

export function atMoment(wire: Wire, at: Moment): At {
  const events = wire.events(whole);
  const telling = (place: "text" | "call" | "last") => events.flatMap((event, index) => (wire.tells(place, event) ? [index] : []));
  const calls = telling("call");
  const places: Record<Moment, number | undefined> = {
    before: 0,
    first: 1,
    text: (telling("text")[0] ?? 0) + 1,
    call: calls[Math.floor(calls.length * 0.75)],
    end: telling("last")[0],
  };
  const place = places[at];
  if (place === undefined) throw new Error(`no such moment in the stream: ${at}`);
  return { wire, at, sent: events.slice(0, place).join(""), next: events[place] ?? "", rest: events.slice(place).join("") };
}
