export const title = "Permissions";
export const toolsAndHosts = "Tools and hosts";
export const nothing = "Nothing is allowed yet. The agent asks before every command, file change, and network connection.";
export const notChanged = (why: string) => `Couldn't change this: ${why}`;
export const changed = "Saved.";

export const timeLimit = "Command time limit";
export const timeLimitNow = (time: string) =>
  `Commands in this dialog can run for ${time}. After that they're stopped, and their output is kept.`;
export const timeLimitField = "Command time limit, in seconds";
export const seconds = "seconds";
export const change = "Change";
export const secondsWrong = (least: number, most: number) => `Enter a whole number from ${least} to ${most}.`;

export const forked = "Allowed before the fork, not active here";
export const forkedMeaning = "This dialog is a fork. Permissions from the original don't apply here until you accept them.";
export const imported = "Imported, not active here";
export const importedMeaning = "This dialog was imported. Permissions from its original project don't apply here until you accept them.";
export const mayReach = (host: string, word: string) => `Commands can connect to ${host}: ${word}`;
export const mayNotReach = (host: string) => `Commands can't connect to ${host}`;
export const mayRun = (time: string) => `Commands can run for ${time}`;
export const accept = "Accept";
export const acceptExactly = (what: string) => `Accept: ${what}`;

export const agent = (slug: string) => `Agent ${slug}`;
/** Names of tools. */
export const agentTools = (tools: readonly string[]) =>
  tools.length === 0
    ? "It has no tools: it answers in text. Its file says so."
    : `It can ask for ${tools.join(", ")}, and for no other tool. Each use needs your approval, unless you allowed it.`;
/** `hash`: its first digits. */
export const agentVersion = (hash: string) => `Began with version ${hash} of its file`;
export const agentDefinition = "The file as it was when this dialog began";
