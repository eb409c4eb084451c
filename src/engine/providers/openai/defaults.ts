export const defaultModel = "gpt-5.5";
export const defaultBaseURL = "https://api.openai.com";
