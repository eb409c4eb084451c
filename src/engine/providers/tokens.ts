import { limits } from "../../protocol/limits.ts";

/** A response of fewer tokens is of no use to an agent. */
const fewest = 1_024;

/** Tokens to keep free at the end of the window, because input added since the last response isn't counted yet. */
function margin(window: number): number {
  return Math.max(fewest, Math.ceil(window / 50));
}

/** The limits for `max_tokens`. Null: not known. */
export interface TokenBudget {
  /** The most tokens that the model allows in a response. */
  readonly allowed: number | null;
  readonly window: number | null;
  /** Tokens of the dialog at its last response. */
  readonly soFar: number | null;
  /** The most tokens that the agent's file allows. */
  readonly bound: number | null;
}

/**
 * The `max_tokens` of a request: at most `limits.responseTokens`, at most what the model and the agent's file allow, and at most what is
 * left of the window. If it isn't known how much of the window is used, about half of the window counts as left.
 */
export function fittedTokens({ allowed, window, soFar, bound }: TokenBudget): number {
  const left = window === null ? limits.responseTokens : window - (soFar ?? Math.floor(window / 2)) - margin(window);
  const fitted = Math.max(fewest, Math.min(limits.responseTokens, allowed ?? limits.responseTokens, left));
  return Math.min(fitted, bound ?? fitted);
}

export interface NamedLimit {
  /** The tokens that this request may ask for. */
  readonly tokens: number;
  /** The window, if the limit is what the prompt leaves of it. Null if the limit is the model's own. */
  readonly window: number | null;
  /** The limit belongs to a minute or an account, and says nothing about the model. */
  readonly passing: boolean;
}

/**
 * The `max_tokens` that a server's refusal allows. Null if it names none, or none lower than what was asked for. Servers word it
 * differently. Only numbers are taken from the text.
 */
export function namedLimit(said: string, asked: number): NamedLimit | null {
  if (!/max_\w*tokens|maxOutputTokens|maximum tokens|output tokens|context|token limit|current length|tokens per min/i.test(said))
    return null;
  for (const { pattern, read, passing = false } of wordings) {
    const match = pattern.exec(said);
    if (match === null) continue;
    const { tokens, window = null } = read(...numbers(match), asked);
    if (window !== null && (!Number.isSafeInteger(window) || window < tokens)) continue;
    if (Number.isSafeInteger(tokens) && tokens >= fewest && tokens < asked) return { tokens, window, passing };
  }
  return null;
}

type Read = (a: number, b: number, c: number, asked: number) => { readonly tokens: number; readonly window?: number };

function numbers(match: RegExpExecArray): [number, number, number] {
  const [a = Number.NaN, b = Number.NaN, c = Number.NaN] = match.slice(1).map(Number);
  return [a, b, c];
}

const first: Read = (limit) => ({ tokens: limit });

/** If only the window is known, or only a lower bound of the prompt: half of `asked` or of the window. If that is too much, it is halved again. */
const half: Read = (window, _b, _c, asked) => ({ tokens: Math.floor(Math.min(window, asked) / 2), window });

const wordings: readonly { readonly pattern: RegExp; readonly read: Read; readonly passing?: true }[] = [
  // "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000"
  { pattern: /(\d+) \+ \d+ > (\d+)/, read: (prompt, window) => ({ tokens: window - prompt, window }) },
  // "max_tokens=64000 cannot be greater than max_model_len=max_total_tokens=32768."
  { pattern: /cannot be greater than max_model_len=\D{0,30}?(\d+)/, read: half },
  // "maximum context length is 32768 tokens. However, you requested 16000 output tokens and your prompt contains 20000 input tokens"
  {
    pattern:
      /maximum context length is (\d+) tokens\. However, you requested \d+ output tokens and your prompt contains (\d+) input tokens/,
    read: (window, prompt) => ({ tokens: window - prompt, window }),
  },
  // The same with "at least", if the prompt was not fully counted, and with characters.
  {
    pattern:
      /maximum context length is (\d+) tokens\. However, you requested \d+ output tokens and your prompt contains (?:at least |\d+ characters)/,
    read: half,
  },
  // "maximum context length is 32768 tokens. However, your request has 120 input tokens plus 64000 'max_tokens'"
  {
    pattern: /maximum context length is (\d+) tokens\. However, your request has (\d+) input tokens plus/,
    read: (window, prompt) => ({ tokens: window - prompt, window }),
  },
  // "maximum context length of 32768 tokens. You requested a total of 64120 tokens: 120 tokens from the input messages and …"
  {
    pattern: /maximum context length of (\d+) tokens\. You requested a total of \d+ tokens: (\d+) tokens from the input/,
    read: (window, prompt) => ({ tokens: window - prompt - 1, window }),
  },
  // "Current length is 64120 while limit is 32768"
  {
    pattern: /Current length is (\d+) while limit is (\d+)/,
    read: (length, window, _none, asked) => ({ tokens: window - (length - asked), window }),
  },
  // "Your request exceeded model token limit: 131072 (requested: 195000)"
  {
    pattern: /exceeded model token limit: (\d+) \(requested: (\d+)/,
    read: (window, requested, _none, asked) => ({ tokens: window - (requested - asked), window }),
  },
  // "The maximum tokens you requested exceeds the model limit of 8192."
  { pattern: /maximum tokens you requested exceeds the model limit of (\d+)/, read: first },
  // "'max_tokens' is too large: 64000. … (64000 > 32768 - 120)"
  { pattern: /> (\d+) - (\d+)/, read: (window, prompt) => ({ tokens: window - prompt, window }) },
  // "maximum context length is 32768 tokens. However, you requested 64120 tokens (120 in the messages, 64000 in the completion)"
  {
    pattern:
      /maximum context length is (\d+) tokens\. However, you requested (?:about )?(\d+) tokens.*?(\d+) in the (?:completion|output)/i,
    read: (window, requested, completion) => ({ tokens: window - (requested - completion), window }),
  },
  // "`inputs` tokens + `max_new_tokens` must be <= 32769. Given: 120 `inputs` tokens and 64000 `max_new_tokens`"
  { pattern: /must be <= (\d+)\. Given: (\d+)/, read: (window, prompt) => ({ tokens: window - prompt, window }) },
  // "requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 4000"
  { pattern: /can only afford (\d+)/i, read: (limit) => ({ tokens: limit }), passing: true },
  // "Request too large … on tokens per minute (TPM): Limit 30000, Requested 64500"
  {
    pattern: /tokens per min.*?Limit:? (\d+),? Requested:? (\d+)/i,
    read: (limit, requested, _none, asked) => ({ tokens: limit - (requested - asked) }),
    passing: true,
  },
  // "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for …"
  { pattern: /> ?(\d+),? which is the maximum/, read: first },
  { pattern: /supports at most (\d+)/i, read: first },
  { pattern: /less than or equal to [`'"]?(\d+)/i, read: first },
  // "the valid range of max_tokens is [1, 8192]"
  { pattern: /range of [^[]{0,30}\[\d+, ?(\d+)\]/i, read: first },
  // "the supported range is from 1 (inclusive) to 8193 (exclusive)"
  { pattern: /range is from \d+ \(inclusive\) to (\d+) \(exclusive\)/, read: (end) => ({ tokens: end - 1 }) },
  {
    pattern: /(?:at most|up to|not exceed|no more than|maximum (?:allowed )?(?:value|limit)?(?: (?:is|of))?:?) ?[`'"]?(\d+)/i,
    read: first,
  },
];
