export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Null if the text isn't a JSON object. Comments and trailing commas, as in tsconfig.json, are allowed. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  const strict = text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_all, kept: string | undefined) => kept ?? "")
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_all, kept: string | undefined) => kept ?? "");
  try {
    const value: unknown = JSON.parse(strict);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
