/** What the first agent is told. */
export const firstPrompt = "Please read doc-main.md and start.";
export const notStarted = (why: string) => `The agent could not be started: ${why}`;
