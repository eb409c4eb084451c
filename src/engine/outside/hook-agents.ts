/** The agents whose hooks are answered. */
export const hookAgents = ["claude-code", "codex", "opencode"] as const;
export type HookAgent = (typeof hookAgents)[number];
