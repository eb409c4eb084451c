import type { Part } from "./part.ts";

export const title = "Keys";
export const everywhere = "Everywhere";

export const inDoc = "In a doc";
export const save = "Save";
export const findAndReplace = "Find and replace";
export const bold = "Bold";
export const slanted = "Slanted";
export const openOrCheck = "Open the link, check the task";

export const inDialog = "In a dialog";
export const send = "Send";
export const editLast = "Edit your last message, from an empty one";
export const findInDialog = "Find in the dialog";

export const askedForLeave = "When the agent asks for leave";
export const approve = "Approve";
export const deny = "Deny";
export const denyWhy = "Deny and say why";
export const alwaysAllow = "Always allow";

export const singleKey: readonly Part[] = [{ kbd: "?" }, " shows this list, while no text is being written"];
