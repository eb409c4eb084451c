/** Context windows in tokens. The first match counts. */
const windows: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/^gpt-5\.[45]-(mini|nano)/, 400_000],
  [/^gpt-5\.[45]/, 1_050_000],
  [/^gpt-5[^/]*-chat/, 128_000],
  [/^gpt-5(\.[0-3])?(-|$)/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o/, 128_000],
  [/^o[34]/, 200_000],
  [/^claude-(haiku-4-5|opus-4-[015]|sonnet-4-[05]|3-)/, 200_000],
  [/^claude-/, 1_000_000],
  [/^gemini-(1\.5-flash|[2-9])/, 1_048_576],
];

/** A model's context window in tokens. Null for an unknown model. Routers put the maker's name and a slash before the model's name. */
export function contextWindow(model: string): number | null {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The most tokens that a model of api.openai.com allows in a response, if fewer than `limits.responseTokens`. Otherwise null. */
export function responseTokens(model: string): number | null {
  if (/^gpt-4o|^gpt-5[^/]*-chat/.test(model)) return 16_384;
  return model.startsWith("gpt-4.1") ? 32_768 : null;
}

/** Whether a model of api.openai.com accepts tools only on Responses, or exists only there. */
export function needsResponses(model: string): boolean {
  return /^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)|codex|^(gpt-5|o\d).*-(pro|deep-research)/.test(model);
}

/** Whether the model's system text has the role `developer`. */
export function hasDeveloper(model: string): boolean {
  return /^(o\d|gpt-[5-9]|gpt-\d\d)/.test(model);
}

/** Whether a model of api.openai.com can answer with text and calls at all. */
export function isChatModel(id: string): boolean {
  return !/embedding|tts|whisper|transcribe|dall-e|image|sora|moderation|realtime|audio|babbage|davinci|-instruct|-search-|computer-use|^omni-/.test(
    id,
  );
}

/** Sorts the newest generation first, and within a generation the plain name before its variants. */
export function byGeneration(a: string, b: string): number {
  return generation(b) - generation(a) || a.length - b.length || (a < b ? -1 : Number(a > b));
}

function generation(id: string): number {
  const match = /^gpt-(\d+(?:\.\d+)?)/.exec(id);
  return match ? Number(match[1]) : 0;
}
