export const command = {
  always: ["always allow ", { slot: "what" }, " in this dialog"],
  howMuch: "Which commands to always allow",
  covers: (open: boolean) =>
    `${open ? "The star stands for any further arguments of this command" : "It covers exactly this"}, never for a second command. A command with >, $( ), & or a variable always asks. You can take it back below the messages.`,
} as const;
export const writes = {
  always: ["always allow writing under ", { slot: "what" }, " in this dialog"],
  howMuch: "In which folder to always allow writing",
  covers: () =>
    "It covers writing and editing files in this folder and below. Names that begin with a dot, package.json, and files that other programs run always ask. You can take it back below the messages.",
} as const;
export const between = " and ";
export const willWrite = (lines: number) => (lines === 1 ? "This line is added to the dialog:" : "These lines are added to the dialog:");
