import { findCall, firstDifference, sectionCount } from "../../dialog/sections.ts";
import type { SessionMessage } from "../../protocol/index.ts";
import { contextOf } from "../projections/context.ts";
import type { Live, LiveChange } from "../dialogs/live.ts";
import { lastAnswer } from "../turn/machine/queries.ts";
import { networkId, outsideId } from "./call-id.ts";
import type { Closed } from "./closed.ts";
import { type Continuation, framesOfSection, type FramesOf, lastFrames, messageId } from "./frames.ts";
import { openQuestion, statusOfLive } from "./status.ts";

/** Events of a session that someone who joins is given. */
export const backlogLength = 500;
/** Buffer limits for a slow reader: messages, and UTF-16 units of text in them. */
const patience = { messages: 2_000, units: 8_000_000 } as const;
export const heartbeatMs = 30_000;

export interface FollowOptions {
  /** The id of the last event that the reader has; null: none. */
  readonly since: string | null;
  readonly deltas: boolean;
  readonly closed: Closed;
  readonly later: (then: () => void, ms: number) => void;
  readonly now: () => Date;
  /** The dialog that this one continues, as far as it is known. */
  readonly before: Live | null;
}

export function framesFor(live: Live, before: Live | null): FramesOf {
  return {
    dialogId: live.id,
    state: live.state,
    continuation: (): Continuation => {
      const [then, now] = [before && contextOf(before), contextOf(live)];
      return { oldTokens: then?.used ?? null, newTokens: now?.used ?? null, window: then?.window ?? now?.window ?? null };
    },
  };
}

/**
 * A session from now on: `connected`, how it is, its last events, then each as it happens. Live events are derived from the dialog's text, so a later reader gets the same ones. A reader that is too slow is disconnected.
 */
export async function* followSession(first: Live, options: FollowOptions, left: AbortSignal): AsyncGenerator<SessionMessage> {
  let live = first;
  let waiting: SessionMessage[] = [];
  let units = 0;
  let wake = () => {};
  let over = false;

  const put = (message: SessionMessage) => {
    if (over) return;
    units += "content" in message ? message.content.length : 100;
    if (waiting.length >= patience.messages || units > patience.units) {
      waiting = [];
      return end({ type: "close", code: 1013, reason: "the reader was too slow" });
    }
    waiting.push(message);
    wake();
  };
  const end = (message: SessionMessage) => {
    if (over) return;
    waiting.push(message);
    over = true;
    wake();
  };

  const sent = new Set<string>();
  let { dialog } = live.state;
  let told = JSON.stringify(statusOfLive(live, options.closed));
  let question: string | null = null;
  let wasThinking = false;
  const state = (): SessionMessage => ({ type: "state_change", session_id: live.id, ...statusOfLive(live, options.closed) });

  put({ type: "connected", session_id: live.id });
  put(state());
  const start = lastFrames(framesFor(live, options.before), backlogLength);
  const firstSection = start.from;
  for (const { key } of start.frames) sent.add(key);
  const known = start.frames.findLastIndex(({ frame }) => frame.id === options.since);
  for (const { frame } of start.frames.slice(known + 1)) put(frame);
  emitHostRequest();
  tellThinking();

  /** What the text says now and did not say before. */
  function emitNewEvents(): void {
    const now = live.state.dialog;
    const from = now === dialog ? lastAnswer(now) : Math.min(firstDifference(dialog, now), Math.max(0, lastAnswer(now)));
    dialog = now;
    for (let at = Math.max(firstSection, Math.min(from, sectionCount(now))); at < sectionCount(now); at++) {
      for (const { key, frame } of framesOfSection(framesFor(live, options.before), at)) {
        if (sent.has(key)) continue;
        sent.add(key);
        put(frame);
      }
    }
  }

  function emitStatus(): void {
    const shown = JSON.stringify(statusOfLive(live, options.closed));
    if (shown === told) return;
    told = shown;
    put(state());
    emitHostRequest();
  }

  function emitHostRequest(): void {
    const open = openQuestion(live);
    const named = open?.ask.question ?? null;
    if (named === question) return;
    question = named;
    if (open === null || named === null) return;
    const { host, method, url, needs, program } = open.ask;
    const ts = options.now().toISOString();
    const args = { host, method, url, needs, program };
    const id = networkId(open.callId, named);
    put({ type: "waiting_approval", tool_call_id: id, tool_name: "network", args, hash: named, id: named.slice(0, 8), ts, timestamp: ts });
  }

  function tellThinking(): void {
    const thinks = live.activity?.kind === "thinking";
    if (thinks && !wasThinking) put({ type: "reasoning", content: "", message_id: messageId(live.id, lastAnswer(live.state.dialog)) });
    wasThinking = thinks;
  }

  const watch = (change: LiveChange) => {
    switch (change.kind) {
      case "text":
        if (options.deltas && change.piece.text !== "")
          put({ type: "assistant_delta", content: change.piece.text, message_id: messageId(live.id, lastAnswer(live.state.dialog)) });
        break;
      case "output": {
        const call = findCall(live.state.dialog, change.callId)?.call;
        if (call && change.output.stream !== "progress")
          put({ type: "tool_stream", tool_call_id: outsideId(call), tool_name: call.name, message: change.output.text });
        break;
      }
      case "state":
        tellThinking();
        emitNewEvents();
        emitStatus();
        break;
      case "replaced":
        live.watchers.delete(watch);
        live = change.by;
        live.watchers.add(watch);
        emitNewEvents();
        emitStatus();
        break;
      case "gone":
        put({ type: "state_change", session_id: live.id, status: "disconnected", detail: "deleted" });
        end({ type: "close", code: 4410, reason: "the session was deleted" });
        break;
    }
  };
  const beat = () => {
    if (over || left.aborted) return;
    put({ type: "heartbeat", ts: options.now().toISOString() });
    options.later(beat, heartbeatMs);
  };
  live.watchers.add(watch);
  const stopClosed = options.closed.watch((id) => {
    if (id !== live.id) return;
    emitNewEvents();
    emitStatus();
    end({ type: "close", code: 4410, reason: "the session was closed" });
  });
  options.later(beat, heartbeatMs);
  left.addEventListener("abort", () => wake());
  try {
    while (!left.aborted) {
      const batch = waiting;
      waiting = [];
      units = 0;
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
    stopClosed();
    live.watchers.delete(watch);
  }
}
