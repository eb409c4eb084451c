export const mayRunCommands = "New dialogs can run commands without asking.";
export const mayWriteFiles = "New dialogs can write files without asking.";
export const mayEditFiles = "New dialogs can edit files without asking.";
export const mayReadFiles = "In new dialogs, agents with the read tool can read files without asking.";
export const maySignalParent = "In runs, agents can send messages to the agent that started them without asking.";
export const mayLaunchAgents = "New dialogs can launch agents without asking.";
export const mayRunExactly = (command: string) => `New dialogs can run exactly “${command}” without asking.`;
export const mayRunLike = (command: string) =>
  `New dialogs can run “${command}” without asking, with or without more arguments, but not with a second command.`;
export const mayWriteUnder = (folder: string) => `New dialogs can write and edit files under ${folder} without asking.`;
export const unknownPattern =
  "Ignored: write “command npm test *” or “writes under src/”. Use plain words with one space between them, and end a folder with /.";
export const takenBack = (tool: string) => `Removes the permission for ${tool}. New dialogs ask first.`;
export const noSuchTool = (name: string) => `Ignored: there's no tool called "${name}".`;
export const oneToolALine = "Ignored: put one tool on each line.";
export const strangeSpaces = "Ignored: remove the spaces around the name.";
export const imported = "Imported, so not active. Delete “imported” to activate it.";
export const outsideMayRead = (tool: string) => `Agents outside Vibey can use ${tool} in their folder without asking.`;
export const outsideAsks = "Ignored: of agents outside Vibey, only tools that just read can go without asking.";
export const importedOutside = "Imported, so not active. Write “Authorized outside” to activate it.";
export const unknownLimit = "Ignored: Vibey doesn't know this limit.";
export const unknownCost =
  "Ignored: write it as “cost 5” or “cost 2.50 a day”. The amount is in US dollars; the period is day, week, or month.";
export const overruledLimit = "Ignored: a later line sets this limit.";
export const unreadSchedule = (why: string) => `Ignored: ${why}.`;
export const startsEvery = (slug: string, minutes: number) => `Starts ${slug} every ${minutes} minutes while Vibey is open.`;
export const startsAfter = (slug: string, messages: number) =>
  `Starts ${slug} when a dialog has more than ${messages} messages, and after each ${messages} more.`;
