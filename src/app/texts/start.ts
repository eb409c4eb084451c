/** The first prompt to the first agent. */
export const firstPrompt = "Please read doc-main.md and start.";
export const notStarted = (why: string) => `Couldn't start the agent: ${why}`;
