import type { SessionMessage } from "../../protocol/index.ts";
import type { Position } from "../log/log.ts";
import type { SessionChannel } from "./channel.ts";
import { sizeOf } from "./size.ts";

/** The most that may wait for a reader: messages, and their UTF-16 units as JSON. A single message may be larger. */
const patience = { messages: 2_000, units: 8_000_000 } as const;
export const heartbeatMs = 30_000;

export interface FollowOptions {
  /** The id of the last event that the reader has. Null: none. */
  readonly since: string | null;
  /** Positions in the project's log, for the order of events. Null: the log can't be read. */
  readonly positions: readonly Position[] | null;
  readonly deltas: boolean;
  readonly later: (then: () => void, ms: number) => void;
  readonly now: () => Date;
}

/**
 * Follows a session: first `connected`, its state and its last events, then each event as it happens. Live events are derived from the dialog's
 * text, so a later reader gets the same events. A reader that is too slow is disconnected.
 */
export async function* followSession(
  channel: SessionChannel,
  { since, positions, deltas, later, now }: FollowOptions,
  left: AbortSignal,
): AsyncGenerator<SessionMessage> {
  let waiting: SessionMessage[] = [...channel.start(since, positions)];
  /** What waits besides the first messages. */
  let behind = { messages: 0, units: 0 };
  let wake = () => {};
  let over = false;

  const put = (message: SessionMessage): void => {
    if (over || (message.type === "assistant_delta" && !deltas)) return;
    if (message.type === "close") return end(message);
    const units = sizeOf(message);
    if (behind.messages >= patience.messages || (behind.messages > 0 && behind.units + units > patience.units)) {
      waiting = [];
      return end({ type: "close", code: 1013, reason: "the reader was too slow" });
    }
    behind = { messages: behind.messages + 1, units: behind.units + units };
    waiting.push(message);
    wake();
  };
  const end = (message: SessionMessage): void => {
    waiting.push(message);
    over = true;
    wake();
  };
  const beat = (): void => {
    if (over || left.aborted) return;
    put({ type: "heartbeat", ts: now().toISOString() });
    later(beat, heartbeatMs);
  };
  const leave = channel.join(put);
  later(beat, heartbeatMs);
  left.addEventListener("abort", () => wake());
  try {
    while (!left.aborted) {
      const batch = waiting;
      waiting = [];
      behind = { messages: 0, units: 0 };
      for (const message of batch) {
        yield message;
        if (message.type === "close" || left.aborted) return;
      }
      if (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (waiting.length > 0 || left.aborted) resolve();
        });
    }
  } finally {
    over = true;
    leave();
  }
}
