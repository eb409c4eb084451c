export { defaultBaseURL, defaultModel } from "./models.ts";
export { claudeProvider } from "./provider.ts";
export type { ClaudeSettings } from "./target.ts";
