export const title = "What this dialog may do";
export const toolsAndHosts = "Tools and hosts";
export const nothing = "Nothing: it asks before each command, each file it writes and each host it wants to reach.";
export const notChanged = (why: string) => `Not changed: ${why}`;
export const changed = "Changed.";

export const timeLimit = "Time limit of a command";
export const timeLimitNow = (time: string) =>
  `Commands of this dialog may run ${time}; then they are stopped, and what they printed is kept.`;
export const timeLimitField = "Seconds that a command may run";
export const seconds = "seconds";
export const change = "Change";
export const secondsWrong = (least: number, most: number) => `Give whole seconds from ${least} to ${most}.`;

export const forked = "Allowed before the fork, and does not count";
export const forkedMeaning = "This dialog is a fork. What you allowed in the other dialog decides nothing here until you accept it.";
export const imported = "Came with a zip, and does not count";
export const importedMeaning = "This dialog was imported. What it allowed where it came from decides nothing here until you accept it.";
export const mayReach = (host: string, word: string) => `Commands may reach ${host}: ${word}`;
export const mayNotReach = (host: string) => `Commands may not reach ${host}`;
export const mayRun = (time: string) => `Commands may run ${time}`;
export const accept = "Accept";
export const acceptExactly = (what: string) => `Accept: ${what}`;
