/** Tokens that a model's window holds; null for a model that is not known. The first that fits counts. */
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

/** Routers write the maker's name before a slash. */
export function contextWindow(model: string): number | null {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return windows.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Tokens that a model of api.openai.com allows in a response, where they are fewer than `limits.responseTokens`. */
export function responseTokens(model: string): number | null {
  if (/^gpt-4o|^gpt-5[^/]*-chat/.test(model)) return 16_384;
  return model.startsWith("gpt-4.1") ? 32_768 : null;
}

/** Models of api.openai.com that take tools on Responses only, or are offered nowhere else. */
export function needsResponses(model: string): boolean {
  return /^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)|codex|^(gpt-5|o\d).*-(pro|deep-research)/.test(model);
}

/** Models that call the system text the developer's. */
export function hasDeveloper(model: string): boolean {
  return /^(o\d|gpt-[5-9]|gpt-\d\d)/.test(model);
}

/** Whether a model of api.openai.com can be asked for text and calls at all. */
export function isChatModel(id: string): boolean {
  return !/embedding|tts|whisper|transcribe|dall-e|image|sora|moderation|realtime|audio|babbage|davinci|-instruct|-search-|computer-use|^omni-/.test(
    id,
  );
}

/** The newest generation first; within it the plain name before its variants. */
export function byGeneration(a: string, b: string): number {
  return generation(b) - generation(a) || a.length - b.length || (a < b ? -1 : Number(a > b));
}

function generation(id: string): number {
  const match = /^gpt-(\d+(?:\.\d+)?)/.exec(id);
  return match ? Number(match[1]) : 0;
}
