export const twoVersions = "Two versions of this file";
/** `who`: one of the sentences below. */
export const chooseVersion = (who: string) =>
  [{ strong: who }, " Both texts are kept: yours is above, the saved one below. Choose one, or keep editing."] as const;
export const byYou = "You saved another text of this file in another tab.";
export const byAgent = "An agent changed this file.";
export const byAgentOf = (dialog: string) => `The agent of “${dialog}” changed this file.`;
export const byImport = "An import changed this file.";
export const byRestore = "You restored this file or undid a change of it.";
export const byVibey = "Vibey changed this file.";
export const changedElsewhere = "This file was changed elsewhere.";
export const chooseTyped = [
  { strong: "You also edited this file in another tab." },
  " Both texts are kept: this tab's is above, the other tab's below. Choose one, or keep editing.",
] as const;
export const keepMine = "Keep mine";
export const takeTheirs = "Take theirs";
export const savedText = "The saved text";
export const typedText = "The other tab's text";
export const difference = "From the saved text to yours";
export const differenceTyped = "From the other tab's text to yours";
