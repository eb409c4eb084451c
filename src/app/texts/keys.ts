import type { Part } from "./part.ts";

export const title = "Keyboard shortcuts";
export const everywhere = "Everywhere";

export const inDoc = "In a doc";
export const save = "Save";
export const findAndReplace = "Find and replace";
export const bold = "Bold";
export const slanted = "Italic";
export const openOrCheck = "Open link or toggle task";

export const inDialog = "In a dialog";
export const send = "Send";
export const editLast = "Edit your last message (in an empty message box)";
export const findInDialog = "Find in dialog";

export const askedForLeave = "When the agent needs approval";
export const approve = "Approve";
export const deny = "Deny";
export const denyWhy = "Deny with a reason";
export const alwaysAllow = "Always allow";

export const singleKey: readonly Part[] = [{ kbd: "?" }, " shows this list when you're not typing"];
