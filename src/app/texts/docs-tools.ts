import { counted } from "./counted.ts";

export const find = "Find";
export const findAndReplace = "Find and replace";
export const outline = "Outline";
export const menu = "File";
export const menuLabel = "File actions";
export const history = "History";
export const openRename = "Rename…";
export const duplicate = "Duplicate";
export const remove = "Delete";
export const viKeys = "Vim keys";
export const viMissing = (why: string) => `Couldn't load Vim keys: ${why}`;
export const wordCount = (count: number) => counted(count, "word");

export const rename = "Rename";
export const renameDoc = "Doc name";
export const renameDeed = "File path";
export const renameLinks = "Links to this file in other files won't be updated.";
export const cancel = "Cancel";
export const renamed = "Renamed.";
export const notRenamed = (why: string) => `Couldn't rename: ${why}`;
export const nameTaken = "A file with that name already exists.";
export const changedMeanwhile = "Someone else changed this file. Save or discard your edits, then rename it.";
export const pathMissing = "Enter a path.";
export const mainKeepsName = "main can't be renamed: agents look for it by name.";
export const dialogKeepsName = "Dialog files can't be renamed: the name holds the start time and status.";
export const notDuplicated = (file: string, why: string) => `Couldn't duplicate ${file}: ${why}`;

export const newDialog = "New dialog";
export const newDialogWith = (agent: string) => `New dialog with ${agent}`;
export const saveFirst = "Save the file first. A new dialog uses the saved agent.";
export const notStarted = (why: string) => `Couldn't start a dialog: ${why}`;
