/** What the first agent is told. */
export const firstPrompt = "Please read doc-main.md and start.";
export const notStarted = (why: string) => `Couldn't start the agent: ${why}`;
