export const mayRunCommands = "Every new dialog may run commands without asking.";
export const mayWriteFiles = "Every new dialog may write files without asking.";
export const mayEditFiles = "Every new dialog may edit files without asking.";
export const mayLaunchAgents = "Every new dialog may launch agents without asking.";
export const mayRunExactly = (command: string) => `Every new dialog may run “${command}” without asking, exactly so.`;
export const mayRunLike = (command: string) =>
  `Every new dialog may run “${command}” without asking, alone or with further arguments, but with no second command.`;
export const mayWriteUnder = (folder: string) => `Every new dialog may write and edit files under ${folder} without asking.`;
export const unknownPattern =
  "Not understood, so it allows nothing. Write “command npm test *” or “writes under src/”: plain words, one space between them; a folder ends in /.";
export const takenBack = (tool: string) => `Takes the leave for ${tool} back: new dialogs ask first.`;
export const noSuchTool = (name: string) => `No tool is called "${name}", so this says nothing.`;
export const oneToolALine = "Each line says one tool alone, so this one says nothing.";
export const strangeSpaces = "There are spaces around the name, so this says nothing.";
export const imported = "Came with an import and counts for nothing. Take out “imported” to make it count.";
export const unknownLimit = "Vibey does not know this limit; it enforces nothing.";
export const unknownCost =
  "This limit can't be read and enforces nothing. Write it as “cost 5” or “cost 2.50 a day”: dollars, then day, week or month.";
export const overruledLimit = "A later line sets this limit; this one enforces nothing.";
