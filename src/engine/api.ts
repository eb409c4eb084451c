/**
 * The shapes of what the router takes and answers: the engine's only interface to a screen. Types alone, so that the page
 * can share them without a module of the engine.
 *
 * | call | answer |
 * |---|---|
 * | `GET /files` | `string[]`: names in `vibey/`, newest first |
 * | `GET /file/:name` | `FileAnswer` with an `ETag`; 404, 400 `ErrorAnswer` |
 * | `POST /file/:name` `{content}` | `{ok: true, name}` with an `ETag`; 412 when `If-Match` names another version; 409 on an active dialog |
 * | `DELETE /file/:name` | `{ok: true}`; 404; 409 on an active dialog |
 * | `GET /dialogs` | `DialogListing[]`, newest first |
 * | `POST /dialog/new` `NewDialogBody` | `{dialogId, filename, provider, model, status}` |
 * | `POST /dialog` `NewDialogBody & {prompt}` | SSE of `Frame` |
 * | `PUT /dialog` `PutDialogBody` | SSE of `Frame` when a provider request may follow, else `StatusAnswer` |
 * | `GET /dialog/:id` | `DialogAnswer` |
 * | `GET /dialog/:id/stream` | SSE of `StreamFrame`: markdown; with `?view=parsed` SSE of `ViewFrame` |
 * | `GET /events` | SSE of `EngineEvent` |
 * | `GET /project.zip?scope=docs` or `dialogs` or `all` | the zip |
 * | `GET /deed` | `DeedListing[]` |
 * | `GET`, `PUT`, `DELETE /deed/<path>` | bytes out with an `ETag`, bytes in, `{ok: true}` |
 * | `GET`, `PUT /provider/:name` `ProviderBody` | `ProviderAnswer`; a key goes in and never comes out |
 * | `GET /provider/:name/models` | `ModelsAnswer`; 502 `ErrorAnswer` |
 */
import type { Json, JsonObject, Meta } from "./format/model.ts";

export type Status = "active" | "waiting" | "done";

export interface ErrorAnswer {
  readonly error: string;
}

export interface FileAnswer {
  readonly name: string;
  readonly content: string;
}

export interface DialogListing {
  readonly dialogId: string;
  readonly status: Status;
  readonly filename: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface NewDialogBody {
  readonly provider: string;
  readonly model?: string;
  readonly slug?: string;
}

export interface PutDialogBody {
  readonly dialogId: string;
  readonly status?: "waiting" | "done";
  readonly prompt?: string;
  /** Lines `<tool_call_id>: approve` or `: deny` between `əəə` lines (optional on input); or `[{id, approved}]`. */
  readonly decisions?: string | readonly { readonly id: string; readonly approved: boolean }[];
  /** Lines `allow <tool_name>` or `deny <tool_name>` between `əəə` lines; or names to allow. */
  readonly authorizations?: string | readonly string[];
  /** What was shown when the human decided: call id → `CallView.hash`. A call that reads otherwise now is not run: 409. */
  readonly hashes?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly model?: string;
}

export interface StatusAnswer {
  readonly ok: true;
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
}

/** One dialog, parsed. */
export interface DialogView {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** The provider and model that the next turn would use. */
  readonly provider: string;
  readonly model: string;
  readonly started: string | null;
  /** The dialog that launched this one. */
  readonly launchedBy: string | null;
  /** Tools that run without asking from here on. */
  readonly authorized: readonly string[];
  /** False for a file of a format that this Vibey only shows; `readOnlyReason` says why. */
  readonly readOnlyReason: string | null;
  /** Header lines that are not in the fields above, and parts before the first message. */
  readonly notes: readonly PartView[];
  readonly messages: readonly MessageView[];
  /** What happens now, in this tab: null when nothing does. */
  readonly activity: Activity | null;
  /** When the last turn failed: what happened and what to do; null otherwise. */
  readonly failure: { readonly reason: string; readonly message: string } | null;
}

export type Activity =
  | { readonly kind: "thinking" }
  | { readonly kind: "writing" }
  | { readonly kind: "running"; readonly callId: string; readonly tool: string }
  | { readonly kind: "retrying"; readonly at: number; readonly reason: string };

export interface MessageView {
  readonly role: "user" | "assistant";
  /** ISO times as in the file; `end` is null while the message is being written, and for a user's. */
  readonly start: string | null;
  readonly end: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly parts: readonly PartView[];
  /** Only when the provider reported it. */
  readonly usage: UsageView | null;
  readonly usageCumulative: UsageView | null;
  /** The value of `> Stop:`, null when the message ended by itself. */
  readonly stop: string | null;
}

export interface UsageView {
  readonly input: number;
  readonly output: number;
  readonly total: number;
}

export type PartView =
  | { readonly kind: "text"; readonly text: string }
  /** Lines that no field of the message holds: `Authorized`, `Revoked`, `Waiting`, `Edited`, unknown keys. */
  | { readonly kind: "meta"; readonly lines: readonly Meta[] }
  | { readonly kind: "call"; readonly call: CallView };

export interface CallView {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** `running`: claimed, no result yet. `approved`: decided, not started. */
  readonly state: "pending" | "approved" | "running" | "finished" | "denied";
  /** Who allowed it: the human for this call, or an authorization that stands above it. */
  readonly allowedBy: "human" | "authorization" | null;
  readonly result: Json | null;
  /** SHA-256 (hex) of tool name, id and input as they stand in the file. */
  readonly hash: string;
  /** `write_file` over a file that exists: its text now, while the call is pending, to show a diff; null otherwise. */
  readonly before: string | null;
}

export interface DialogAnswer extends DialogView {
  readonly markdown: string;
}

/** Frames of `POST /dialog` and `PUT /dialog`. A reader skips types it does not know. */
export type Frame =
  | { readonly type: "chunk"; readonly content: string }
  | { readonly type: "tool_request"; readonly toolCalls: readonly ToolCall[]; readonly dialogId: string; readonly filename: string }
  | { readonly type: "done"; readonly result: TurnResult }
  | { readonly type: "error"; readonly error: string }
  /** The dialog is stored and has its id; sent first. */
  | { readonly type: "dialog"; readonly dialogId: string; readonly filename: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

export interface TurnResult {
  readonly dialogId: string;
  readonly filename: string;
  readonly provider: string;
  readonly model: string;
  /** The text of the turn, all of its responses joined by a blank line. */
  readonly content: string;
  readonly toolCalls: readonly ToolCall[] | null;
  readonly autoExecuted: readonly { readonly id: string; readonly name: string; readonly result: Json }[];
  readonly status: Status;
  readonly interrupted?: true;
}

/** Frames of `GET /dialog/:id/stream`: the file's markdown. `patch`: from UTF-16 offset `from` on, the file now reads `text`. */
export type StreamFrame =
  | {
      readonly type: "snapshot";
      readonly version: number;
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly text: string;
    }
  | { readonly type: "patch"; readonly version: number; readonly from: number; readonly text: string }
  | { readonly type: "status"; readonly version: number; readonly filename: string; readonly status: Status }
  | { readonly type: "gone"; readonly version: number };

/** Frames of `GET /dialog/:id/stream?view=parsed`. The first is `dialog`; so is every one after which a reader must start over. */
export type ViewFrame =
  | { readonly type: "dialog"; readonly version: number; readonly dialog: DialogView }
  /** Everything of the dialog but its messages. */
  | { readonly type: "head"; readonly version: number; readonly head: Omit<DialogView, "messages"> }
  /** Message `index` is now this; `index` may be one past the end. */
  | { readonly type: "message"; readonly version: number; readonly index: number; readonly message: MessageView }
  /** `text` is added to the end of text part `part` of message `index`; `part` may be one past the end. */
  | { readonly type: "text"; readonly version: number; readonly index: number; readonly part: number; readonly text: string }
  | { readonly type: "gone"; readonly version: number };

/** Frames of `GET /events`. The first is `hello`. */
export type EngineEvent =
  | { readonly type: "hello" }
  | { readonly type: "file"; readonly name: string; readonly change: "changed" | "removed"; readonly by: string }
  | { readonly type: "deed"; readonly path: string; readonly change: "changed" | "removed"; readonly by: string }
  | {
      readonly type: "dialog";
      readonly dialogId: string;
      readonly filename: string;
      readonly status: Status;
      readonly activity: Activity | null;
    }
  | { readonly type: "dialog-removed"; readonly dialogId: string }
  /** The human is told: an agent wanted to write authority, storage is full, a limit was hit. */
  | { readonly type: "notice"; readonly kind: string; readonly message: string; readonly dialogId: string | null };

export interface DeedListing {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface ProviderBody {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly model?: string;
}

export interface ProviderAnswer {
  /** A key is there, or none is needed. */
  readonly configured: boolean;
  readonly baseURL: string;
  readonly model: string;
}

export interface ModelsAnswer {
  readonly models: readonly string[];
}
