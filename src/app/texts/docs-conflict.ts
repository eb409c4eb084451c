export const twoVersions = "Two versions of this file";
/** `who`: one of the sentences below. */
export const chooseVersion = (who: string) =>
  [{ strong: who }, " Nothing is lost: your version is above, the saved version below. Choose one, or keep editing."] as const;
export const byYou = "You saved another version of this file in another tab.";
export const byAgent = "An agent changed this file.";
export const byAgentOf = (dialog: string) => `The agent of “${dialog}” changed this file.`;
export const byImport = "An import changed this file.";
export const byRestore = "You restored this file or undid a change to it.";
export const byVibey = "Vibey changed this file.";
export const changedElsewhere = "This file changed while you were editing.";
export const chooseTyped = [
  { strong: "You also edited this file in another tab." },
  " Nothing is lost: this tab's version is above, the other tab's below. Choose one, or keep editing.",
] as const;
export const keepMine = "Keep mine";
export const takeTheirs = "Use saved version";
export const takeTyped = "Use other version";
export const savedText = "Saved version";
export const typedText = "The other tab's version";
export const difference = "Changes from the saved version to yours";
export const differenceTyped = "Changes from the other tab's version to yours";
