import type { Part } from "./part.ts";

export const takenAway: readonly Part[] = [
  { strong: "This project's storage was taken away while it was open, or is not what was stored in it." },
  " Nothing can be stored until you have chosen how to go on. What you have typed is still here.",
];
export const engineStopped = (why: string): readonly Part[] => [
  { strong: "The engine could not go on." },
  ` ${why} What you have typed is still here.`,
];
export const seeWhatCanBeRestored = "See what can be restored";
export const reload = "Reload";
