import type { PriceRow } from "../cost/price.ts";
import type { Dialog, JsonObject } from "../../dialog/model.ts";
import type { Usage } from "../cost/usage.ts";
import type { VoiceAnswer, VoiceRequest } from "./voice.ts";

/**
 * A provider turns a dialog into one response, streamed.
 *
 * - The stream always ends with exactly one `end` event and never throws. A failure is an `end` whose `stop` describes it.
 * - There is one `call` event per call, and only when the call is complete. Input that is no JSON object has `ok: false`. Text after a call
 *   comes after its event. A response that is cut off has yielded the calls that were complete by then.
 * - After `signal` aborts, `end` follows at once, with a `stop` of the kind `aborted`.
 * - Text is passed on as it arrives, unchanged. No event ever contains a key.
 */
export interface Provider {
  readonly name: ProviderName;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** Loads what synchronous methods such as `window` need. Also resolves if that fails: the next request reports the error. */
  prepare?(): Promise<void>;
  /** The model's context window in tokens, input and output together. Null if neither the server nor Vibey knows it. */
  window(model: string): number | null;
  /** The prices in the server's list of models. Empty if the list wasn't read or has none. */
  prices?(): readonly PriceRow[];
  /**
   * Transcribes a recording, or speaks a text. Missing, or resolving to undefined: the provider's servers do neither. Calls `asks` with the
   * model before it sends the request. Rejects if `signal` aborts, or if its code can't be loaded.
   */
  voice?(request: VoiceRequest, signal: AbortSignal, asks: (model: string) => void): Promise<VoiceAnswer | undefined>;
  /** The available models, best first. Empty if the provider can't say. */
  models(signal: AbortSignal): Promise<ModelList>;
}

export type ProviderName = "claude" | "openai" | "demo";

export interface ProviderRequest {
  readonly dialog: Dialog;
  /** The model of the turn; already validated. */
  readonly model: string;
  /** The same bytes in all turns of a dialog as long as doc-main.md and the list of docs don't change. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Reported tokens of the dialog at its last response, input and output. This request takes about as many. Null: not known. */
  readonly tokensSoFar: number | null;
  /** The most tokens that the agent's file allows in the response. Null: the file sets no limit. */
  readonly maxTokens: number | null;
}

/** A tool, with the JSON Schema of its input object. Each API converts it to its own format. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type ProviderEvent =
  | { readonly type: "text"; readonly text: string }
  /** The model thinks; nothing to show yet. */
  | { readonly type: "thinking" }
  /** A call begins. Its input is still to come. `at`: how many calls of the response began before it. */
  | { readonly type: "call_start"; readonly at: number; readonly id: string; readonly name: string }
  /** `at`: the same as in its `call_start`. Missing if there was none. */
  | { readonly type: "call"; readonly at?: number; readonly id: string; readonly name: string; readonly input: CallInput }
  /** Overwrites what was reported earlier in the same response. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** A failed attempt is retried after `delayMs`. Only happens before the first byte. */
  | { readonly type: "retry"; readonly delayMs: number; readonly reason: string }
  | { readonly type: "end"; readonly stop: Stop };

export type CallInput = { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly raw: string };

export type Stop =
  /** The response ended by itself, with or without calls. */
  | { readonly kind: "end" }
  | { readonly kind: "aborted" }
  /** The stream was cut or stalled. */
  | { readonly kind: "interrupted"; readonly message: string }
  | { readonly kind: "max_tokens" }
  | { readonly kind: "refusal" }
  | { readonly kind: "context_window" }
  /** `message`: one plain line for the user: what happened and what to do. Never contains a key. */
  | { readonly kind: "error"; readonly reason: ErrorReason; readonly message: string };

/** What the dialog says about a response without text and calls. */
export const emptyResponse = "The model returned an empty response. Send a message, or try again.";

export type ErrorReason =
  | "no-key"
  | "bad-key"
  | "forbidden"
  | "billing"
  | "unknown-model"
  | "unreachable"
  | "too-large"
  | "rate-limit"
  | "overloaded"
  | "bad-request"
  | "server"
  | "empty"
  | "protocol";

export type ModelList = { readonly ok: true; readonly models: readonly string[] } | { readonly ok: false; readonly message: string };
