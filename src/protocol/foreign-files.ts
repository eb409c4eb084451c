/** Where other programs keep their agents; paths of the project. */
const agents =
  /^(?:agents\/[^/]+\.md|\.claude\/agents\/.+\.md|\.opencode\/agents?\/.+\.md|\.github\/agents\/.+\.md|\.github\/chatmodes\/.+\.md|(?:.+\/)?[^/]+\.(?:agent|chatmode)\.md)$/i;

/** Whether a file of the project describes an agent of another program. */
export const isForeignAgent = (path: string): boolean => !path.startsWith("vibey/") && agents.test(path);

/** Files in which other programs look for how agents should work. */
export const isForeignInstructions = (path: string): boolean =>
  /^(?:CLAUDE\.md|\.claude\/CLAUDE\.md|AGENTS\.md|GEMINI\.md|\.github\/copilot-instructions\.md)$/.test(path);
