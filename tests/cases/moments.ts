import type { Wire, WireReply } from "../stand-in/wire.ts";
import { commandCall } from "./engine.ts";

/** Five moments of one response, in which each fault comes once. */
export const moments = ["before", "first", "text", "call", "end"] as const;
export type Moment =
  /** Nothing of the answer was sent. */
  | "before"
  /** Its first event was, which says nothing. */
  | "first"
  /** In the midst of the text. */
  | "text"
  /** In the midst of the second call's input; the first call is whole. */
  | "call"
  /** All was sent but how it ended. */
  | "end";

/** The response in which it comes: a text and two calls, both of which would run without asking. */
export const whole: WireReply = { blocks: [{ text: "Hello, world" }, commandCall("a"), commandCall("b")] };

/** What becomes of a turn. */
export type Outcome =
  /** Nothing was amiss: both calls run, and the turn goes on to its end. */
  | "same"
  /** Tried again, and then as if nothing had been. */
  | "again"
  /** The response ended by itself with the text that there was. */
  | "short"
  /** The response ended by itself with a call whose input is no JSON: that one is answered as such, the others run. */
  | "invalid"
  | "interrupted"
  | "aborted"
  | "max_tokens"
  | "refusal"
  | "context_window"
  | "error"
  /** The fault can't come in this moment. */
  | "-";

/** The response at a moment. */
export interface At {
  readonly wire: Wire;
  readonly at: Moment;
  /** What was sent by then. */
  readonly sent: string;
  /** What follows; its first event is the one in whose midst a fault may come. */
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
