/** Models that allow fewer tokens in a response than all newer ones. The first matching prefix counts. */
const lower: readonly (readonly [prefix: string, tokens: number])[] = [
  ["claude-opus-4-1", 32_000],
  ["claude-opus-4-0", 32_000],
  ["claude-opus-4-2025", 32_000],
  ["claude-3-5-", 8_192],
  ["claude-3-opus", 4_096],
  ["claude-3-sonnet", 4_096],
  ["claude-3-haiku", 4_096],
];

/** The most tokens that a model allows in a response. Null for all other models, for which no such limit matters. */
export function responseTokens(model: string): number | null {
  return lower.find(([prefix]) => model.startsWith(prefix))?.[1] ?? null;
}

/** A model's context window in tokens. Null for an unknown model. */
export function contextWindow(model: string): number | null {
  if (/^claude-(haiku-4-5|opus-4-[015]|sonnet-4-[05]|3-)/.test(model)) return 200_000;
  return model.startsWith("claude-") ? 1_000_000 : null;
}
