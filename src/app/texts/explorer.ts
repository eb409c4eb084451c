import { number } from "../ui/sizes.ts";
import { counted } from "./counted.ts";

export const explorer = "Files of agents";
export const folder = (name: string) => `${name}/`;
/** Files of the project that are in no folder of agents. */
export const otherFiles = "Other files";
export const newFile = "New file";
export const newPath = "Path, such as artifacts/report.md";
export const none = "No files.";
export const importFolder = "Import folder";
export const dropHint =
  "Drop files or folders here. Files in agents/, memory/, or artifacts/ keep their folder. Other Markdown with front matter becomes an agent. All other files go to artifacts/.";
export const notRead = (name: string) => `Couldn't read ${name}. What came before it is saved.`;
export const nothingTaken = "Nothing was imported: hidden files are left out.";
export const leftOut = (most: number, left: number) =>
  `Up to ${number(most)} files can be saved at once. ${counted(left, "more file")} ${left === 1 ? "was" : "were"} left out.`;
export const dropped = (path: string) => `Saved as ${path}.`;
export const droppedSome = (count: number) => `Saved ${count} files.`;
export const actionsOf = (name: string) => `Actions for ${name}`;
export const duplicate = "Duplicate";
export const rename = "Rename";
export const remove = "Delete";
export const nameMissing = "Enter a path.";
export const taken = (path: string) => `${path} already exists.`;
export const unsaved = "Save the file first, then rename it.";
export const notWritten = (path: string, why: string) => `Couldn't save ${path}: ${why}`;
export const notMoved = (path: string, why: string) => `Couldn't change ${path}: ${why}`;
