import type { Json, JsonObject } from "../dialog/model.ts";

/**
 * How a session is, read from its dialog. `disconnected`: it is done, or only shown, or this engine has not opened it and it waits for no one.
 */
export type SessionStatus = "running" | "waiting_approval" | "waiting_input" | "idle" | "error" | "disconnected";

export interface SessionItem {
  /** The dialog's id; opaque. `id` says the same. */
  readonly session_id: string;
  readonly id: string;
  /** The first 50 characters of the first message. */
  readonly title: string;
  /** ISO 8601; null where the file says none. `started_at` says the same. */
  readonly start_time: string | null;
  readonly started_at: string | null;
  readonly last_activity: string;
  /** null until the dialog is done. */
  readonly end_time: string | null;
  readonly status: SessionStatus;
  readonly message_count: number;
  readonly environment: { readonly working_directory: string };
  /** `cost` in US dollars, left out where nothing is known of it. */
  readonly stats: { readonly input_tokens: number; readonly output_tokens: number; readonly tool_calls: number; readonly cost?: number };
  /** Messages and decisions are taken. */
  readonly controllable: boolean;
  /** `vibey`, or the framework of an agent outside. */
  readonly source: string;
}

export interface SessionState {
  readonly session_id: string;
  readonly id: string;
  readonly status: SessionStatus;
  readonly state: SessionStatus;
  /** Why: `queued`, `stopped`, `interrupted`, `limit`, or words. Left out where there is nothing to say. */
  readonly detail?: string;
  /** Ids as `POST /api/sessions/{id}/approve` takes them. */
  readonly pending_approval: readonly string[];
  readonly pending_input: readonly string[];
}

export type SessionDetail = Omit<SessionItem, "status"> & SessionState & { readonly backlog: readonly SessionFrame[] };

/** Something that happened in a session. `id`: 8 hexadecimal digits, for `?since=`. */
export type SessionFrame = SessionData & {
  readonly id: string;
  /** ISO 8601; `timestamp` says the same. */
  readonly ts: string;
  readonly timestamp: string;
};

export type SessionData =
  | { readonly type: "user_message" | "assistant"; readonly content: string; readonly message_id: string }
  /** Told again under another id when an agent outside asks about other arguments than it began with. */
  | {
      readonly type: "tool_call";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly args: JsonObject;
    }
  /** `hash`: of what is to be approved; `tool_call_id` ends with its first half. */
  | {
      readonly type: "waiting_approval";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly args: JsonObject;
      readonly hash: string;
    }
  /** `skipped`: it was denied. `duration`: in seconds; null where the file doesn't say. */
  | {
      readonly type: "tool_result";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly result: Json;
      readonly error: string | null;
      readonly skipped: boolean;
      readonly duration: number | null;
    }
  /** `message_id`: as in `pending_input`. `options`: answers that an agent outside offers, whose question is a call to approve as well. */
  | { readonly type: "waiting_input"; readonly prompt: string; readonly options?: readonly string[]; readonly message_id: string }
  | { readonly type: "error"; readonly message: string; readonly recoverable: boolean }
  /** The session continues another one from a summary. Tokens are 0 where they are not known; `threshold` is the model's window. */
  | { readonly type: "compact_start"; readonly current_context_tokens: number; readonly threshold: number }
  | {
      readonly type: "compact_end";
      readonly old_context_tokens: number;
      readonly new_context_tokens: number;
      /** Characters. */
      readonly summary_length: number;
      readonly new_session_id: string;
    };

/** What `/ws/events/{id}` sends. Only what is a `SessionFrame` has an id; the rest is so now and stands nowhere. */
export type SessionMessage =
  | SessionFrame
  | { readonly type: "connected"; readonly session_id: string }
  | { readonly type: "state_change"; readonly session_id: string; readonly status: SessionStatus; readonly detail?: string }
  | { readonly type: "heartbeat"; readonly ts: string }
  /** The agent thinks; Vibey stores none of it. */
  | { readonly type: "reasoning"; readonly content: string; readonly message_id: string }
  | { readonly type: "tool_stream"; readonly tool_call_id: string; readonly tool_name: string; readonly message: string }
  /** With `?deltas=1`: the text of a message that is being written. */
  | { readonly type: "assistant_delta"; readonly content: string; readonly message_id: string }
  /** The last one of a stream of SSE. A WebSocket is closed with the code instead. */
  | { readonly type: "close"; readonly code: 4410 | 1013; readonly reason: string };

/** How the page and the bridge stand to each other. */
export interface BridgeAnswer {
  /** `off`: no key is set. `refused`: the bridge or this page has another key, or another page took its place. */
  readonly state: "off" | "connecting" | "connected" | "refused";
  /** Of the bridge, such as `ws://127.0.0.1:7870`; null: none is set. */
  readonly address: string | null;
  /** Before the paths of this project at the bridge: `/p/<id>`; "" for the first one, whose paths stand alone. */
  readonly path: string;
  /** Programs that have the key may do all that the user can; otherwise what `/api`, `/ws` and outside agents' paths offer. */
  readonly all: boolean;
  /** It is not connected because another page is, in whose place it can be. */
  readonly canTakeOver: boolean;
  /** Why it is not connected; null: nothing to say. */
  readonly problem: string | null;
  /** Streams that are followed over it now. */
  readonly watchers: number;
  /** Calls that came over it since it was connected. */
  readonly calls: number;
  /** ISO 8601: since when it is connected. */
  readonly since: string | null;
}

export interface BridgeBody {
  /** The bridge's `VIBECHECK_PSK`. It goes in and never comes out. Left out: it stays as it is. */
  readonly key?: string;
  readonly address?: string;
  readonly all?: boolean;
  /** This page takes the place of the one that is connected for the project. */
  readonly takeOver?: true;
}
