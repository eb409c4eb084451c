import { limits } from "../../limits.ts";

export const defaultModel = "claude-sonnet-5-5";
export const defaultBaseURL = "https://api.anthropic.com";

/** Models that allow fewer tokens in a response than `limits.responseTokens`; the first prefix that fits counts. */
const lower: readonly (readonly [prefix: string, tokens: number])[] = [
  ["claude-opus-4-1", 32_000],
  ["claude-opus-4-0", 32_000],
  ["claude-opus-4-2025", 32_000],
  ["claude-3-5-", 8_192],
  ["claude-3-opus", 4_096],
  ["claude-3-sonnet", 4_096],
  ["claude-3-haiku", 4_096],
];

export function responseTokens(model: string): number {
  return Math.min(limits.responseTokens, lower.find(([prefix]) => model.startsWith(prefix))?.[1] ?? limits.responseTokens);
}

/** A response of fewer tokens than this is no use to an agent. */
const fewest = 1_024;

/**
 * The `max_tokens` that a server's refusal names as allowed; null when it names none, or one that is not lower than what
 * was asked for. Servers word it in their own ways; nothing but the number is taken from the text.
 */
export function namedLimit(said: string, asked: number): number | null {
  if (!/max_tokens|max_completion_tokens|output tokens|context/i.test(said)) return null;
  for (const [pattern, read] of wordings) {
    const match = pattern.exec(said);
    if (match === null) continue;
    const limit = read(match.slice(1).map(Number));
    if (Number.isSafeInteger(limit) && limit >= fewest && limit < asked) return limit;
  }
  return null;
}

const first = ([limit = Number.NaN]: number[]) => limit;
const wordings: readonly (readonly [RegExp, (numbers: number[]) => number])[] = [
  // "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000"
  [/(\d+) \+ \d+ > (\d+)/, ([prompt = Number.NaN, window = Number.NaN]) => window - prompt],
  // "'max_tokens' is too large: 64000. … (64000 > 32768 - 120)"
  [/> (\d+) - (\d+)/, ([window = Number.NaN, prompt = Number.NaN]) => window - prompt],
  // "max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for …"
  [/> ?(\d+),? which is the maximum/, first],
  [/supports at most (\d+)/i, first],
  [/less than or equal to (\d+)/i, first],
  [/(?:at most|up to|not exceed|no more than|maximum (?:allowed )?(?:value|limit)?(?: (?:is|of))?:?) ?(\d+)/i, first],
];
