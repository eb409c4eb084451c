import { counted } from "./counted.ts";

export const find = "Find";
export const findAndReplace = "Find and replace";
export const outline = "Outline";
export const menu = "File";
export const menuLabel = "More for this file";
export const history = "History";
export const openRename = "Rename…";
export const duplicate = "Duplicate";
export const remove = "Delete";
export const viKeys = "vi keys";
export const viMissing = (why: string) => `vi keys could not be loaded: ${why}`;
export const wordCount = (count: number) => counted(count, "word");

export const rename = "Rename";
export const renameDoc = "Name of the doc";
export const renameDeed = "Path in the deed";
export const renameLinks = "Links to it in other files stay as they are written.";
export const cancel = "Cancel";
export const renamed = "Renamed.";
export const notRenamed = (why: string) => `Not renamed: ${why}`;
export const nameTaken = "There is a file of that name already.";
export const changedMeanwhile = "Somebody else changed this file meanwhile. Save or discard your text first, then rename it.";
export const pathMissing = "Give the file a path.";
export const mainKeepsName = "main keeps its name: agents look for it.";
export const dialogKeepsName = "A dialog keeps its name: it says when it began and how it stands.";
export const notDuplicated = (file: string, why: string) => `${file} was not duplicated: ${why}`;
