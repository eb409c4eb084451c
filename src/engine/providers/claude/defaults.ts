export const defaultModel = "claude-sonnet-5-5";
export const defaultBaseURL = "https://api.anthropic.com";
