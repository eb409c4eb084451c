import type { Stop } from "../provider.ts";

/** The finish reason of a response of Chat Completions. Some proxies send one with each piece, so it counts only if nothing follows. */
export interface FinishReason {
  /** A reason has come, and nothing since. */
  readonly ended: boolean;
  /** A reason has come that was no end. */
  readonly unsure: boolean;
  /** "" is no reason. */
  give(reason: string): void;
  /** More has come: a piece of text or of a call, or a thought. */
  moreFollows(): void;
  /** How the response ended. If more followed each reason, the last one counts. */
  stop(): Stop;
}

export function createFinishReason(): FinishReason {
  let last: string | null = null;
  let ended = false;
  let unsure = false;
  return {
    get ended() {
      return ended;
    },
    get unsure() {
      return unsure;
    },
    give(reason) {
      if (reason === "") return;
      last = reason;
      ended = true;
    },
    moreFollows() {
      if (ended) unsure = true;
      ended = false;
    },
    stop: () => stopOf(last),
  };
}

function stopOf(reason: string | null): Stop {
  // Gemini sends `content_filter: RECITATION` and `function_call_filter: MALFORMED_FUNCTION_CALL`.
  switch (reason?.toLowerCase().split(":")[0]?.trim()) {
    case "length":
    case "max_tokens":
    case "model_length":
      return { kind: "max_tokens" };
    case "content_filter":
    case "refusal":
    case "safety":
    case "sensitive":
    case "recitation":
    case "prohibited_content":
    case "blocklist":
    case "spii":
      return { kind: "refusal" };
    case "function_call_filter":
    case "malformed_function_call":
    case "unexpected_tool_call":
      return { kind: "interrupted", message: "The model's tool call was malformed, so the call wasn't run." };
    case "model_context_window_exceeded":
      return { kind: "context_window" };
    case "abort":
    case "aborted":
    case "cancelled":
    case "insufficient_system_resource":
    case "network_error":
    case "timeout":
      return { kind: "interrupted", message: "The server stopped before the response finished." };
    default:
      // stop, tool_calls, function_call, no reason, and unknown reasons.
      return { kind: "end" };
  }
}
