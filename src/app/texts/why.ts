/** Why an agent of a run isn't working, one sentence each. */
export const aborted = "You stopped it. Everything so far is kept.";
export const interrupted = "The page was closed, or a response broke off, while it worked. Everything so far is kept.";
export const tokens = (used: string) =>
  `The run reached its token limit${used === "" ? "" : `: ${used}`}. Resume adds the same number again.`;
export const noProgress = "It was stopped because two responses in a row ran no tool. New input starts it again.";
export const denied = "You denied its request. It waits for your message.";
export const needsApproval = "It needs your approval.";
export const asks = (question: string) => `It asks: ${question}`;
export const runPaused = "You paused the run.";
export const agentPaused = "You paused this agent.";
export const retrying = (reason: string) => `It retries soon: ${reason}`;

/** In the log. */
export const resumed = { run: "You resumed the run.", agent: "You resumed this agent." } as const;
export const paused = { run: runPaused, agent: agentPaused } as const;
export const deniedTool = (tool: string) => `You denied [${tool}].`;
