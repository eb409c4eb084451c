export const title = "Agents outside";
export const meaning =
  "Agents that run elsewhere, such as Claude Code, report their activity through the bridge. Each has its own key, which gives access only to its own records. It can request approval but never approve.";
export const name = "Name of the installation";
export const nameLike = "Claude Code on my laptop";
export const make = "Make a key";
export const shownOnce = (of: string) => `The key of “${of}”. It is shown only now.`;
export const steps = [
  "Start the bridge on this computer: npm run bridge.",
  "Connect this page to it, in Bridge above.",
  "Make a key here, and run the two lines that come with it where your agent works.",
] as const;
export const inTerminal = "For Claude Code, run this in its folder. The second line adds Vibey's hooks to its settings:";
export const commands = (key: string) =>
  `export VIBEY_AGENT_KEY=${key}\nnpm run -s --prefix path/to/vibey bridge -- hooks claude-code --write`;
export const howToUse = "For Codex and opencode, write “hooks codex” or “hooks opencode”. If a program only accepts a URL, use this one:";
export const address = (key: string) => `http://localhost:4003/k/${key}`;
export const none = "No keys yet.";
export const notRead = (why: string) => `Couldn't read the keys: ${why}`;
export const madeAt = (when: string) => `made ${when}, not used since Vibey was opened`;
export const usedAt = (when: string) => `last used ${when}`;
export const revoke = "Revoke";
export const revokeIt = (of: string) => `Revoke the key of ${of}`;
