import type { DialogEvent, EventType, Severity } from "../dialog/events/model.ts";
import type { Actor } from "../fs/actor.ts";
import type { LiveFrame } from "./events.ts";
import type { HistoryCommitAnswer } from "./history.ts";

/** An event of the project's log. */
export type LogEvent = (DialogEvent | CommitEvent) & {
  /** Where it stands in the log: opaque, for `?since=` and `?before=`. */
  readonly cursor: string;
};

export type LogEventType = EventType | CommitEvent["type"];

/**
 * Someone changed docs or files of the deed, as a commit of the project's history says it: in the editor, with a tool or a command, with an
 * undo or an import. What an agent changed during a turn is one commit at its end.
 */
export interface CommitEvent {
  readonly type: "commit";
  /** `commit/<hash>`. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly exact: boolean;
  readonly severity: Severity;
  readonly actor: Actor;
  /** The dialog whose agent it was; null: it was no agent, or one of no known dialog. */
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

/** `GET /log`: a page of what happened in the project, newest first. */
export interface LogAnswer {
  /** Another id means another order: the log was built again, and no earlier cursor holds. */
  readonly logId: string;
  readonly events: readonly LogEvent[];
  /** There are older ones that match. */
  readonly more: boolean;
}

/** What `GET /log` shows of the log; what is missing excludes nothing. */
export interface LogFilter {
  readonly dialog?: string;
  readonly types?: readonly LogEventType[];
  readonly tool?: string;
  readonly severity?: Severity;
  readonly by?: "human" | "agent" | "vibey";
}

/** Frames of `GET /events?since=`: every event of the log once, in its order; and live events between them, as they happen. */
export type LogFrame =
  | LiveFrame
  /** The first frame. `restarted`: the cursor was of another log or of none, so what follows begins with the first event there is. */
  | { readonly type: "log"; readonly logId: string; readonly restarted: boolean }
  | { readonly type: "event"; readonly event: LogEvent }
  /** All there is has been sent: after the reader joined, and again each time after events came. */
  | { readonly type: "current"; readonly cursor: string };
