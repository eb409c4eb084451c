export const alwaysCommand = ["always allow ", { slot: "what" }, " in this dialog"] as const;
export const alwaysWrites = ["always allow writing under ", { slot: "what" }, " in this dialog"] as const;
/** Between two commands. */
export const between = " and ";
export const whichCommands = "Which commands to always allow";
export const whichFolder = "In which folder to always allow writing";
export const willWrite = (lines: number) => (lines === 1 ? "This line is added to the dialog:" : "These lines are added to the dialog:");
/** `open`: a line ends in a star. */
export const commandCovers = (open: boolean) =>
  `${open ? "The star stands for any further arguments, never for a second command." : "It covers exactly this."} A command with >, $( ), & or a variable always asks. You can take this back below the messages.`;
export const writesCovers =
  "It covers this folder and those in it. Names that begin with a dot, package.json, and files that other programs run always ask. You can take this back below the messages.";
