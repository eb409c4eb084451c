/** In the record of an agent outside Vibey. */
export const alwaysOutside = (framework: string) => `Always allow the like in ${framework}, by its own rules`;
export const handsBack = (rules: number) => (rules === 1 ? "It keeps this rule from then on:" : "It keeps these rules from then on:");
export const isRecord = (framework: string) =>
  `This is a record of an agent that runs outside Vibey (${framework}). It works on there: here you can read it, decide what it asks, and continue it in a new dialog.`;
export const worksIn = (folder: string) => `It works in ${folder}.`;
export const continueHere = "Continue here";
export const continueHint = "Starts a dialog in Vibey with everything up to the last message. The record stays as it is.";
export const notContinued = (why: string) => `Couldn't continue it here: ${why}`;
