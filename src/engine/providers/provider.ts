import type { PriceRow } from "../cost/price.ts";
import type { Dialog, JsonObject } from "../../dialog/model.ts";
import type { Usage } from "../cost/usage.ts";
import type { VoiceAnswer, VoiceRequest } from "./voice.ts";

/**
 * A provider turns a dialog into one response, streamed.
 *
 * - The stream always ends with exactly one `end` event and never throws: failure is an `end` with its `stop`.
 * - A `call` event is given once per call and only when the call is complete; input that is no JSON object comes as `invalid`. Text that
 *   comes behind it is given behind it. A response that is cut has given the calls that were complete by then.
 * - After `signal` aborts, `end` follows at once with `stop: "aborted"`.
 * - Text is passed on as it comes, uncleaned; no event ever holds a key.
 */
export interface Provider {
  readonly name: ProviderName;
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** Fetches what it must have to answer by itself, such as `window`; resolves also when that fails, which the next request tells. */
  prepare?(): Promise<void>;
  /** Tokens that the model's window holds, input and output together; null when neither the server nor Vibey knows. */
  window(model: string): number | null;
  /** What the server's list of models says of their prices, as far as it was read and says any. */
  prices?(): readonly PriceRow[];
  /** Makes text of a recording, or a recording of text; left out, and undefined: its servers do neither. `asks`: called with the model before the request is sent. Rejects after `signal` aborts, or when its code can't be had. */
  voice?(request: VoiceRequest, signal: AbortSignal, asks: (model: string) => void): Promise<VoiceAnswer | undefined>;
  /** The models that can be had, best first; empty when the provider can't say. */
  models(signal: AbortSignal): Promise<ModelList>;
}

export type ProviderName = "claude" | "openai" | "demo";

export interface ProviderRequest {
  readonly dialog: Dialog;
  /** The model of the turn; already validated. */
  readonly model: string;
  /** Byte-stable over a dialog's turns as long as doc-main.md and the list of docs stay as they are. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Tokens that the dialog took at its last response, input and output, as reported: what is asked for now takes about as many. null: not known. */
  readonly tokensSoFar: number | null;
  /** Tokens that the response may have at most, as the agent's file says; null: it doesn't. */
  readonly maxTokens: number | null;
}

/** JSON Schema of an object. Written once, converted by each wire. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type ProviderEvent =
  | { readonly type: "text"; readonly text: string }
  /** The model thinks; nothing to show yet. */
  | { readonly type: "thinking" }
  /** A call begins, and what it says is still to come. `at`: how many calls of the response began before it. */
  | { readonly type: "call_start"; readonly at: number; readonly id: string; readonly name: string }
  /** `at`: that of its `call_start`; left out when there was none. */
  | { readonly type: "call"; readonly at?: number; readonly id: string; readonly name: string; readonly input: CallInput }
  /** Overwrites what was reported earlier in the same response. */
  | { readonly type: "usage"; readonly usage: Usage }
  /** A failed attempt is tried again after `delayMs`, before the first byte only. */
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
  /** `message`: one plain line for a human: what happened and what to do. Never holds a key. */
  | { readonly kind: "error"; readonly reason: ErrorReason; readonly message: string };

/** What the dialog says of a response in which the model said nothing and asked for nothing. */
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
