export const twoVersions = "Two versions of this file";
export const chooseVersion = [
  { strong: "This file has changed meanwhile." },
  " Nothing is lost: your text is above, the saved one below. Choose which to keep, or go on writing first.",
] as const;
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
