import type { Part } from "./part.ts";

export const takenAway: readonly Part[] = [
  { strong: "The browser deleted or changed this project's storage while it was open." },
  " Nothing can be saved until you choose how to continue. What you typed is still here.",
];
export const engineStopped = (why: string): readonly Part[] => [
  { strong: "Vibey stopped working." },
  ` ${why} What you typed is still here.`,
];
export const seeWhatCanBeRestored = "See what can be restored";
export const reload = "Reload";
