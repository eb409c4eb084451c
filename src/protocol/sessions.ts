import type { Json, JsonObject } from "../dialog/model.ts";

/**
 * The state of a session, read from its dialog. `disconnected`: the dialog is done or read-only, or this engine has not opened it and it waits for no
 * one.
 */
export type SessionStatus = "running" | "waiting_approval" | "waiting_input" | "idle" | "error" | "disconnected";

export interface SessionItem {
  /** The dialog's id. Opaque. `id` is the same. */
  readonly session_id: string;
  readonly id: string;
  /** The first 50 characters of the first message. */
  readonly title: string;
  /** In ISO 8601. Null if the file doesn't say. `started_at` is the same. */
  readonly start_time: string | null;
  readonly started_at: string | null;
  readonly last_activity: string;
  /** Null until the dialog is done. */
  readonly end_time: string | null;
  readonly status: SessionStatus;
  readonly message_count: number;
  readonly environment: { readonly working_directory: string };
  /** `cost` in US dollars, absent if unknown. */
  readonly stats: { readonly input_tokens: number; readonly output_tokens: number; readonly tool_calls: number; readonly cost?: number };
  /** Whether it accepts messages and decisions. */
  readonly controllable: boolean;
  /** `vibey`, or the framework of an outside agent. */
  readonly source: string;
}

export interface SessionState {
  readonly session_id: string;
  readonly id: string;
  readonly status: SessionStatus;
  readonly state: SessionStatus;
  /** The reason: `queued`, `stopped`, `interrupted`, `limit`, or a text. Absent if there is none. */
  readonly detail?: string;
  /** Ids as `POST /api/sessions/{id}/approve` takes them. */
  readonly pending_approval: readonly string[];
  readonly pending_input: readonly string[];
}

export type SessionDetail = Omit<SessionItem, "status"> & SessionState & { readonly backlog: readonly SessionFrame[] };

/** Something that happened in a session. `id`: 8 hexadecimal digits, for `?since=`. */
export type SessionFrame = SessionData & {
  readonly id: string;
  /** In ISO 8601. `timestamp` is the same. */
  readonly ts: string;
  readonly timestamp: string;
};

export type SessionData =
  | { readonly type: "user_message" | "assistant"; readonly content: string; readonly message_id: string }
  /** Sent again with another id if an outside agent asks about other arguments than those it began with. */
  | {
      readonly type: "tool_call";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly args: JsonObject;
    }
  /** `hash`: identifies what is to be approved. `tool_call_id` ends with its first half. */
  | {
      readonly type: "waiting_approval";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly args: JsonObject;
      readonly hash: string;
    }
  /** `skipped`: the call was denied. `duration`: in seconds. Null if the file doesn't say. */
  | {
      readonly type: "tool_result";
      readonly tool_call_id: string;
      readonly tool_name: string;
      readonly result: Json;
      readonly error: string | null;
      readonly skipped: boolean;
      readonly duration: number | null;
    }
  /** `message_id`: as in `pending_input`. `options`: answers offered by an outside agent. Its question is also a call to approve. */
  | { readonly type: "waiting_input"; readonly prompt: string; readonly options?: readonly string[]; readonly message_id: string }
  | { readonly type: "error"; readonly message: string; readonly recoverable: boolean }
  /** The session continues another one from a summary. Tokens are 0 if unknown. `threshold` is the model's window. */
  | { readonly type: "compact_start"; readonly current_context_tokens: number; readonly threshold: number }
  | {
      readonly type: "compact_end";
      readonly old_context_tokens: number;
      readonly new_context_tokens: number;
      /** In characters. */
      readonly summary_length: number;
      readonly new_session_id: string;
    };

/** The messages of `/ws/events/{id}`. Only `SessionFrame`s have an id. The others describe the present and are not stored. */
export type SessionMessage =
  | SessionFrame
  | { readonly type: "connected"; readonly session_id: string }
  | { readonly type: "state_change"; readonly session_id: string; readonly status: SessionStatus; readonly detail?: string }
  | { readonly type: "heartbeat"; readonly ts: string }
  /** The agent's reasoning. Vibey does not store it. */
  | { readonly type: "reasoning"; readonly content: string; readonly message_id: string }
  | { readonly type: "tool_stream"; readonly tool_call_id: string; readonly tool_name: string; readonly message: string }
  /** With `?deltas=1`: the text of a message that is being written. */
  | { readonly type: "assistant_delta"; readonly content: string; readonly message_id: string }
  /** The last message of an SSE stream. A WebSocket is closed with this code instead. */
  | { readonly type: "close"; readonly code: 4410 | 1013; readonly reason: string };

/** The state of the connection between the page and the bridge. */
export interface BridgeAnswer {
  /** `off`: no key is set. `refused`: the bridge and this page have different keys, or another page took over. */
  readonly state: "off" | "connecting" | "connected" | "refused";
  /** The address of the bridge, such as `ws://127.0.0.1:7870`. Null if none is set. */
  readonly address: string | null;
  /** The prefix of this project's paths at the bridge: `/p/<id>`. Empty for the first project. */
  readonly path: string;
  /** Whether programs with the key may do everything that the user can. If not: what `/api`, `/ws` and the paths for outside agents offer. */
  readonly all: boolean;
  /** Another page is connected, and this page can take over from it. */
  readonly canTakeOver: boolean;
  /** Why it is not connected. Null if there is nothing to report. */
  readonly problem: string | null;
  /** Streams that are followed over the connection now. */
  readonly watchers: number;
  /** Calls that came over the connection since it was made. */
  readonly calls: number;
  /** When it was connected, in ISO 8601. */
  readonly since: string | null;
}

export interface BridgeBody {
  /** The bridge's `VIBECHECK_PSK`. Never returned. Absent: unchanged. */
  readonly key?: string;
  readonly address?: string;
  readonly all?: boolean;
  /** This page takes over from the page that is connected for the project. */
  readonly takeOver?: true;
}
