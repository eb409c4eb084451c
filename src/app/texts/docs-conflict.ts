export const twoVersions = "Two versions of this file";
export const chooseVersion = [
  { strong: "This file changed while you were editing." },
  " Nothing is lost: your version is above, the saved version below. Choose one, or keep editing.",
] as const;
export const keepMine = "Keep mine";
export const takeTheirs = "Use saved version";
export const savedText = "Saved version";
export const difference = "Changes from the saved version to yours";
