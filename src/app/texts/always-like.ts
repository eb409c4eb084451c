export const alwaysCommand = ["Always allow ", { slot: "what" }, " in this dialog"] as const;
export const alwaysWrites = ["Always allow writing under ", { slot: "what" }, " in this dialog"] as const;
/** Between two commands. */
export const between = " and ";
export const whichCommands = "Commands to always allow";
export const whichFolder = "Folder to always allow writing in";
export const willWrite = (lines: number) => (lines === 1 ? "Adds this line to the dialog:" : "Adds these lines to the dialog:");
/** `open`: whether a line ends in a star. */
export const commandCovers = (open: boolean) =>
  `${open ? "The star stands for any more arguments, never for a second command." : "Covers exactly this command."} A command with >, $( ), &, or a variable always asks. You can undo this below the messages.`;
export const writesCovers =
  "Covers this folder and its subfolders. Names that start with a dot, package.json, and files that other programs run always ask. You can undo this below the messages.";
