import type { Part } from "./part.ts";

export const cancel = "Cancel";

export const exportTitle = "Export";
export const packing = "Exporting the project…";
export const exported = "Project exported.";
export const notExported = (why: string) => `Couldn't export the project: ${why}`;

export const tryAgain = "Try again";

export const newProject = "New project";
export const name = "Name";
export const aProjectOfItsOwn = "A project has its own docs, deed, dialogs, and history. The open project isn't affected.";
export const create = "Create";
export const making = "Creating the project…";
export const notCreated = (why: string) => `Couldn't create the project: ${why}`;
export const noPlace = "This browser can't store another project.";
export const nameMissing = "Enter a name.";
export const nameTooLong = (length: string, most: string) => `The name is ${length} characters long. The limit is ${most}.`;
export const nameTaken = "A project with that name already exists.";

export const projects = "Projects";
export const nameOfProject = "Project name";
export const rename = "Rename";
export const renameThis = "Rename…";
export const notRenamed = (why: string) => `Couldn't rename: ${why}`;
export const open = "Open";
export const openNow = "open";
export const deleteThis = "Delete…";
export const deleteProject = (project: string) => `Delete ${project}`;
export const deleteWhat =
  "This deletes its docs, deed, dialogs, history, and backup from this browser. You can't undo this. If you might need the project again, open it and export everything first.";
export const deleteForGood: readonly Part<"name">[] = ["Delete “", { slot: "name" }, "” permanently"];
export const keep = "Cancel";
export const notDeleted = (why: string) => `Couldn't delete: ${why}`;
