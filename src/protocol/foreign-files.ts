/** Where other programs keep their agents, as paths of the project. */
const agents =
  /^(?:agents\/[^/]+\.md|\.claude\/agents\/.+\.md|\.opencode\/agents?\/.+\.md|\.github\/agents\/.+\.md|\.github\/chatmodes\/.+\.md|(?:.+\/)?[^/]+\.(?:agent|chatmode)\.md)$/i;

/** Whether a file of the project describes another program's agent. */
export const isForeignAgent = (path: string): boolean => !path.startsWith("vibey/") && agents.test(path);

/** Whether a file is one in which other programs look for instructions to agents. */
export const isForeignInstructions = (path: string): boolean =>
  /^(?:CLAUDE\.md|\.claude\/CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.github\/copilot-instructions\.md)$/.test(path);
