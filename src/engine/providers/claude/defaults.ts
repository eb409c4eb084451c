export const defaultModel = "claude-sonnet-5-5";
export const defaultBaseURL = "https://api.anthropic.com";

/** The newest model of each family, as agent files name them. */
export const families = { sonnet: defaultModel, opus: "claude-opus-5-5", haiku: "claude-haiku-4-5" } as const;
export const isFamily = (word: string): word is keyof typeof families => Object.hasOwn(families, word);
