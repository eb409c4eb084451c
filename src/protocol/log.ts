import type { DialogEvent, EventType, Severity } from "../dialog/events/model.ts";
import type { Actor } from "../fs/actor.ts";
import type { LiveFrame } from "./events.ts";
import type { HistoryCommitAnswer } from "./history.ts";

/** An event of the project's log. */
export type LogEvent = (DialogEvent | CommitEvent) & {
  /** The position in the log. Opaque, for `?since=` and `?before=`. */
  readonly cursor: string;
};

export type LogEventType = EventType | CommitEvent["type"];

/**
 * Someone changed docs or files of the deed, according to a commit of the project's history: in the editor, with a tool or a command, with an undo or
 * an import. All changes of an agent in a turn are one commit at the end of the turn.
 */
export interface CommitEvent {
  readonly type: "commit";
  /** `commit/<hash>`. */
  readonly id: string;
  /** In ISO 8601. */
  readonly time: string;
  readonly exact: boolean;
  readonly severity: Severity;
  readonly actor: Actor;
  /** The dialog whose agent made the commit. Null if no agent did, or its dialog is unknown. */
  readonly dialogId: string | null;
  readonly anchor: null;
  readonly data: {
    /** The hash, as `GET /history/:id` takes it. */
    readonly commit: string;
    readonly summary: string;
    /** How many files it changed, and the first 20 of them. */
    readonly files: number;
    readonly changes: HistoryCommitAnswer["changes"];
  };
}

/** `GET /log`: a page of the events of the project, newest first. */
export interface LogAnswer {
  /** A new id means a new order: the log was rebuilt, and earlier cursors are invalid. */
  readonly logId: string;
  readonly events: readonly LogEvent[];
  /** Whether there are older events that match. */
  readonly more: boolean;
}

/** The filters of `GET /log`. A missing field matches everything. */
export interface LogFilter {
  readonly dialog?: string;
  readonly types?: readonly LogEventType[];
  readonly tool?: string;
  readonly severity?: Severity;
  readonly by?: "human" | "agent" | "vibey";
}

/** Frames of `GET /events?since=`: every event of the log once, in order, mixed with live events as they happen. */
export type LogFrame =
  | LiveFrame
  /** The first frame. `restarted`: there was no valid cursor for this log, so the events begin with the first one. */
  | { readonly type: "log"; readonly logId: string; readonly restarted: boolean }
  | { readonly type: "event"; readonly event: LogEvent }
  /** Everything so far has been sent. Follows the backlog after the reader joined, and each later group of events. */
  | { readonly type: "current"; readonly cursor: string };
