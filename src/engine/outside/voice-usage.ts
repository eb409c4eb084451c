import { isObject } from "../prompt/json.ts";
import type { Usage } from "../cost/usage.ts";

/** A server's report of what a recording used. */
export interface VoiceUsage {
  /** Null: no tokens were reported. */
  readonly tokens: Usage | null;
  /** Seconds of audio. Null: not reported. */
  readonly seconds: number | null;
  /** Some of the tokens are audio tokens, whose price differs from that of text tokens. */
  readonly hasSound: boolean;
}

const count = (value: unknown): number | null => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null);

/** Reads `usage` of a transcript: OpenAI's `tokens` and `duration`, and Mistral's. */
export function voiceUsage(usage: unknown): VoiceUsage {
  if (!isObject(usage)) return { tokens: null, seconds: null, hasSound: false };
  const input = count(usage["input_tokens"]) ?? count(usage["prompt_tokens"]);
  const output = count(usage["output_tokens"]) ?? count(usage["completion_tokens"]);
  const spoken = usage["seconds"] ?? usage["prompt_audio_seconds"];
  const details = usage["input_token_details"];
  const ofSound = isObject(details) ? count(details["audio_tokens"]) : null;
  return {
    tokens: input === null || output === null ? null : { input, output },
    seconds: typeof spoken === "number" && spoken >= 0 && Number.isFinite(spoken) ? spoken : null,
    // If the server doesn't say, all tokens of a recording count as audio.
    hasSound: ofSound !== 0,
  };
}
