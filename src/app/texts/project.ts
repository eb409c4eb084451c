import type { Part } from "./part.ts";

export const cancel = "Cancel";

export const exportTitle = "Export";
export const packing = "Packing the project…";
export const exported = "The project is exported.";
export const notExported = (why: string) => `The project could not be exported: ${why}`;

export const tryAgain = "Try again";

export const newProject = "New project";
export const name = "Name";
export const aProjectOfItsOwn = "It has its own docs, deed, dialogs and history. The one that is open now stays as it is.";
export const create = "Create";
export const making = "Making the project…";
export const notCreated = (why: string) => `Not created: ${why}`;
export const noPlace = "This browser has no place for another project.";
export const nameMissing = "Give the project a name.";
export const nameTooLong = (length: string, most: string) => `The name has ${length} characters; ${most} are the most.`;
export const nameTaken = "There is a project of that name already.";

export const projects = "Projects";
export const nameOfProject = "Name of the project";
export const rename = "Rename";
export const renameThis = "Rename…";
export const notRenamed = (why: string) => `Not renamed: ${why}`;
export const open = "Open";
export const openNow = "open now";
export const deleteThis = "Delete…";
export const deleteProject = (project: string) => `Delete ${project}`;
export const deleteWhat =
  "This deletes its docs, deed, dialogs, history and second copy from this browser. It can't be undone: if you may want it again, open it and export everything first.";
export const deleteForGood: readonly Part<"name">[] = ["Delete “", { slot: "name" }, "” for good"];
export const keep = "Keep it";
export const notDeleted = (why: string) => `Not deleted: ${why}`;
