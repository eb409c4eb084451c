import { findCall, firstDifference, sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { SessionFrame, SessionMessage } from "../../protocol/index.ts";
import type { Live, LiveChange } from "../dialogs/live.ts";
import type { Position } from "../log/log.ts";
import { contextOf } from "../projections/context.ts";
import { askedCalls, lastAnswer } from "../turn/machine/queries.ts";
import { firstFrames } from "./backlog.ts";
import { networkId, outsideId } from "./call-id.ts";
import type { Closed } from "./closed.ts";
import { type Continuation, framesOfSection, type FramesOf, messageId } from "./frames.ts";
import { openQuestion, statusOfLive } from "./status.ts";

/** All readers that follow one session. Each message is created once, no matter how many readers there are. */
export interface SessionChannel {
  /** The first messages for a reader. `since`: the id of the last event that it has, or null. `positions`: of the log. Null: it can't be read. */
  start(since: string | null, positions: readonly Position[] | null): readonly SessionMessage[];
  /** Returns a function that leaves the channel. */
  join(reader: (message: SessionMessage) => void): () => void;
}

export interface SessionChannels {
  /** `before`: the dialog that this one continues, if known. */
  of(live: Live, before: Live | null): SessionChannel;
}

export function createSessionChannels(closed: Closed, now: () => Date): SessionChannels {
  const channels = new WeakMap<Live, SessionChannel>();
  return {
    of(live, before) {
      const known = channels.get(live);
      if (known) return known;
      const channel = createChannel(live, {
        before,
        closed,
        now,
        // The file was written again. New readers join the existing channel.
        moved: (by, from) => {
          channels.delete(from);
          channels.set(by, channel);
        },
        empty: (last) => void channels.delete(last),
      });
      channels.set(live, channel);
      return channel;
    },
  };
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

/** The calls that the user is asked about, as one text. */
const askedIds = ({ state }: Pick<Live, "state">): string => JSON.stringify(askedCalls(state).map(({ id }) => id));

/** The open question about a host, as a frame. No text has it. */
export function hostRequest(live: Pick<Live, "activity">, now: Date): Extract<SessionFrame, { type: "waiting_approval" }> | null {
  const open = openQuestion(live);
  if (open === null) return null;
  const { host, method, url, needs, program, question: hash } = open.ask;
  const ts = now.toISOString();
  return {
    type: "waiting_approval",
    tool_call_id: networkId(open.callId, hash),
    tool_name: "network",
    args: { host, method, url, needs, program },
    hash,
    id: hash.slice(0, 8),
    ts,
    timestamp: ts,
  };
}

interface ChannelParts {
  readonly before: Live | null;
  readonly closed: Closed;
  readonly now: () => Date;
  readonly moved: (by: Live, from: Live) => void;
  /** Called when the last reader has left. */
  readonly empty: (live: Live) => void;
}

function createChannel(first: Live, { before: continued, closed, now, moved, empty }: ChannelParts): SessionChannel {
  let live = first;
  const readers = new Set<(message: SessionMessage) => void>();
  /** Keys of the frames that were sent. */
  const known = new Set<string>();
  let { dialog } = live.state;
  let written = live.state.status;
  let asked = askedIds(live);
  let firstSection = 0;
  let status = JSON.stringify(statusOfLive(live, closed));
  let question: string | null = null;
  let wasThinking = false;
  let stopClosed = () => {};

  const put = (message: SessionMessage): void => {
    for (const reader of readers) reader(message);
  };
  const state = (): SessionMessage => ({ type: "state_change", session_id: live.id, ...statusOfLive(live, closed) });

  /** Sends what is new in the session. */
  function tellChanges(): void {
    tellThinking();
    tellEvents();
    tellStatus();
  }

  function tellEvents(): void {
    const current = live.state.dialog;
    const from = current === dialog ? lastAnswer(current) : Math.min(firstDifference(dialog, current), Math.max(0, lastAnswer(current)));
    // The frames of a call also depend on the dialog's status, and on whether the user is asked about it.
    const before = live.state.status === written && askedIds(live) === asked ? dialog : null;
    dialog = current;
    written = live.state.status;
    asked = askedIds(live);
    for (let at = Math.max(firstSection, Math.min(from, sectionCount(current))); at < sectionCount(current); at++) {
      for (const { key, frame } of framesOfSection(
        framesFor(live, continued),
        at,
        known,
        before === null ? [] : sectionAt(before, at)?.parts,
      )) {
        known.add(key);
        put(frame);
      }
    }
  }

  function tellStatus(): void {
    const shown = JSON.stringify(statusOfLive(live, closed));
    if (shown === status) return;
    status = shown;
    put(state());
    const request = hostRequest(live, now());
    const name = request?.hash ?? null;
    if (request !== null && name !== question) put(request);
    question = name;
  }

  const isThinking = (): boolean => live.activity?.kind === "thinking";
  const reasoning = (): SessionMessage => ({
    type: "reasoning",
    content: "",
    message_id: messageId(live.id, lastAnswer(live.state.dialog)),
  });

  function tellThinking(): void {
    const thinks = isThinking();
    if (thinks && !wasThinking) put(reasoning());
    wasThinking = thinks;
  }

  const watch = (change: LiveChange): void => {
    switch (change.kind) {
      case "text":
        if (change.piece.text !== "")
          put({ type: "assistant_delta", content: change.piece.text, message_id: messageId(live.id, lastAnswer(live.state.dialog)) });
        break;
      case "output": {
        const call = findCall(live.state.dialog, change.callId)?.call;
        if (call && change.output.stream !== "progress")
          put({ type: "tool_stream", tool_call_id: outsideId(call), tool_name: call.name, message: change.output.text });
        break;
      }
      case "state":
        tellChanges();
        break;
      case "replaced":
        live.watchers.delete(watch);
        moved(change.by, live);
        live = change.by;
        live.watchers.add(watch);
        tellEvents();
        tellStatus();
        break;
      case "gone":
        put({ type: "state_change", session_id: live.id, status: "disconnected", detail: "deleted" });
        put({ type: "close", code: 4410, reason: "the session was deleted" });
        break;
    }
  };

  return {
    start(since, positions) {
      if (readers.size > 0) tellChanges();
      const { frames, all, from } = firstFrames(framesFor(live, continued), since, positions);
      if (readers.size === 0) {
        ({ dialog, status: written } = live.state);
        asked = askedIds(live);
        status = JSON.stringify(statusOfLive(live, closed));
        wasThinking = isThinking();
        known.clear();
        firstSection = from;
        for (const { key } of all) known.add(key);
      }
      const request = hostRequest(live, now());
      if (readers.size === 0) question = request?.hash ?? null;
      return [
        { type: "connected", session_id: live.id },
        state(),
        ...frames.map(({ frame }) => frame),
        ...(request === null ? [] : [request]),
        ...(isThinking() ? [reasoning()] : []),
      ];
    },
    join(reader) {
      if (readers.size === 0) {
        live.watchers.add(watch);
        stopClosed = closed.watch((id) => {
          if (id !== live.id) return;
          tellEvents();
          tellStatus();
          put({ type: "close", code: 4410, reason: "the session was closed" });
        });
      }
      readers.add(reader);
      return () => {
        readers.delete(reader);
        if (readers.size > 0) return;
        live.watchers.delete(watch);
        stopClosed();
        empty(live);
      };
    },
  };
}
