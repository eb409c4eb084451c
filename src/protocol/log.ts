import type { DialogEvent, EventType, Severity } from "../dialog/events/model.ts";

/** An event of the project's log. */
export type LogEvent = DialogEvent & {
  /** Where it stands in the log: opaque, for `?since=` and `?before=`. */
  readonly cursor: string;
};

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
  readonly types?: readonly EventType[];
  readonly tool?: string;
  readonly severity?: Severity;
  readonly by?: "human" | "agent" | "vibey";
}

/** Frames of `GET /events?since=`: every event once, in the order of the log. */
export type LogFrame =
  /** The first frame. `restarted`: the cursor was of another log or of none, so what follows begins with the first event there is. */
  | { readonly type: "log"; readonly logId: string; readonly restarted: boolean }
  | { readonly type: "event"; readonly event: LogEvent }
  /** All there was when the reader joined has been sent. */
  | { readonly type: "current"; readonly cursor: string };
